import type { Writer } from "../../storage/storage.js";
import type { NodeKind } from "../codegraph.js";
import { writeChunks } from "../chunks/chunk-queries.js";
import type { SymbolKey } from "../history/find-moved-symbols.js";
import { stemsOf } from "../languages/stems-of.js";
import { putFacts, putFiles, removeFiles, touchFiles, type KnownFile } from "./file-queries.js";
import { whileVoting, type Linking } from "./link-files.js";
import { listVotedNames, removeLinks, unlinkDependents } from "./link-queries.js";
import type { Sightings } from "../tree/news-queries.js";
import { listSymbols, putNodes } from "../tree/node-queries.js";
import { extractorVersion } from "../tree/extractor-version.js";
import type { ParsedFile } from "./parse-file.js";
import { removeScipAnswers } from "./scip-answer-queries.js";
import { listAddedKeys, putSpaces } from "./space-queries.js";

/**
 * Puts parsed files in the place of what was known of them. Their edges are gone with that; those of files that saw
 * something else of them are to be found anew.
 */
export async function applyFiles(
  writer: Writer,
  { tree, cache }: Pick<Linking, "tree" | "cache">,
  known: Map<string, KnownFile>,
  parsed: readonly ParsedFile[],
  /** Absent for the first indexing: nothing can have moved. */
  seen: Sightings | undefined,
): Promise<void> {
  await touchFiles(
    writer,
    tree,
    parsed.filter(({ state }) => state === "same"),
  );
  const changed = parsed.filter(({ state }) => state !== "same");
  if (changed.length === 0) return;
  const before = changed.flatMap(({ path }) => known.get(path) ?? []);
  const oldSymbols = await listSymbols(
    writer,
    before.map(({ number }) => number),
  );
  if (seen) noteSymbols(seen, oldSymbols, changed);
  const numbers = await putFiles(writer, tree, changed);
  const numberOf = (path: string) => numbers.get(path) as number;
  await removeLinks(writer, JSON.stringify(before.map(({ number }) => number)));
  await putNodes(
    writer,
    changed.map(({ path, nodes }) => ({ number: numberOf(path), nodes, isNew: !known.has(path) })),
  );
  await putFacts(
    writer,
    changed.flatMap(({ path, facts }) => (facts === undefined ? [] : [{ number: numberOf(path), facts }])),
  );
  await removeScipAnswers(
    writer,
    changed.flatMap(({ path, facts }) => (facts === undefined && known.has(path) ? [numberOf(path)] : [])),
  );
  await writeChunks(
    writer,
    tree,
    changed.map(({ path, chunks }) => ({ number: numberOf(path), chunks })),
  );
  const names = await putSpaces(
    writer,
    tree,
    changed.map(({ path, spaces }) => ({ number: numberOf(path), spaces })),
  );
  await unlinkDependents(writer, tree, [...changed.flatMap((file) => keysOf(file, known.get(file.path))), ...names]);
  for (const file of changed) {
    const { path, hash, facts } = file;
    if (!known.has(path)) seen?.newFiles.push({ path, hash });
    seen?.changed.push(path);
    if (facts === undefined) cache.drop(path);
    else cache.put(path, facts);
    known.set(path, knownOf(file, numberOf(path)));
  }
  cache.trim();
}

/** Without what it holds, which would stay in memory for as long as the indexing lasts. */
function knownOf({ path, hash, size, modifiedMs, readMs, surface }: ParsedFile, number: number): KnownFile {
  return { number, path, hash, extractor: extractorVersion, size, modifiedMs, readMs, surface };
}

/** Takes files out that are no longer there. */
export async function applyGone(
  writer: Writer,
  { tree, cache }: Pick<Linking, "tree" | "cache">,
  known: Map<string, KnownFile>,
  gone: readonly KnownFile[],
  seen: Sightings,
): Promise<void> {
  if (gone.length === 0) return;
  const numbers = gone.map(({ number }) => number);
  seen.goneSymbols.push(...(await listSymbols(writer, numbers)));
  await unlinkDependents(writer, tree, [
    ...gone.flatMap(({ path }) => [`file:${path}`, ...stemsOf(path).map((stem) => `stem:${stem}`)]),
    ...(await listAddedKeys(writer, numbers)),
  ]);
  // Their votes go with them.
  await whileVoting(writer, tree, await listVotedNames(writer, numbers), () => removeFiles(writer, numbers));
  for (const { path, hash } of gone) {
    seen.goneFiles.push({ path, hash });
    cache.drop(path);
    known.delete(path);
  }
}

/** Whoever was found from one of these may be found otherwise now. */
function keysOf({ path, surface }: ParsedFile, before: KnownFile | undefined): string[] {
  if (!before) return [`file:${path}`, ...stemsOf(path).map((stem) => `stem:${stem}`)];
  return before.surface === surface ? [] : [`file:${path}`];
}

function noteSymbols(seen: Sightings, before: readonly SymbolKey[], changed: readonly ParsedFile[]): void {
  const after = changed.flatMap(symbolsOf);
  const idOf = ({ file, path }: SymbolKey) => `${file}#${path}`;
  const [old, now] = [new Set(before.map(idOf)), new Set(after.map(idOf))];
  seen.goneSymbols.push(...before.filter((symbol) => !now.has(idOf(symbol))));
  seen.newSymbols.push(...after.filter((symbol) => !old.has(idOf(symbol))));
}

function symbolsOf({ path: file, nodes }: ParsedFile): SymbolKey[] {
  const [, ...symbols] = JSON.parse(nodes) as [string, string, NodeKind, number, number, string | null][];
  return symbols.map(([path, name, kind, , , fingerprint]) => ({
    file,
    path,
    name,
    kind,
    ...(fingerprint !== null && { fingerprint }),
  }));
}
