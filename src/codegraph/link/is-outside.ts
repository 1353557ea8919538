import type { BindingFact, ExpressionFact, TypeFact } from "../facts.js";
import { builtinType } from "./builtins.js";
import { mayGoOn, type FileLinking, type Spot } from "./meanings.js";
import { nameIn, typeIn } from "./places.js";
import { targetsOf } from "./types-of.js";

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
    case "element":
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

function isNameOutside(linking: FileLinking, spot: Spot, name: string, depth: number): boolean {
  const found = bindingOf(spot, name);
  if (!found) return true;
  const { binding, scope } = found;
  if (binding[0] === "import") return isModuleOutside(linking, spot, binding[1]);
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
        if (binding) return binding[0] === "import" && isModuleOutside(linking, spot, binding[1]);
      }
      // Of `Promise<Store>`, what it holds; of `Array<Store>` too, since its methods give it back.
      const holds = { results: () => [], made: () => [] };
      const isWrapper = builtinType(type[1], [], holds) !== undefined;
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
