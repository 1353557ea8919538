import type { TypeBindingFact } from "../facts/facts.js";
import { builtinElements } from "./builtins.js";
import { containersOf, holderOf } from "./containers.js";
import { findExported } from "./find-names.js";
import {
  made,
  mayGoOn,
  some,
  type FileLinking,
  type Spot,
  type Substitutions,
  type Target,
  type Type,
} from "./linking-context.js";
import { valuesAssigned, valuesOf } from "./module-values.js";
import { memberIn, shapeIn, staticIn, symbolIn, type SourceFile } from "./source-file.js";
import { findAdded, findInSpace, listAdded } from "./spaces.js";

/** What a type has under a name. */
export function membersOf(linking: FileLinking, type: Type, name: string, depth: number): Target[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "module") {
    const exported = findExported(linking, type.place, name, "value");
    if (exported || name === "default") return some(exported);
    return valuesAssigned(linking, type, depth + 1).flatMap((value) => membersOf(linking, value, name, depth + 1));
  }
  if (type.is === "space") return some(findInSpace(linking, type.place, type.space, name, "value"));
  linking.isTyped = true;
  if (type.is === "record") return [{ is: "types", types: type.of }];
  if (type.is === "pair" && (name === "0" || name === "1"))
    return [{ is: "types", types: name === "0" ? type.keys : type.values }];
  if (type.is === "callable") {
    const fact = symbolIn(type.place, type.symbol);
    const shape = type.place.shapeOf.get(type.symbol);
    const hung = shape === undefined ? undefined : ownMember({ is: "statics", place: type.place, shape }, name);
    const own = hung ?? memberBeside(type.place, type.symbol, name);
    if (own) return [own];
    // What decorators made of it is no function any more, where it has such a member.
    const spot = { place: type.place, scope: fact?.scope ?? 0, around: undefined };
    const decorated = fact?.init ? linking.inference.typesOf(spot, fact.init, depth + 1) : [];
    return decorated.filter(({ is }) => is === "instance").flatMap((one) => membersOf(linking, one, name, depth + 1));
  }
  if (type.is !== "instance" && type.is !== "statics") return [];
  const own =
    ownMember(type, name) ??
    (type.is === "instance"
      ? ownMember(type, "[]")
      : memberBeside(type.place, shapeIn(type.place, type.shape)?.symbol ?? -1, name));
  const added = memberElsewhere(linking, type, name);
  // A field may go by the name of a method that is written elsewhere.
  if (added) return own ? [own, added] : [added];
  if (own && !isAssigned(own)) return [own];
  const inherited = parentsOf(linking, type, depth + 1).map((parent) =>
    membersOf(linking, withSelf(parent, type), name, depth + 1),
  );
  // Of several classes in Python, the first that has it.
  const isOrdered = type.place.facts.isOpen || shapeIn(type.place, type.shape)?.isOrdered;
  const all = isOrdered ? (inherited.find((found) => found.length > 0) ?? []) : inherited.flat();
  return own && all.length === 0 ? [own] : all;
}

/** A member that is written outside of the type, be it in another file. */
function memberElsewhere(
  linking: FileLinking,
  type: Extract<Type, { is: "instance" | "statics" }>,
  name: string,
): Target | undefined {
  const space = spaceOf(type);
  if (space === undefined) return undefined;
  const found = findAdded(linking, type.place, space, name, "value");
  return found?.is === "symbol" && type.is === "instance"
    ? { ...found, around: aroundAdded(type, found.place, symbolIn(found.place, found.symbol)?.scope ?? -1) }
    : found;
}

/** The space in which members are that are written elsewhere. */
function spaceOf({ is, place, shape }: Extract<Type, { is: "instance" | "statics" }>): string | undefined {
  const fact = shapeIn(place, shape);
  return is === "instance" ? (fact?.instances ?? fact?.space) : fact?.space;
}

/** What stands outside of its type has type parameters of its own for those of the type, in the same order. */
function aroundAdded(
  type: Extract<Type, { is: "instance" }>,
  place: SourceFile,
  scope: number,
): Substitutions | undefined {
  const given = type.around?.variables;
  if (!given || place.facts.scopes[scope]?.shape !== undefined) return type.around;
  const variables = new Map(given);
  const own = variablesIn(place, scope);
  variablesIn(type.place, shapeIn(type.place, type.shape)?.scope ?? -1).forEach((variable, n) => {
    const [types, meant] = [given.get(variable), own[n]];
    if (types && meant) variables.set(meant, types);
  });
  return { ...type.around, variables };
}

function variablesIn({ facts }: SourceFile, scope: number): TypeBindingFact[] {
  return (facts.scopes[scope]?.types ?? []).map(([, binding]) => binding).filter(([kind]) => kind === "variable");
}

/** A member that a namespace of the same name adds. */
function memberBeside(place: SourceFile, symbol: number, name: string): Target | undefined {
  const shape = place.namespaceOf.get(symbol);
  return shape === undefined ? undefined : ownMember({ is: "statics", place, shape }, name);
}

/** `this.x = …` declares nothing where a class above says what `x` is. */
function isAssigned(target: Target): boolean {
  if (target.is !== "member" || target.spot.place.facts.isOpen) return false;
  return target.member.symbol === undefined && target.member.type === undefined;
}

/** What is inherited is run on the one that inherits. */
function withSelf(parent: Type, type: Type): Type {
  if (parent.is !== "instance" || type.is !== "instance") return parent;
  return { ...parent, around: { ...parent.around, self: type.around?.self ?? type } };
}

function ownMember(type: Extract<Type, { is: "instance" | "statics" }>, name: string): Target | undefined {
  const { place, shape } = type;
  const member =
    type.is === "instance"
      ? (memberIn(place, shape, name) ?? staticIn(place, shape, name))
      : (staticIn(place, shape, name) ??
        (shapeIn(place, shape)?.kind === "class" && !place.facts.isOpen ? undefined : memberIn(place, shape, name)));
  if (!member) return undefined;
  const scope = member.scope ?? shapeIn(place, shape)?.scope ?? 0;
  const around = type.is === "instance" ? type.around : undefined;
  return { is: "member", spot: { place, scope, around }, member };
}

export function parentsOf(linking: FileLinking, type: Type, depth: number): Type[] {
  if (type.is !== "instance" && type.is !== "statics") return [];
  const { place, shape } = type;
  const fact = shapeIn(place, shape);
  const around = type.is === "instance" ? type.around : undefined;
  const spot = {
    place,
    scope: fact?.scope ?? 0,
    around: around?.variables ? { variables: around.variables } : undefined,
  };
  const written = (fact?.extends ?? []).map((expression) => linking.inference.typesOf(spot, expression, depth + 1));
  // An interface of TypeScript has no bodies to give; one of Java may.
  const promised = place.knowsMore ? (fact?.implements ?? []) : [];
  for (const one of promised) written.push(linking.inference.typesOf(spot, ["type", one], depth + 1));
  const added = fact?.space === undefined ? [] : parentsElsewhere(linking, place, fact.space, depth + 1);
  // A class of Ruby that extends a module has what instances of that have.
  const mixed =
    type.is === "statics" && fact?.instances !== undefined
      ? parentsElsewhere(linking, place, fact.space ?? "", depth + 1, "<mixes>")
      : [];
  return [...written, added]
    .flatMap((found) => {
      // An object that has another written into it has what that exports, too.
      const parents = fact?.kind === "class" ? valuesOf(linking, found, depth + 1) : found;
      return parents.flatMap((parent): Type[] => {
        if (type.is === "instance") return parent.is === "statics" ? made(parent) : [parent];
        return parent.is === "instance" ? [{ is: "statics", place: parent.place, shape: parent.shape }] : [parent];
      });
    })
    .concat(mixed.flatMap(made));
}

/** What a type was said to extend outside of it. */
function parentsElsewhere(
  linking: FileLinking,
  from: SourceFile,
  space: string,
  depth: number,
  name = "<extends>",
): Type[] {
  return [...listAdded(linking, from, space, name)].flatMap(({ place, binding, scope }) =>
    binding[0] === "value" && binding[1]
      ? [...linking.inference.typesOf({ place, scope, around: undefined }, ["type", binding[1]], depth)]
      : [],
  );
}

/** What an index of it gives, or going through it. */
export function elementsOf(linking: FileLinking, type: Type, depth: number): readonly Type[] {
  if (type.is !== "instance") return builtinElements(type);
  const indexed = ownMember(type, "[]");
  if (indexed) return linking.inference.typesOfTarget(indexed, depth + 1);
  const added = memberElsewhere(linking, type, "[]");
  const stated = added?.is === "binding" && added.binding[0] === "value" ? added.binding[1] : null;
  if (added?.is !== "binding" || !stated) return [];
  const { place, scope } = added.spot;
  return linking.inference.typesOf(
    { place, scope, around: aroundAdded(type, place, scope) },
    ["type", stated],
    depth + 1,
  );
}

/** What is gone through by a type of the tree itself is held by it, to the methods that a language gives every iterator. */
export function heldBy(linking: FileLinking, type: Type, depth: number): Type {
  const by = containersOf(type);
  const of = by ? elementsOf(linking, type, depth + 1) : [];
  return by && of.length > 0 ? holderOf(by, of) : type;
}

export function selfAt({ place, scope, around }: Spot): readonly Type[] {
  if (around?.self) return [around.self];
  const shape = place.facts.scopes[scope]?.shape ?? -1;
  return shape < 0 ? [] : [{ is: "instance", place, shape, around }];
}
