import type { BindingFact, ExpressionFact, TypeFact } from "../facts/facts.js";
import { builtinType } from "./builtins.js";
import { containersOf, containerType } from "./containers.js";
import { mayGoOn, type FileLinking, type Spot, type Target, type Type } from "./linking-context.js";
import { definitionOf } from "./definitions.js";
import { findName, findTypeName } from "./find-names.js";
import { parentsOf } from "./members-of.js";
import { nameIn, shapeIn, typeIn } from "./source-file.js";
import { isOutsideSpace, isRoot } from "./spaces.js";
import { targetsOf, typesOf } from "./types-of.js";

/** So many steps are gone to find out what something hangs on. */
export const deepestOutside = 12;

/**
 * Whether something that led nowhere is plainly no part of the tree: a global, what a package outside gave, a string. What
 * is not outside for sure is a miss.
 */
export function isOutside(linking: FileLinking, spot: Spot, expression: ExpressionFact, depth = 0): boolean {
  if (depth > deepestOutside || !mayGoOn(linking, depth)) return false;
  const inner = (part: ExpressionFact) => isOutside(linking, spot, part, depth + 1);
  switch (expression[0]) {
    case "name":
      return isNameOutside(linking, spot, expression[1], depth);
    case "member":
      return (
        isOfContainer(linking, spot, expression, depth) ||
        isInherited(linking, spot, expression[1], depth) ||
        inner(expression[1])
      );
    case "element":
    case "index":
    case "call":
    case "new":
    case "given":
    case "taken":
      return inner(expression[1]);
    case "module":
      return isModuleOutside(linking, spot, expression[1]);
    case "in":
      return isOutside(linking, { ...spot, scope: expression[1] }, expression[2], depth + 1);
    case "guarded":
      return isNameOutside(linking, spot, expression[1], depth + 1);
    case "either":
      return expression[1].every(inner);
    case "type":
      return isTypeOutside(linking, spot, expression[1], depth);
    case "this":
    case "super":
    case "shape":
      return false;
  }
  return false;
}

type Member = Extract<ExpressionFact, ["member", ...unknown[]]>;

/**
 * Whether a method is the language's own: a `Vec` of something of the tree has none of the tree, nor has a list of C++, and
 * `clone` is mostly derived.
 */
function isOfContainer(linking: FileLinking, spot: Spot, [, object, name]: Member, depth: number): boolean {
  const { path, language } = spot.place;
  if (language.hasClosedLists?.(path)) {
    const types = typesOf(linking, spot, object, depth + 1);
    return types.length > 0 && types.every(({ is }) => is === "list" || is === "map" || is === "pair");
  }
  if (!language.containers) return false;
  // A field may go by the name of a method.
  const types = typesOf(linking, spot, object, depth + 1).filter(({ is }) => is !== "callable");
  if (types.length === 0) return isStatedOutside(linking, spot, object, depth);
  return types.every(
    (type) => type.is === "holder" || type.is === "pair" || containersOf(type)?.derived.has(name) === true,
  );
}

/** Whether what is called is outside, or inherited from there, in a language where only classes have methods. */
function isInherited(linking: FileLinking, spot: Spot, object: ExpressionFact, depth: number): boolean {
  if (!spot.place.facts.shapes.some(({ isOrdered }) => isOrdered)) return false;
  const types = typesOf(linking, spot, object, depth + 1);
  if (types.length === 0) return isStatedOutside(linking, spot, object, depth);
  return types.every((type) => hasParentOutside(linking, type, depth + 1));
}

function hasParentOutside(linking: FileLinking, type: Type, depth: number): boolean {
  if (type.is !== "instance" && type.is !== "statics") return false;
  if (depth > deepestOutside || !mayGoOn(linking, depth)) return false;
  const fact = shapeIn(type.place, type.shape);
  const spot = { place: type.place, scope: fact?.scope ?? 0, around: undefined };
  const isFromOutside = (parent: ExpressionFact) =>
    typesOf(linking, spot, parent).length === 0 && isOutside(linking, spot, parent, depth + 1);
  if (fact?.extends?.some(isFromOutside)) return true;
  return parentsOf(linking, type, depth + 1).some((parent) => hasParentOutside(linking, parent, depth + 1));
}

/** Whether a field is said to be something outside, or a function to give it. */
function isStatedOutside(linking: FileLinking, spot: Spot, object: ExpressionFact, depth: number): boolean {
  const named = object[0] === "call" ? object[1] : object;
  const targets = named[0] === "name" || named[0] === "member" ? targetsOf(linking, spot, named, depth + 1) : [];
  return (
    targets.length > 0 &&
    targets.every((target) => {
      if (object[0] !== "call") return isTargetOutside(linking, target, depth + 1);
      const definition = definitionOf(target);
      if (!definition) return false;
      const { place, symbol } = definition;
      const at = { place, scope: symbol.scope ?? 0, around: undefined };
      if (symbol.returns) return isTypeOutside(linking, at, symbol.returns, depth + 1);
      const { returned = [] } = symbol;
      return (
        returned.length > 0 && returned.every(([made, scope]) => isOutside(linking, { ...at, scope }, made, depth + 1))
      );
    })
  );
}

function isNameOutside(linking: FileLinking, spot: Spot, name: string, depth: number): boolean {
  const found = bindingOf(spot, name);
  if (!found) {
    const known = spot.place.knowsMore ? findName(linking, spot, name) : undefined;
    return !known || isTargetOutside(linking, known, depth + 1);
  }
  const { binding, scope } = found;
  if (binding[0] === "import") return isModuleOutside(linking, spot, binding[1]);
  if (binding[0] === "space") return isRoot(binding[1]) || isOutsideSpace(linking, spot.place, binding[1]);
  const at = { place: spot.place, scope, around: undefined };
  if (binding[0] === "symbol") {
    const symbol = spot.place.facts.symbols[binding[1]];
    const within = { place: spot.place, scope: symbol?.scope ?? scope, around: undefined };
    if (symbol?.type) return isTypeOutside(linking, within, symbol.type, depth + 1);
    if (symbol?.init) return isOutside(linking, within, symbol.init, depth + 1);
    return symbol?.returns !== undefined && isTypeOutside(linking, within, symbol.returns, depth + 1);
  }
  if (binding[1]) return isTypeOutside(linking, at, binding[1], depth + 1);
  return binding[2] !== null && isOutside(linking, at, binding[2], depth + 1);
}

/** A field whose type is outside, or a method that gives such: what is called on it is outside, too. */
function isTargetOutside(linking: FileLinking, target: Target, depth: number): boolean {
  if (target.is === "member" && target.member.type)
    return isTypeOutside(linking, target.spot, target.member.type, depth + 1);
  if (target.is === "binding" && target.binding[0] === "value" && target.binding[2])
    return isOutside(linking, target.spot, target.binding[2], depth + 1);
  const definition = definitionOf(target);
  if (definition?.symbol.init && !definition.symbol.isCallable) {
    const spot = { place: definition.place, scope: definition.symbol.scope ?? 0, around: undefined };
    return isOutside(linking, spot, definition.symbol.init, depth + 1);
  }
  if (!definition?.symbol.returns) return false;
  const spot = { place: definition.place, scope: definition.symbol.scope ?? 0, around: undefined };
  return isTypeOutside(linking, spot, definition.symbol.returns, depth + 1);
}

function bindingOf({ place, scope }: Spot, name: string): { binding: BindingFact; scope: number } | undefined {
  if (!place.bound.has(name)) return undefined;
  for (let at = scope; at >= 0; at = place.facts.scopes[at]?.parent ?? -1) {
    const binding = nameIn(place, at, name);
    if (binding) return { binding, scope: at };
  }
  return undefined;
}

function isModuleOutside(linking: FileLinking, { place }: Spot, specifier: string): boolean {
  const { file, isMissing } = linking.sources.modules.resolve(place.path, specifier);
  return file === undefined && !isMissing;
}

function isTypeOutside(linking: FileLinking, spot: Spot, type: TypeFact, depth: number): boolean {
  if (depth > deepestOutside || !mayGoOn(linking, depth)) return false;
  switch (type[0]) {
    case "name": {
      if (untold.has(type[1])) return false;
      const [first = ""] = type[1].split(".");
      for (let at = spot.scope; at >= 0; at = spot.place.facts.scopes[at]?.parent ?? -1) {
        if (typeIn(spot.place, at, first)) return false;
        const binding = nameIn(spot.place, at, first);
        if (binding?.[0] === "space")
          return isRoot(binding[1])
            ? findTypeName(linking, spot, first) === undefined
            : isOutsideSpace(linking, spot.place, binding[1]);
        if (binding) return binding[0] === "import" && isModuleOutside(linking, spot, binding[1]);
      }
      if (spot.place.knowsMore && findTypeName(linking, spot, first)) return false;
      // Of `Promise<Store>`, what it holds; of `Array<Store>` too, since its methods give it back.
      const holds = { results: () => [], made: () => [] };
      const isWrapper =
        (containerType(spot.place.language.containers, type[1], []) ?? builtinType(type[1], [], holds)) !== undefined;
      return !isWrapper || (type[2] ?? []).every((arg) => isTypeOutside(linking, spot, arg, depth + 1));
    }
    case "array":
      return isTypeOutside(linking, spot, type[1], depth + 1);
    case "either":
      return type[1].every((one) => isTypeOutside(linking, spot, one, depth + 1));
    case "of":
      return targetsOf(linking, spot, type[1]).length === 0 && isOutside(linking, spot, type[1], depth + 1);
    case "module":
      return isModuleOutside(linking, spot, type[1]);
    case "function":
    case "member":
    case "shape":
      return false;
  }
  return false;
}

// Types that say nothing: what is called on such a value may well be in the tree.
const untold = new Set(["any", "unknown", "object", "Function"]);
