import { parseNodeId } from "../../base/ids/ids.js";
import type { ExpressionFact, TypeFact } from "../facts/facts.js";
import {
  capped,
  findSourceFile,
  gather,
  made,
  mayGoOn,
  type FileLinking,
  type Spot,
  type Target,
  type Type,
} from "./linking-context.js";
import { valuesAssigned } from "./module-values.js";
import { symbolIn, voteName } from "./source-file.js";
import { typesOfFact } from "./read-type.js";

export function typesOfTarget(linking: FileLinking, target: Target, depth = 0): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  switch (target.is) {
    case "module":
    case "space":
      return [target];
    case "types":
      return target.types;
    case "expression":
      return linking.inference.typesOf(target.spot, target.expression, depth + 1);
    case "symbol":
      return typesOfSymbol(linking, target, depth + 1);
    case "member":
      return typesOfMember(linking, target, depth + 1);
    case "binding":
  }
  return remembered(linking, target.binding, () => typesOfBinding(linking, target, depth + 1));
}

type SymbolTarget = Extract<Target, { is: "symbol" }>;

type MemberTarget = Extract<Target, { is: "member" }>;

type BindingTarget = Extract<Target, { is: "binding" }>;

function typesOfSymbol(linking: FileLinking, { place, symbol, around }: SymbolTarget, depth: number): readonly Type[] {
  const fact = symbolIn(place, symbol);
  if (!fact) return [];
  const shape = place.shapeOf.get(symbol);
  if (shape !== undefined && /^(?:class|enum|namespace|interface)$/.test(fact.kind))
    return [{ is: "statics", place, shape }];
  if (fact.kind === "function" || fact.kind === "method") return [{ is: "callable", place, symbol, around }];
  const spot = { place, scope: fact.scope ?? 0, around };
  const find = () => typesStated(linking, spot, fact.type, fact.init, depth);
  return around ? find() : remembered(linking, fact, find);
}

function typesOfMember(linking: FileLinking, { spot, member }: MemberTarget, depth: number): readonly Type[] {
  const { symbol } = member;
  const find = () => {
    const stated = typesStated(linking, spot, member.type, member.init, depth);
    if (stated.length > 0 || member.type || symbol === undefined) return stated;
    const { place, around } = spot;
    if (member.isGetter) return resultsOf(linking, { is: "callable", place, symbol, around }, depth + 1);
    return typesOfSymbol(linking, { is: "symbol", place, symbol, around }, depth + 1);
  };
  linking.isTyped = true;
  // What a method gives may depend on what it is called on.
  return spot.around ? find() : remembered(linking, member, find);
}

function typesOfBinding(linking: FileLinking, { spot, name, binding }: BindingTarget, depth: number): readonly Type[] {
  if (binding[0] !== "value" && binding[0] !== "parameter") return [];
  const [, type, init] = binding;
  // Who calls a callback is seen from outside of it, where its parameter may be the name of something else.
  const isOutside = init !== null && (binding[0] === "parameter" ? comesFromCall(init) : init[0] === "guarded");
  const scope = isOutside ? (spot.place.facts.scopes[spot.scope]?.parent ?? 0) : spot.scope;
  const at = { place: spot.place, scope, around: undefined };
  const types = typesStated(linking, at, type ?? undefined, init ?? undefined, depth);
  if (types.length > 0 || type || binding[0] === "value" || linking.isCounting) return types;
  const asked = voteName(spot.place, name);
  linking.dependencies.add(`vote:${asked}`);
  const winner = linking.sources.winner(asked);
  const voted = winner === undefined ? [] : instanceOf(linking, winner);
  if (voted.length > 0) linking.isVoted = true;
  return voted;
}

function comesFromCall(init: ExpressionFact): boolean {
  if (init[0] === "given" || init[0] === "taken") return true;
  if (init[0] === "either") return init[1].some(comesFromCall);
  return (init[0] === "member" || init[0] === "element") && comesFromCall(init[1]);
}

function instanceOf(linking: FileLinking, id: string): Type[] {
  const { file, symbol } = parseNodeId(id);
  const place = findSourceFile(linking, file);
  const shape = place?.shapeOf.get(place.symbolsByPath.get(symbol) ?? -1);
  return place && shape !== undefined ? [{ is: "instance", place, shape }] : [];
}

/** What is stated counts; what it is made of, where nothing is stated. */
function typesStated(
  linking: FileLinking,
  spot: Spot,
  type: TypeFact | undefined,
  init: ExpressionFact | undefined,
  depth: number,
): readonly Type[] {
  if (type) return typesOfFact(linking, spot, type, depth + 1);
  return init ? linking.inference.typesOf(spot, init, depth + 1) : [];
}

/** What calling it gives. A promise is what it will be. */
export function resultsOf(linking: FileLinking, type: Type, depth: number): readonly Type[] {
  if (!mayGoOn(linking, depth)) return [];
  if (type.is === "signature") return type.returns ? typesOfFact(linking, type.spot, type.returns, depth + 1) : [];
  if (type.is === "statics") return made(type);
  if (type.is === "module") {
    return gather(valuesAssigned(linking, type, depth + 1), (value) => resultsOf(linking, value, depth + 1));
  }
  if (type.is !== "callable") return [];
  const symbol = symbolIn(type.place, type.symbol);
  if (!symbol) return [];
  const { place, around } = type;
  if (symbol.returns)
    return typesOfFact(linking, { place, scope: symbol.scope ?? 0, around }, symbol.returns, depth + 1);
  if (symbol.type) {
    const stated = typesOfFact(linking, { place, scope: symbol.scope ?? 0, around }, symbol.type, depth + 1);
    return stated.flatMap((one) => (one.is === "signature" ? resultsOf(linking, one, depth + 1) : []));
  }
  const returned = symbol.returned ?? [];
  const find = () =>
    capped(
      returned.flatMap(([expression, scope]) =>
        linking.inference.typesOf({ place, scope, around }, expression, depth + 1),
      ),
    );
  return around ? find() : remembered(linking, returned, find);
}

const underWay = { types: [], isVoted: false };

/** Finds out once what a definition is. One that is made of itself is nothing to itself. */
function remembered(linking: FileLinking, key: object, find: () => readonly Type[]): readonly Type[] {
  linking.isTyped = true;
  const known = linking.known.get(key);
  if (known) {
    if (known === underWay) linking.refusals += 1;
    linking.isVoted ||= known.isVoted;
    return known.types;
  }
  const wasVoted = linking.isVoted;
  linking.isVoted = false;
  linking.known.set(key, underWay);
  const types = find();
  linking.known.set(key, { types, isVoted: linking.isVoted });
  linking.isVoted ||= wasVoted;
  return types;
}
