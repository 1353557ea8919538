import type { ExpressionFact, TypeBindingFact } from "../facts/facts.js";
import { givenByBuiltin } from "./builtins.js";
import { mayGoOn, type FileLinking, type Spot, type Type } from "./linking-context.js";
import { valuesOf } from "./module-values.js";
import { heldBy, membersOf } from "./members-of.js";
import { shapeIn, symbolIn } from "./source-file.js";
import { typesOfFact } from "./read-type.js";
import { typesOfTarget } from "./types-of-target.js";

/** What the function that is called takes as an argument; what the language's own hand to a callback needs no more. */
export function typesTaken(
  linking: FileLinking,
  spot: Spot,
  callee: ExpressionFact,
  argument: number,
  depth: number,
  parameter?: number,
): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  let takers: readonly Type[];
  if (callee[0] === "member") {
    const [, object, name] = callee;
    const objects = linking.inference.typesOf(spot, object, depth + 1);
    const targets = objects.flatMap((type) => membersOf(linking, type, name, depth + 1));
    if (targets.length === 0 && parameter !== undefined) {
      const handed = objects.flatMap((type) =>
        givenByBuiltin(heldBy(linking, type, depth + 1), name, argument, parameter),
      );
      return handed.length > 0 ? [{ is: "handing", types: handed }] : [];
    }
    takers = targets.flatMap((target) => typesOfTarget(linking, target, depth + 1));
  } else {
    takers = valuesOf(linking, linking.inference.typesOf(spot, callee, depth + 1), depth + 1);
  }
  return takers.flatMap((type) => parameterTypes(linking, type, argument, depth + 1));
}

/** What a name is where a guard was true. */
export function typesGuarded(
  linking: FileLinking,
  spot: Spot,
  [, name, guard, given]: Extract<ExpressionFact, ["guarded", ...unknown[]]>,
  depth: number,
): readonly Type[] {
  for (const type of valuesOf(linking, linking.inference.typesOf(spot, guard, depth + 1), depth + 1)) {
    const symbol = type.is === "callable" ? symbolIn(type.place, type.symbol) : undefined;
    if (type.is !== "callable" || !symbol?.guards) continue;
    const [argument, guarded] = symbol.guards;
    const about = given[argument];
    if (about?.[0] !== "name" || about[1] !== name) continue;
    const scope = symbol.scope ?? 0;
    // `is(value, Store)`: what a type parameter stands for shows in the argument that has it as its type.
    const variables = new Map<TypeBindingFact, readonly Type[]>();
    for (const [variable, binding] of type.place.facts.scopes[scope]?.types ?? []) {
      const at = (symbol.parameters ?? []).findIndex((one) => one?.[0] === "name" && one[1] === variable);
      const argumentOf = given[at];
      if (binding[0] === "variable" && argumentOf)
        variables.set(binding, linking.inference.typesOf(spot, argumentOf, depth + 1));
    }
    return typesOfFact(linking, { place: type.place, scope, around: { variables } }, guarded, depth + 1);
  }
  return linking.inference.typesOf(spot, ["name", name], depth + 1);
}

export function parameterTypes(linking: FileLinking, type: Type, index: number, depth: number): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "handing") return type.types;
  if (type.is === "signature") {
    const fact = type.parameters[index];
    return fact ? typesOfFact(linking, type.spot, fact, depth + 1) : [];
  }
  if (type.is !== "callable" && type.is !== "statics") return [];
  const { place } = type;
  const symbol = symbolIn(place, type.is === "callable" ? type.symbol : (shapeIn(place, type.shape)?.symbol ?? -1));
  const fact = symbol?.parameters?.[index];
  if (!symbol || !fact) return [];
  const around = type.is === "callable" ? type.around : undefined;
  return typesOfFact(linking, { place, scope: symbol.scope ?? 0, around }, fact, depth + 1);
}
