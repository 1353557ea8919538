import type { Tier } from "../codegraph.js";
import type { ExpressionFact, UseFact } from "../facts.js";
import { definitionOf, ownerOf, typeDefinitions, type Definition } from "./definitions.js";
import type { EdgeList, EdgeStart } from "./edge-list.js";
import { isOutside } from "./is-outside.js";
import { resolving, type Linking, type Spot, type Target } from "./meanings.js";
import { shapeIn, symbolIn, type Place } from "./places.js";
import { targetOfTypeName } from "./read-type.js";
import { typesOfTarget } from "./types-of-target.js";
import { targetsOf } from "./types-of.js";

/** Finds what each place of a file uses. */
export function addUses(linking: Linking, place: Place, list: EdgeList): void {
  for (const use of place.facts.uses) addUse(linking, place, list, use);
}

function addUse(linking: Linking, place: Place, list: EdgeList, use: UseFact): void {
  const [kind, , scope, line] = use;
  const spot = { place, scope };
  const from = userAt(place, scope);
  const mention = { from, kind: "references" as const, line };
  if (kind === "type") {
    const found = resolving(linking, () => typeDefinitions(linking, spot, use[1], true));
    for (const to of found) addDefinition(linking, place, list, mention, to);
    return;
  }
  const [, expression, , , name] = use;
  if (!expression) {
    if (name !== undefined) list.miss(from, "call", name);
    return;
  }
  if (kind === "reference") {
    const targets = resolving(linking, () => targetsOf(linking, spot, expression));
    for (const to of targets.flatMap((target) => definitionOf(target) ?? [])) {
      addDefinition(linking, place, list, mention, to);
    }
    return;
  }
  addCall(linking, place, list, { from, line, name, spot, expression });
}

/** Who uses what is used in a scope. What a variable or a field is made of is used by whatever it stands in. */
function userAt(place: Place, scope: number): string {
  let symbol = symbolIn(place, place.facts.scopes[scope]?.symbol ?? -1);
  while (symbol && !symbol.isCallable && (symbol.kind === "variable" || symbol.kind === "property")) {
    symbol = symbolIn(place, symbol.parent);
  }
  return symbol?.path ?? "";
}

interface Call {
  from: string;
  line: number;
  name: string | undefined;
  spot: Spot;
  expression: ExpressionFact;
}

function addCall(linking: Linking, place: Place, list: EdgeList, { from, line, name, spot, expression }: Call): void {
  const targets = resolving(linking, () => calleesOf(linking, spot, expression));
  let isFound = false;
  for (const target of targets) {
    const named = definitionOf(target);
    // What a getter gives is called, not the getter.
    const isRun = named?.symbol.isCallable && !(target.is === "member" && target.member.isGetter);
    if (named) {
      isFound = true;
      addDefinition(linking, place, list, { from, kind: isRun ? "calls" : "references", line }, named);
      if (isRun) continue;
    }
    for (const to of typesOfTarget(linking, target).flatMap((type) => ownerOf(type) ?? [])) {
      isFound = true;
      linking.isTyped = true;
      addDefinition(linking, place, list, { from, kind: to.symbol.isCallable ? "calls" : "references", line }, to);
    }
  }
  const last =
    name ?? (expression[0] === "name" ? expression[1] : expression[0] === "member" ? expression[2] : undefined);
  if (isFound || last === undefined) return;
  if (!resolving(linking, () => isOutside(linking, spot, expression))) list.miss(from, "call", last);
}

function calleesOf(linking: Linking, spot: Spot, expression: ExpressionFact): Target[] {
  if (expression[0] !== "super") return targetsOf(linking, spot, expression);
  // `super(…)` runs the class above.
  const owner = spot.place.facts.scopes[spot.scope]?.shape ?? -1;
  const shape = shapeIn(spot.place, owner);
  const at = { place: spot.place, scope: shape?.scope ?? 0 };
  return (shape?.extends ?? []).slice(0, 1).flatMap((parent): Target[] => {
    if (parent[0] !== "type" || parent[1][0] !== "name") return targetsOf(linking, at, parent);
    const target = targetOfTypeName(linking, at, parent[1][1]);
    if (target?.is !== "type") return target ? [target] : [];
    const [kind, , symbol] = target.binding;
    return kind === "shape" ? [{ is: "symbol", place: target.spot.place, symbol }] : [];
  });
}

/** Adds an edge to a definition, with how it was just found. */
export function addDefinition(linking: Linking, place: Place, list: EdgeList, start: EdgeStart, to: Definition): void {
  const isSelf = to.symbol.path === start.from && to.place.path === place.path;
  if (isSelf && start.kind !== "calls") return;
  list.add(start, tierOf(linking, place, to), to.place.path, to.symbol);
}

function tierOf({ isVoted, isTyped }: Linking, place: Place, to: Definition): Tier {
  if (isVoted) return "vote";
  if (isTyped) return "receiver";
  return to.place.path === place.path ? "scope" : "import";
}
