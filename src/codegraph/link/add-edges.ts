import type { EdgeKind, Tier } from "../codegraph.js";
import type { ExpressionFact, TypeFact, UseFact } from "../facts.js";
import type { EdgeList } from "./edge-list.js";
import { findExported, findName } from "./find-names.js";
import { isOutside } from "./is-outside.js";
import { findModule, resolving, type Linking, type Spot, type Target, type Type, type TypeTarget } from "./meanings.js";
import { shapeIn, symbolIn, type Place } from "./places.js";
import { isTestFile } from "./test-files.js";
import { targetOfTypeName } from "./read-type.js";
import { typesOfTarget } from "./types-of-target.js";
import { targetsOf, typesOf } from "./types-of.js";

/** Finds every edge that leaves a file. */
export function addEdges(linking: Linking, place: Place, list: EdgeList): void {
  addContained(place, list);
  addImports(linking, place, list);
  addExports(linking, place, list);
  addParents(linking, place, list);
  for (const use of place.facts.uses) addUse(linking, place, list, use);
}

function addContained({ path, facts: { symbols } }: Place, list: EdgeList): void {
  for (const symbol of symbols) {
    const from = symbols[symbol.parent]?.path ?? "";
    list.add({ from, toFile: path, to: symbol.path, kind: "contains", tier: "syntax", line: symbol.start });
  }
}

function addImports(linking: Linking, place: Place, list: EdgeList): void {
  const { path, facts } = place;
  const isTest = isTestFile(path);
  const add = (file: string, line: number | undefined) => {
    if (file === path) return;
    const edge = { from: "", toFile: file, to: "", tier: "import" as const, ...(line !== undefined && { line }) };
    list.add({ ...edge, kind: "imports" });
    if (isTest && !isTestFile(file)) list.add({ ...edge, kind: "tests" });
  };
  for (const { specifier, line } of facts.imports) {
    const { file, stems, isMissing } = linking.sources.modules.resolve(path, specifier);
    for (const stem of stems) linking.dependencies.add(`stem:${stem}`);
    if (isMissing) list.miss("", "import", specifier);
    if (file !== undefined) add(file, line);
  }
  if (!facts.isOpen) return;
  // `from package import module`: whether a name is one, only the package tells.
  facts.scopes.forEach(({ names }, scope) => {
    for (const [name, binding] of names) {
      if (binding[0] !== "import" || binding[2] === "*") continue;
      const target = resolving(linking, () => findName(linking, { place, scope }, name));
      const line = facts.imports.find(({ specifier }) => specifier === binding[1])?.line;
      if (target?.is === "module") add(target.place.path, line);
    }
  });
}

function addExports(linking: Linking, place: Place, list: EdgeList): void {
  const names = new Set<string>();
  collectExports(linking, place, names, new Set());
  for (const name of names) {
    const targets = resolving(linking, () => [
      findExported(linking, place, name, "value"),
      findExported(linking, place, name, "type"),
    ]);
    for (const target of targets) {
      const symbol = target && definitionOf(target);
      if (!symbol) continue;
      const { path } = symbol.place;
      const tier = path === place.path ? "syntax" : "import";
      const line = path === place.path ? symbol.start : undefined;
      list.add({ from: "", toFile: path, to: symbol.path, kind: "exports", tier, ...(line !== undefined && { line }) });
    }
  }
}

function collectExports(linking: Linking, place: Place, names: Set<string>, seen: Set<string>): void {
  if (seen.has(place.path)) return;
  const isFirst = seen.size === 0;
  seen.add(place.path);
  for (const name of place.exports.keys()) if (isFirst || name !== "default") names.add(name);
  if (place.facts.isOpen) {
    for (const [name, binding] of place.facts.scopes[0]?.names ?? []) {
      const isOwn = binding[0] === "symbol" || (binding[0] === "import" && place.path.endsWith("__init__.py"));
      if (isOwn && !name.startsWith("_")) names.add(name);
    }
  }
  for (const specifier of place.facts.passedOn) {
    const module = findModule(linking, place, specifier);
    if (module) collectExports(linking, module, names, seen);
  }
}

function addParents(linking: Linking, place: Place, list: EdgeList): void {
  for (const shape of place.facts.shapes) {
    const from = symbolIn(place, shape.symbol);
    if (!from || shape.kind === "object") continue;
    const spot = { place, scope: shape.scope };
    const add = (kind: EdgeKind, found: readonly Definition[]) => {
      for (const to of found) addDefinition(linking, place, list, { from: from.path, kind, line: from.start }, to);
    };
    for (const expression of shape.extends ?? []) {
      add(
        "extends",
        resolving(linking, () => parentsIn(linking, spot, expression)),
      );
    }
    for (const type of shape.implements ?? []) {
      add(
        "implements",
        resolving(linking, () => typeDefinitions(linking, spot, type, false)),
      );
    }
  }
}

function parentsIn(linking: Linking, spot: Spot, expression: ExpressionFact): Definition[] {
  if (expression[0] === "type") return typeDefinitions(linking, spot, expression[1], false);
  const direct = targetsOf(linking, spot, expression).flatMap((target) => definitionOf(target) ?? []);
  if (direct.some(({ kind }) => kind === "class" || kind === "interface")) return direct;
  return typesOf(linking, spot, expression).flatMap((type) => ownerOf(type) ?? []);
}

/** A symbol as the end of an edge. */
interface Definition {
  place: Place;
  path: string;
  kind: string;
  start: number;
  isCallable: boolean;
}

function definitionAt(place: Place, symbol: number | undefined): Definition | undefined {
  const fact = symbol === undefined ? undefined : symbolIn(place, symbol);
  return fact && { place, path: fact.path, kind: fact.kind, start: fact.start, isCallable: fact.isCallable === true };
}

function definitionOf(target: TypeTarget): Definition | undefined {
  if (target.is === "symbol") return definitionAt(target.place, target.symbol);
  if (target.is === "member") return definitionAt(target.spot.place, target.member.symbol);
  if (target.is !== "type" || target.binding[0] === "variable") return undefined;
  return definitionAt(target.spot.place, target.binding[2]);
}

/** The class or the function that a value is. */
function ownerOf(type: Type): Definition | undefined {
  if (type.is === "callable") return definitionAt(type.place, type.symbol);
  if (type.is === "statics") return definitionAt(type.place, shapeIn(type.place, type.shape)?.symbol);
  return undefined;
}

interface Start {
  from: string;
  kind: EdgeKind;
  line: number;
}

function addDefinition(linking: Linking, place: Place, list: EdgeList, start: Start, to: Definition): void {
  const isSelf = to.place.path === place.path && to.path === start.from;
  if (isSelf && start.kind !== "calls") return;
  list.add({ ...start, toFile: to.place.path, to: to.path, tier: tierOf(linking, place, to) });
}

function tierOf({ isVoted, isTyped }: Linking, place: Place, to: Definition): Tier {
  if (isVoted) return "vote";
  if (isTyped) return "receiver";
  return to.place.path === place.path ? "scope" : "import";
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
    const isRun = named?.isCallable && !(target.is === "member" && target.member.isGetter);
    if (named) {
      isFound = true;
      addDefinition(linking, place, list, { from, kind: isRun ? "calls" : "references", line }, named);
      if (isRun) continue;
    }
    for (const to of typesOfTarget(linking, target).flatMap((type) => ownerOf(type) ?? [])) {
      isFound = true;
      linking.isTyped = true;
      addDefinition(linking, place, list, { from, kind: to.isCallable ? "calls" : "references", line }, to);
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

/** The definitions that a written type names, in its arguments too. */
function typeDefinitions(linking: Linking, spot: Spot, type: TypeFact, isDeep: boolean): Definition[] {
  switch (type[0]) {
    case "name": {
      const target = targetOfTypeName(linking, spot, type[1]);
      const own = target && definitionOf(target);
      const inner = isDeep ? (type[2] ?? []).flatMap((arg) => typeDefinitions(linking, spot, arg, true)) : [];
      return own ? [own, ...inner] : inner;
    }
    case "array":
      return typeDefinitions(linking, spot, type[1], isDeep);
    case "either":
      return type[1].flatMap((one) => typeDefinitions(linking, spot, one, isDeep));
    case "of":
      return targetsOf(linking, spot, type[1]).flatMap((target) => definitionOf(target) ?? []);
    case "module": {
      const module = findModule(linking, spot.place, type[1]);
      const target = module && type[2] !== null ? findExported(linking, module, type[2], "type") : undefined;
      const own = target && definitionOf(target);
      return own ? [own] : [];
    }
    case "member":
      return typeDefinitions(linking, spot, type[1], isDeep);
    case "function":
      return isDeep
        ? [type[1], ...type[2]].flatMap((part) => (part ? typeDefinitions(linking, spot, part, true) : []))
        : [];
    case "shape":
      return [];
  }
}
