import type { Tier } from "../codegraph.js";
import type { ExpressionFact, UseFact } from "../facts.js";
import { definitionOf, ownerOf, typeDefinitions, type Definition } from "./definitions.js";
import type { EdgeList, EdgeStart } from "./edge-list.js";
import { deepestOutside, isOutside } from "./is-outside.js";
import { resolving, type FileLinking, type Spot, type Target } from "./meanings.js";
import { valuesOf } from "./module-values.js";
import { shapeIn, symbolIn, type Place } from "./places.js";
import { targetOfTypeName } from "./read-type.js";
import { typesOfTarget } from "./types-of-target.js";
import { targetsOf } from "./types-of.js";

/** Finds what each place of a file uses. */
export function addUses(linking: FileLinking, place: Place, list: EdgeList): void {
  for (const use of place.facts.uses) addUse(linking, place, list, use);
}

function addUse(linking: FileLinking, place: Place, list: EdgeList, use: UseFact): void {
  const spot = { place, scope: use[2], around: undefined };
  if (use[0] === "type") {
    addMentions(
      linking,
      list,
      spot,
      use,
      resolving(linking, () => typeDefinitions(linking, spot, use[1], true)),
    );
    return;
  }
  const expression = use[1];
  const name = use[4];
  if (!expression) {
    if (name !== undefined) list.miss(userAt(spot), "call", name);
  } else if (use[0] === "reference") {
    const targets = resolving(linking, () => targetsOf(linking, spot, expression));
    addMentions(
      linking,
      list,
      spot,
      use,
      targets.flatMap((target) => definitionOf(target) ?? []),
    );
  } else if (!hangsOnGlobal(place, expression)) {
    addCall(linking, place, list, { line: use[3], name, spot, expression });
  }
}

function addMentions(
  linking: FileLinking,
  list: EdgeList,
  spot: Spot,
  use: UseFact,
  found: readonly Definition[],
): void {
  for (const to of found) {
    addDefinition(linking, spot.place, list, { from: userAt(spot), kind: "references", line: use[3] }, to);
  }
}

/** Whether it begins with a name that the file knows nowhere, as half of the calls of hono do: it is outside. */
function hangsOnGlobal({ facts, bound }: Place, expression: ExpressionFact): boolean {
  let root = expression;
  for (let depth = 0; depth < deepestOutside; depth += 1) {
    // What is taken with `*` may have it.
    if (root[0] === "name") return !bound.has(root[1]) && !(facts.isOpen && facts.passedOn.length > 0);
    if (root[0] !== "member" && root[0] !== "new" && root[0] !== "element" && root[0] !== "call") return false;
    // What type arguments lead to is a dependency.
    if (root[0] === "call" && root[2]) return false;
    root = root[1];
  }
  return false;
}

/** Who uses what is used in a scope. What a variable or a field is made of is used by whatever it stands in. */
function userAt({ place, scope }: Spot): string {
  let symbol = symbolIn(place, place.facts.scopes[scope]?.symbol ?? -1);
  while (symbol && !symbol.isCallable && (symbol.kind === "variable" || symbol.kind === "property")) {
    symbol = symbolIn(place, symbol.parent);
  }
  return symbol?.path ?? "";
}

interface Call {
  line: number;
  name: string | undefined;
  spot: Spot;
  expression: ExpressionFact;
}

function addCall(linking: FileLinking, place: Place, list: EdgeList, { line, name, spot, expression }: Call): void {
  const targets = resolving(linking, () => calleesOf(linking, spot, expression));
  const from = userAt(spot);
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
    for (const to of valuesOf(linking, typesOfTarget(linking, target), 0).flatMap((type) => ownerOf(type) ?? [])) {
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

function calleesOf(linking: FileLinking, spot: Spot, expression: ExpressionFact): readonly Target[] {
  if (expression[0] !== "super") return targetsOf(linking, spot, expression);
  // `super(…)` runs the class above.
  const owner = spot.place.facts.scopes[spot.scope]?.shape ?? -1;
  const shape = shapeIn(spot.place, owner);
  const at = { place: spot.place, scope: shape?.scope ?? 0, around: undefined };
  return (shape?.extends ?? []).slice(0, 1).flatMap((parent): readonly Target[] => {
    if (parent[0] !== "type" || parent[1][0] !== "name") return targetsOf(linking, at, parent);
    const target = targetOfTypeName(linking, at, parent[1][1]);
    if (target?.is !== "type") return target ? [target] : [];
    const [kind, , symbol] = target.binding;
    return kind === "shape" ? [{ is: "symbol", place: target.spot.place, symbol }] : [];
  });
}

/** Adds an edge to a definition, with how it was just found. */
export function addDefinition(
  linking: FileLinking,
  place: Place,
  list: EdgeList,
  start: EdgeStart,
  to: Definition,
): void {
  const isSelf = to.symbol.path === start.from && to.place.path === place.path;
  if (isSelf && start.kind !== "calls") return;
  list.add(start, tierOf(linking, place, to), to.place.path, to.symbol);
}

function tierOf({ isVoted, isTyped }: FileLinking, place: Place, to: Definition): Tier {
  if (isVoted) return "vote";
  if (isTyped) return "receiver";
  return to.place.path === place.path ? "scope" : "import";
}
