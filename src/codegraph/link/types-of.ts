import type { ExpressionFact } from "../facts.js";
import { builtinResult } from "./builtins.js";
import { parameterTypes, typesGuarded, typesTaken } from "./callbacks.js";
import { findName } from "./find-names.js";
import {
  capped,
  findModule,
  made,
  mayGoOn,
  some,
  type Linking,
  type Spot,
  type Target,
  type Type,
} from "./meanings.js";
import { elementsOf, membersOf, parentsOf, selfAt } from "./members-of.js";
import { shapeIn, symbolIn } from "./places.js";
import { surroundingsOf, typesOfFact } from "./read-type.js";
import { resultsOf, typesOfTarget } from "./types-of-target.js";

/** What definitions an expression names. More than one where what is left of the dot may be several things. */
export function targetsOf(linking: Linking, spot: Spot, expression: ExpressionFact, depth = 0): Target[] {
  if (!mayGoOn(linking, depth)) return [];
  if (expression[0] === "name") return some(findName(linking, spot, expression[1]));
  if (expression[0] === "member") {
    const [, object, name] = expression;
    return typesOf(linking, spot, object, depth + 1).flatMap((type) => membersOf(linking, type, name, depth + 1));
  }
  const types = typesOf(linking, spot, expression, depth + 1);
  return types.length === 0 ? [] : [{ is: "types", types }];
}

/** What an expression evaluates to. */
export function typesOf(linking: Linking, spot: Spot, expression: ExpressionFact, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  const inner = (part: ExpressionFact) => typesOf(linking, spot, part, depth + 1);
  switch (expression[0]) {
    case "name":
    case "member":
      return capped(
        targetsOf(linking, spot, expression, depth + 1).flatMap((it) => typesOfTarget(linking, it, depth + 1)),
      );
    case "this":
      return selfAt(spot);
    case "super":
      return selfAt(spot).flatMap((self) => parentsOf(linking, self, depth + 1));
    case "element":
      return capped(inner(expression[1]).flatMap((type) => elementsOf(linking, type, depth + 1)));
    case "call":
      return typesOfCall(linking, spot, expression, depth + 1);
    case "new":
      return inner(expression[1]).flatMap((type) => made(type));
    case "module": {
      const module = findModule(linking, spot.place, expression[1]);
      return module ? [{ is: "module", place: module }] : [];
    }
    case "shape": {
      const isClass = shapeIn(spot.place, expression[1])?.kind === "class";
      if (isClass) return [{ is: "statics", place: spot.place, shape: expression[1] }];
      return [{ is: "instance", place: spot.place, shape: expression[1], around: spot.around }];
    }
    case "type":
      return typesOfFact(linking, spot, expression[1], depth + 1);
    case "either":
      return capped(expression[1].flatMap(inner));
    case "given": {
      const [, callee, argument, parameter] = expression;
      const callbacks = typesTaken(linking, spot, callee, argument, depth + 1, parameter);
      return capped(callbacks.flatMap((type) => parameterTypes(linking, type, parameter, depth + 1)));
    }
    case "in":
      return typesOf(linking, { ...spot, scope: expression[1] }, expression[2], depth + 1);
    case "taken":
      return capped(typesTaken(linking, spot, expression[1], expression[2], depth + 1));
    case "guarded":
      return typesGuarded(linking, spot, expression, depth + 1);
  }
  // Of facts that were tampered with, or made by another version, the rest is still good.
  return [];
}

function typesOfCall(
  linking: Linking,
  spot: Spot,
  [, callee, args = []]: Extract<ExpressionFact, ["call", ...unknown[]]>,
  depth: number,
): readonly Type[] {
  const given = args.map((arg) => typesOfFact(linking, spot, arg, depth + 1));
  if (callee[0] === "member") {
    const [, object, name] = callee;
    const objects = typesOf(linking, spot, object, depth + 1);
    const results = objects.flatMap((type) => {
      const targets = membersOf(linking, type, name, depth + 1);
      if (targets.length === 0) return builtinResult(type, name);
      return targets
        .flatMap((target) => typesOfTarget(linking, target, depth + 1))
        .flatMap((callable) => resultsOf(linking, withArguments(callable, given), depth + 1));
    });
    return capped(results);
  }
  return capped(
    typesOf(linking, spot, callee, depth + 1).flatMap((type) =>
      resultsOf(linking, withArguments(type, given), depth + 1),
    ),
  );
}

/** A function with what its type parameters stand for in a call. */
function withArguments(type: Type, args: readonly (readonly Type[])[]): Type {
  if (type.is !== "callable" || args.length === 0) return type;
  const own = surroundingsOf(type.place, symbolIn(type.place, type.symbol)?.scope ?? 0, args);
  if (!own?.variables) return type;
  return {
    ...type,
    around: { ...type.around, variables: new Map([...(type.around?.variables ?? []), ...own.variables]) },
  };
}
