import type { EdgeKind } from "../codegraph.js";
import { isTestFile } from "../languages/is-test-file.js";
import { addDefinition, addUses } from "./add-uses.js";
import { definitionOf, parentsIn, typeDefinitions, type Definition } from "./definitions.js";
import type { EdgeList } from "./edge-list.js";
import { findExported, findName } from "./find-names.js";
import { resolving, type FileLinking } from "./linking-context.js";
import { passedOnFrom } from "./passed-on.js";
import { symbolIn, type SourceFile } from "./source-file.js";
import { filesOfSpace, findInSpace, isRoot } from "./spaces.js";

/** Finds every edge that leaves a file. */
export function addEdges(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  addContained(place, list);
  addImports(linking, place, list);
  addExports(linking, place, list);
  addParents(linking, place, list);
  addUses(linking, place, list);
  addSpaces(linking, place, list);
}

function addContained({ path, facts: { symbols } }: SourceFile, list: EdgeList): void {
  for (const symbol of symbols) {
    const from = symbols[symbol.parent]?.path ?? "";
    list.add({ from, kind: "contains", line: symbol.start }, "syntax", path, symbol);
  }
}

function addImports(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  const { path, facts } = place;
  const add = (file: string, line: number | undefined) => addImport(list, path, file, line);
  for (const { specifier, line, space } of facts.imports) {
    if (space !== undefined) continue;
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
      const target = resolving(linking, () => findName(linking, { place, scope, around: undefined }, name));
      const line = facts.imports.find(({ specifier }) => specifier === binding[1])?.line;
      if (target?.is === "module") add(target.place.path, line);
    }
  });
}

function addImport(list: EdgeList, path: string, file: string, line: number | undefined): void {
  if (file === path) return;
  list.add({ from: "", kind: "imports", line }, "import", file);
  if (isTestFile(path) && !isTestFile(file)) list.add({ from: "", kind: "tests", line }, "import", file);
}

/**
 * What names a space takes of its files those that are used, or the first where none is. A test needs no import for what
 * stands in its own space: it tests whatever it uses there.
 */
function addSpaces(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  const { path, facts } = place;
  if (!facts.spaces && !place.knowsMore && !facts.imports.some(({ space }) => space !== undefined)) return;
  const used = list.filesReached();
  for (const { specifier, space, name, line } of facts.imports) {
    if (space === undefined) continue;
    const target = name === undefined ? undefined : findInSpace(linking, place, space, name, "type");
    const owner = target && (definitionOf(target)?.place ?? ("place" in target ? target.place : undefined));
    if (owner && target.is !== "space") {
      addImport(list, path, owner.path, line);
      continue;
    }
    if (!target && name !== undefined && isRoot(space)) continue;
    const files = filesOfSpace(linking, place, target?.is === "space" ? target.space : space);
    const taken = files.filter((file) => used.has(file));
    // A name that it does not have leads to none of them.
    const meant = !target && name !== undefined ? [] : taken.length > 0 ? taken : files.slice(0, 1);
    for (const file of meant) addImport(list, path, file, line);
    // Where spaces are told from what a file names, the others are outside.
    const home = linking.sources.spaces?.resolve(path, space);
    const isOfTree = home !== undefined && home !== space;
    const isMissing =
      target || name === undefined ? files.length === 0 && (target !== undefined || isOfTree) : files.length > 0;
    if (isMissing) list.miss("", "import", specifier);
  }
  if (!isTestFile(path)) return;
  for (const file of used) if (!isTestFile(file)) list.add({ from: "", kind: "tests" }, "import", file);
}

function addExports(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  const names = new Set(namesOf(place));
  for (const module of passedOnFrom(linking, place)) {
    for (const name of namesOf(module)) if (name !== "default") names.add(name);
  }
  for (const name of names) {
    const targets = resolving(linking, () => [
      findExported(linking, place, name, "value"),
      findExported(linking, place, name, "type"),
    ]);
    for (const target of targets) {
      const definition = target && definitionOf(target);
      if (!definition) continue;
      const { path } = definition.place;
      const [tier, line] = path === place.path ? (["syntax", definition.symbol.start] as const) : (["import"] as const);
      list.add({ from: "", kind: "exports", line }, tier, path, definition.symbol);
    }
  }
  for (const [, declared] of place.facts.spaces ?? []) {
    for (const [, binding] of declared) {
      const symbol = binding[0] === "symbol" ? symbolIn(place, binding[1]) : undefined;
      if (symbol?.parent !== -1) continue;
      list.add({ from: "", kind: "exports", line: symbol.start }, "syntax", place.path, symbol);
    }
  }
}

/** The names under which a module itself exports something. */
function namesOf({ path, language, facts, exports }: SourceFile): string[] {
  const names = [...exports.keys()];
  if (!facts.isOpen) return names;
  const isPackage = language.packages?.isPackage(path);
  for (const [name, binding] of facts.scopes[0]?.names ?? []) {
    const isOwn = binding[0] === "symbol" || (binding[0] === "import" && isPackage);
    if (isOwn && !name.startsWith("_")) names.push(name);
  }
  return names;
}

function addParents(linking: FileLinking, place: SourceFile, list: EdgeList): void {
  for (const shape of place.facts.shapes) {
    const from = symbolIn(place, shape.symbol);
    if (!from || shape.kind === "object") continue;
    const spot = { place, scope: shape.scope, around: undefined };
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
