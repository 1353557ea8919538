import type { ExpressionFact } from "../facts/facts.js";
import { builtinResult } from "./builtins.js";
import { parameterTypes, typesGuarded, typesTaken } from "./callbacks.js";
import { findName } from "./find-names.js";
import {
  capped,
  findModule,
  gather,
  made,
  mayGoOn,
  none,
  some,
  type FileLinking,
  type Spot,
  type Target,
  type Type,
} from "./linking-context.js";
import { valuesOf } from "./module-values.js";
import { elementsOf, heldBy, membersOf, parentsOf, selfAt } from "./members-of.js";
import { shapeIn, symbolIn } from "./source-file.js";
import { substitutionsOf, typesOfFact } from "./read-type.js";
import { resultsOf, typesOfTarget } from "./types-of-target.js";

/** What definitions an expression names. More than one where what is left of the dot may be several things. */
export function targetsOf(linking: FileLinking, spot: Spot, expression: ExpressionFact, depth = 0): readonly Target[] {
  if (!mayGoOn(linking, depth)) return none;
  if (expression[0] === "name") return some(findName(linking, spot, expression[1]));
  if (expression[0] === "member") {
    const object = expression[1];
    const name = expression[2];
    return gather(typesOf(linking, spot, object, depth + 1), (type) => membersOf(linking, type, name, depth + 1));
  }
  const types = typesOf(linking, spot, expression, depth + 1);
  return types.length === 0 ? none : [{ is: "types", types }];
}

/** What an expression evaluates to. */
export function typesOf(linking: FileLinking, spot: Spot, expression: ExpressionFact, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return none;
  switch (expression[0]) {
    case "name":
    case "member":
      return capped(
        gather(targetsOf(linking, spot, expression, depth + 1), (it) => typesOfTarget(linking, it, depth + 1)),
      );
    case "this":
      return selfAt(spot);
    case "super":
      return gather(selfAt(spot), (self) => parentsOf(linking, self, depth + 1));
    case "element":
      return capped(
        gather(typesOf(linking, spot, expression[1], depth + 1), (type) => elementsOf(linking, type, depth + 1)),
      );
    case "index":
      return capped(
        gather(typesOf(linking, spot, expression[1], depth + 1), (type) =>
          type.is === "map" ? type.values : elementsOf(linking, type, depth + 1),
        ),
      );
    case "call":
      return typesOfCall(linking, spot, expression, depth + 1);
    case "new":
      return gather(valuesOf(linking, typesOf(linking, spot, expression[1], depth + 1), depth + 1), made);
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
      return capped(gather(expression[1], (part) => typesOf(linking, spot, part, depth + 1)));
    case "given": {
      const [, callee, argument, parameter] = expression;
      const callbacks = typesTaken(linking, spot, callee, argument, depth + 1, parameter);
      return capped(gather(callbacks, (type) => parameterTypes(linking, type, parameter, depth + 1)));
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
  linking: FileLinking,
  spot: Spot,
  call: Extract<ExpressionFact, ["call", ...unknown[]]>,
  depth: number,
): readonly Type[] {
  const callee = call[1];
  const given = call[2] ? call[2].map((arg) => typesOfFact(linking, spot, arg, depth + 1)) : none;
  const results = (type: Type) => resultsOf(linking, withArguments(type, given), depth + 1);
  if (callee[0] !== "member") return capped(gather(typesOf(linking, spot, callee, depth + 1), results));
  const name = callee[2];
  const objects = typesOf(linking, spot, callee[1], depth + 1);
  const all = gather(objects, (type) => {
    const targets = membersOf(linking, type, name, depth + 1);
    if (targets.length === 0) {
      const known = builtinResult(type, name, given);
      return known.length > 0 ? known : builtinResult(heldBy(linking, type, depth + 1), name, given);
    }
    const callables = gather(targets, (target) => methodOf(target) ?? typesOfTarget(linking, target, depth + 1));
    return gather(callables, results);
  });
  return capped(all);
}

/** The method that a call means where a field goes by the same name, or the first of several. */
function methodOf(target: Target): readonly Type[] | undefined {
  if (target.is !== "member" || !target.member.overloads) return undefined;
  const { place, around } = target.spot;
  const symbol = [target.member.symbol ?? -1, ...target.member.overloads].find((one) => {
    const fact = symbolIn(place, one);
    return fact?.kind === "method" && fact.returns;
  });
  return symbol === undefined ? undefined : [{ is: "callable", place, symbol, around }];
}

/** A function with what its type parameters stand for in a call. */
function withArguments(type: Type, args: readonly (readonly Type[])[]): Type {
  if (type.is !== "callable" || args.length === 0) return type;
  const own = substitutionsOf(type.place, symbolIn(type.place, type.symbol)?.scope ?? 0, args);
  if (!own?.variables) return type;
  return {
    ...type,
    around: { ...type.around, variables: new Map([...(type.around?.variables ?? []), ...own.variables]) },
  };
}
