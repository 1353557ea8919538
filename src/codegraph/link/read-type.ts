import type { TypeBindingFact, TypeFact } from "../facts/facts.js";
import { builtinType } from "./builtins.js";
import { containerType } from "./containers.js";
import { findExported, findTypeName, isPrimitive } from "./find-names.js";
import {
  capped,
  findModule,
  gather,
  made,
  mayGoOn,
  none,
  type FileLinking,
  type SpaceTarget,
  type Spot,
  type Substitutions,
  type Type,
  type TypeTarget,
} from "./linking-context.js";
import { valuesOf } from "./module-values.js";
import { selfAt } from "./members-of.js";
import { shapeIn, symbolIn, type SourceFile } from "./source-file.js";
import { findInSpace } from "./spaces.js";

/**
 * What a written type means. Found once where nothing stands around it: on hono 226,000 of 309,000 types were read
 * before in the same linking.
 */
export function typesOfFact(linking: FileLinking, spot: Spot, fact: TypeFact, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return none;
  if (spot.around) return readType(linking, spot, fact, depth);
  const known = linking.read.get(fact);
  if (known && known.scope === spot.scope && known.place === spot.place) {
    linking.isTyped ||= known.isTyped;
    linking.isVoted ||= known.isVoted;
    return known.types;
  }
  const { isTyped, isVoted, refusals } = linking;
  linking.isTyped = false;
  linking.isVoted = false;
  const types = readType(linking, spot, fact, depth);
  // What was cut short may mean more when it is asked for the next time.
  if (linking.refusals === refusals) {
    const { place, scope } = spot;
    linking.read.set(fact, { place, scope, types, isTyped: linking.isTyped, isVoted: linking.isVoted });
  }
  linking.isTyped ||= isTyped;
  linking.isVoted ||= isVoted;
  return types;
}

function readType(linking: FileLinking, spot: Spot, fact: TypeFact, depth: number): readonly Type[] {
  switch (fact[0]) {
    case "name":
      return typesOfName(linking, spot, fact[1], fact[2], depth + 1);
    case "array":
      return [{ is: "list", of: typesOfFact(linking, spot, fact[1], depth + 1) }];
    case "shape":
      return [{ is: "instance", place: spot.place, shape: fact[1], around: spot.around }];
    case "either":
      return capped(gather(fact[1], (one) => typesOfFact(linking, spot, one, depth + 1)));
    case "function":
      return [{ is: "signature", spot, returns: fact[1], parameters: fact[2] }];
    case "of":
      return linking.inference.typesOf(spot, fact[1], depth + 1);
    case "module": {
      const module = findModule(linking, spot.place, fact[1]);
      if (!module) return [];
      if (fact[2] === null) return [{ is: "module", place: module }];
      const target = findTypeIn(linking, module, fact[2].split("."), depth + 1);
      return target ? typesOfTypeTarget(linking, target, [], depth + 1) : [];
    }
    case "member": {
      const types = typesOfFact(linking, spot, fact[1], depth + 1);
      const targets = gather(types, (type) => linking.inference.membersOf(type, fact[2], depth + 1));
      return gather(targets, (target) => linking.inference.typesOfTarget(target, depth + 1));
    }
  }
  return none;
}

function typesOfName(
  linking: FileLinking,
  spot: Spot,
  name: string,
  args: readonly TypeFact[] | undefined,
  depth: number,
): readonly Type[] {
  if (name === "this") return selfAt(spot);
  const given = args ? args.map((arg) => typesOfFact(linking, spot, arg, depth + 1)) : none;
  const target = targetOfTypeName(linking, spot, name, depth + 1);
  if (target) return typesOfTypeTarget(linking, target, given, depth + 1);
  if (isPrimitive(name)) return none;
  const results = (types: readonly Type[]) => gather(types, (type) => linking.inference.resultsOf(type, depth + 1));
  return (
    containerType(spot.place.language.containers, name, given) ??
    builtinType(name, given, { results, made: (types) => gather(valuesOf(linking, types, depth + 1), made) }) ??
    none
  );
}

/** What a type name leads to, `ns.Name` included. */
export function targetOfTypeName(linking: FileLinking, spot: Spot, name: string, depth = 0): TypeTarget | undefined {
  if (!name.includes(".")) {
    const target = findTypeName(linking, spot, name);
    return target?.is === "module" ? (findAssignedType(linking, target.place) ?? target) : target;
  }
  const [first = "", ...rest] = name.split(".");
  const target = findTypeName(linking, spot, first);
  if (!target || rest.length === 0) return target;
  if (target.is === "module") return findTypeIn(linking, target.place, rest, depth + 1);
  if (target.is === "space") return findTypeInSpace(linking, target, rest, depth + 1);
  return findInNamespace(linking, target, rest, depth + 1);
}

function findTypeInSpace(
  linking: FileLinking,
  { place, space }: SpaceTarget,
  [name = "", ...rest]: string[],
  depth: number,
): TypeTarget | undefined {
  const target = findInSpace(linking, place, space, name, "type");
  if (!target || rest.length === 0) return target;
  if (target.is === "space") return findTypeInSpace(linking, target, rest, depth + 1);
  return findInNamespace(linking, target, rest, depth + 1);
}

/** `import Store = require("…")`: the type that was assigned to the whole of the module. */
function findAssignedType(linking: FileLinking, module: SourceFile): TypeTarget | undefined {
  return module.facts.isOpen ? undefined : findExported(linking, module, "default", "type");
}

function findTypeIn(
  linking: FileLinking,
  module: SourceFile,
  [name = "", ...rest]: string[],
  depth: number,
): TypeTarget | undefined {
  const target = findExported(linking, module, name, "type");
  if (!target) {
    const assigned = findAssignedType(linking, module);
    return assigned && findInNamespace(linking, assigned, [name, ...rest], depth + 1);
  }
  if (rest.length === 0) return target;
  if (target.is === "module") return findTypeIn(linking, target.place, rest, depth + 1);
  return findInNamespace(linking, target, rest, depth + 1);
}

function findInNamespace(
  linking: FileLinking,
  target: TypeTarget,
  [name = "", ...rest]: string[],
  depth: number,
): TypeTarget | undefined {
  if (!mayGoOn(linking, depth)) return undefined;
  const types = target.is === "type" ? namespaceIn(target) : linking.inference.typesOfTarget(target, depth + 1);
  for (const type of types) {
    if (type.is !== "statics" && type.is !== "instance") continue;
    const found = linking.inference.membersOf(type, name, depth + 1)[0];
    if (!found) continue;
    return rest.length === 0 ? found : findInNamespace(linking, found, rest, depth + 1);
  }
  return undefined;
}

function namespaceIn({ spot, binding }: Extract<TypeTarget, { is: "type" }>): readonly Type[] {
  return binding[0] === "shape" ? [{ is: "statics", place: spot.place, shape: binding[1] }] : none;
}

function typesOfTypeTarget(
  linking: FileLinking,
  target: TypeTarget,
  args: readonly (readonly Type[])[],
  depth: number,
): readonly Type[] {
  if (!mayGoOn(linking, depth)) return none;
  if (target.is === "type") {
    const { spot, binding } = target;
    if (binding[0] === "variable") {
      const given = spot.around?.variables?.get(binding);
      if (given) return given;
      if (!binding[1]) return none;
      return typesOfFact(linking, { place: spot.place, scope: spot.scope, around: undefined }, binding[1], depth + 1);
    }
    if (binding[0] === "shape") return [instanceWith(spot.place, binding[1], args)];
    if (!binding[1]) return none;
    const scope = symbolIn(spot.place, binding[2])?.scope ?? spot.scope;
    const around = substitutionsOf(spot.place, scope, args);
    return typesOfFact(linking, { place: spot.place, scope, around }, binding[1], depth + 1);
  }
  if (target.is === "symbol" || target.is === "member") {
    const place = target.is === "symbol" ? target.place : target.spot.place;
    const symbol = target.is === "symbol" ? target.symbol : (target.member.symbol ?? -1);
    const shape = place.shapeOf.get(symbol);
    if (shape !== undefined) return [instanceWith(place, shape, args)];
  }
  const types = valuesOf(linking, linking.inference.typesOfTarget(target, depth + 1), depth + 1);
  return gather(types, (type) => (type.is === "statics" ? made(type) : none));
}

function instanceWith(place: SourceFile, shape: number, args: readonly (readonly Type[])[]): Type {
  const around = substitutionsOf(place, shapeIn(place, shape)?.scope ?? 0, args);
  return { is: "instance", place, shape, around };
}

export function substitutionsOf(
  place: SourceFile,
  scope: number,
  args: readonly (readonly Type[])[],
): Substitutions | undefined {
  const types = place.facts.scopes[scope]?.types;
  if (!types || args.every(({ length }) => length === 0)) return undefined;
  const variables = new Map<TypeBindingFact, readonly Type[]>();
  for (const [, binding] of types) {
    const given = args[variables.size];
    if (!given) break;
    if (binding[0] === "variable") variables.set(binding, given);
  }
  return variables.size === 0 ? undefined : { variables };
}
