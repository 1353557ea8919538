import type { Tier } from "../codegraph.js";
import type { ExpressionFact, UseFact } from "../facts/facts.js";
import { definitionOf, ownerOf, typeDefinitions, type Definition } from "./definitions.js";
import type { EdgeList, EdgeStart } from "./edge-list.js";
import { deepestOutside, isOutside } from "./is-outside.js";
import { extensionOf, overloadOf } from "./overloads.js";
import { resolving, type FileLinking, type Spot, type Target } from "./linking-context.js";
import { valuesOf } from "./module-values.js";
import { shapeIn, symbolIn, type SourceFile } from "./source-file.js";
import { targetOfTypeName } from "./read-type.js";
import { findAdded } from "./spaces.js";
import { typesOfTarget } from "./types-of-target.js";
import { targetsOf } from "./types-of.js";
import { openScipUses, type ScipUses } from "./scip-answers.js";

/** Finds what each place of a file uses. */
export function addUses(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  const scip = openScipUses(linking, place);
  for (const use of place.facts.uses) addUse(linking, place, list, use, scip);
}

function addUse(
  linking: FileLinking,
  place: SourceFile,
  list: EdgeList,
  use: UseFact,
  scip: ScipUses | undefined,
): void {
  const spot = { place, scope: use[2], around: undefined };
  const meant = scip?.add(list, userAt(spot), use);
  if (meant === true) return;
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
    if (name !== undefined && !meant) list.miss(userAt(spot), "call", name);
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
    addCall(linking, place, list, { line: use[3], name, spot, expression, given: use[5], meant });
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
function hangsOnGlobal({ facts, bound, knowsMore }: SourceFile, expression: ExpressionFact): boolean {
  if (knowsMore) return false;
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
  given: readonly (ExpressionFact | null)[] | undefined;
  /** What a precise index says that it is, where none of that can be called itself. */
  meant: readonly Definition[] | undefined;
}

function addCall(linking: FileLinking, place: SourceFile, list: EdgeList, call: Call): void {
  const { line, name, spot, expression, given, meant } = call;
  const targets = resolving(linking, () => calleesOf(linking, spot, expression));
  const from = userAt(spot);
  let isFound = meant !== undefined;
  for (const target of targets) {
    const found = given ? overloadOf(linking, spot, target, given) : definitionOf(target);
    const named = found && wholeOf(linking, found);
    if (meant && !meant.some(({ symbol }) => symbol === named?.symbol)) continue;
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
  const added = isFound || !given ? undefined : resolving(linking, () => extensionOf(linking, spot, expression, given));
  if (added) {
    linking.isTyped = true;
    addDefinition(linking, place, list, { from, kind: "calls", line }, added);
    return;
  }
  const last =
    name ?? (expression[0] === "name" ? expression[1] : expression[0] === "member" ? expression[2] : undefined);
  if (isFound || last === undefined || last === "") return;
  if (!resolving(linking, () => isOutside(linking, spot, expression))) list.miss(from, "call", last);
}

/** Of a class that is written in parts, the one that it is made by: where its constructor stands. */
function wholeOf(linking: FileLinking, part: Definition): Definition {
  const { place, symbol } = part;
  const shape = shapeIn(place, place.shapeOf.get(place.symbolsByPath.get(symbol.path) ?? -1) ?? -1);
  if (!shape?.isPart || shape.space === undefined) return part;
  const end = shape.space.lastIndexOf(".");
  const whole = findAdded(linking, place, shape.space.slice(0, end), shape.space.slice(end + 1), "value");
  return (whole && definitionOf(whole)) ?? part;
}

function calleesOf(linking: FileLinking, spot: Spot, expression: ExpressionFact): readonly Target[] {
  if (expression[0] !== "super") {
    const targets = targetsOf(linking, spot, expression);
    // Of a field and a method of one name, the method is called.
    const methods = targets.filter(
      (target) => target.is === "symbol" && definitionOf(target)?.symbol.kind === "method",
    );
    return methods.length > 0 ? methods : targets;
  }
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
  place: SourceFile,
  list: EdgeList,
  start: EdgeStart,
  to: Definition,
): void {
  const isSelf = to.symbol.path === start.from && to.place.path === place.path;
  if (isSelf && start.kind !== "calls") return;
  list.add(start, tierOf(linking, place, to), to.place.path, to.symbol);
}

function tierOf({ isVoted, isTyped }: FileLinking, place: SourceFile, to: Definition): Tier {
  if (isVoted) return "vote";
  if (isTyped) return "receiver";
  return to.place.path === place.path ? "scope" : "import";
}
