import type { Containers } from "../languages/containers.js";
import { made, type Type } from "./linking-context.js";

type Holder = Extract<Type, { is: "holder" }>;

/** What a written type of the language is that holds others; undefined for one that does not. */
export function containerType(
  containers: Containers | undefined,
  written: string,
  [first = [], second = []]: readonly (readonly Type[])[],
): readonly Type[] | undefined {
  if (!containers) return undefined;
  const name = written.slice(written.lastIndexOf(".") + 1);
  if (containers.transparent.has(name)) return first;
  if (containers.holders.has(name)) return [holderOf(containers, first)];
  if (!containers.maps.has(name)) return undefined;
  return [holderOf(containers, [{ is: "pair", keys: first, values: second }])];
}

export function holderOf(by: Containers, of: readonly Type[]): Holder {
  return { is: "holder", of, by };
}

/** What the language of a type has for all types, where that is one of the tree. */
export function containersOf(type: Type): Containers | undefined {
  return type.is === "instance" || type.is === "statics" ? type.place.language.containers : undefined;
}

/**
 * What a method gives that the language brings, be it derived. `given` is what it was told by type arguments, or what its
 * callback gives.
 */
export function containerResult(
  type: Type,
  by: Containers,
  name: string,
  given: readonly (readonly Type[])[],
): readonly Type[] {
  if (type.is === "instance") return by.copies.has(name) ? [type] : [];
  if (type.is === "statics") return by.makers.has(name) ? made(type) : [];
  if (type.is !== "holder") return [];
  const { of } = type;
  const [pair] = of;
  const ofMap = pair?.is === "pair" ? by.mapMethods.get(name) : undefined;
  if (pair?.is === "pair" && ofMap) return [holderOf(by, pair[ofMap])];
  const { told, gives } = by.methods.get(name) ?? {};
  if (told && given.length > 0) return told === "it" ? (given[0] ?? []) : [holderOf(by, given[0] ?? [])];
  switch (gives) {
    case "held":
      return of;
    case "holder":
      return [holderOf(by, of)];
    case "pairs by number":
      return [holderOf(by, [{ is: "pair", keys: [], values: of }])];
    case "pairs with others":
      return [holderOf(by, [{ is: "pair", keys: of, values: [] }])];
    case undefined:
  }
  return [];
}

/** What a method of a holder hands to a callback. */
export function handedByHolder({ of, by }: Holder, name: string, argument: number, parameter: number): readonly Type[] {
  const handed = by.callbacks.get(name);
  if (handed?.argument !== argument) return [];
  return handed.parameter === "each" || handed.parameter === parameter ? of : [];
}
