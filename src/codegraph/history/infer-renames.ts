import { nodeId, parseNodeId } from "../../base/ids/ids.js";
import { findMovedSymbols, type SymbolKey } from "./find-moved-symbols.js";
import type { Rename } from "./find-renames.js";

interface SeenChanges {
  goneFiles: readonly { path: string }[];
  newFiles: readonly { path: string }[];
  goneSymbols: readonly SymbolKey[];
  newSymbols: readonly SymbolKey[];
}

/**
 * Files that were moved and edited before git heard of it, told by their symbols: everything of the old file that is found
 * again is in one new file, at least half of it with the same body, and nothing else of an old file is there. A file that
 * was split, or put together from two, has become neither.
 *
 * @example inferRenames(seen, new Map()) // [{ from: "src/store.ts", to: "src/rows.ts" }]
 */
export function inferRenames(seen: SeenChanges, renamed: ReadonlyMap<string, string>): Rename[] {
  const taken = new Set(renamed.values());
  const gone = new Set(seen.goneFiles.map(({ path }) => path).filter((path) => !renamed.has(path)));
  const appeared = new Set(seen.newFiles.map(({ path }) => path).filter((path) => !taken.has(path)));
  if (gone.size === 0 || appeared.size === 0) return [];

  const [before, after] = [bodiesOf(seen.goneSymbols), bodiesOf(seen.newSymbols)];
  const ways = new Map<string, Set<string>>();
  const sources = new Map<string, Set<string>>();
  const same = new Map<string, number>();
  for (const { from, to } of findMovedSymbols(seen.goneSymbols, seen.newSymbols, renamed)) {
    const [source, target] = [parseNodeId(from).file, parseNodeId(to).file];
    add(ways, source, target);
    add(sources, target, source);
    const body = before.get(from);
    if (body !== undefined && body === after.get(to)) same.set(source, (same.get(source) ?? 0) + 1);
  }
  const symbols = countByFile(seen.goneSymbols);
  return [...ways].flatMap(([from, targets]) => {
    const [to = "", ...others] = targets;
    const isOnly = others.length === 0 && sources.get(to)?.size === 1;
    const isHalf = (same.get(from) ?? 0) * 2 >= (symbols.get(from) ?? 0);
    return isOnly && isHalf && gone.has(from) && appeared.has(to) ? [{ from, to }] : [];
  });
}

function bodiesOf(symbols: readonly SymbolKey[]): Map<string, string | undefined> {
  return new Map(symbols.map(({ file, path, fingerprint }) => [nodeId(file, path), fingerprint]));
}

/** How many symbols of each file have a body to be recognised by. */
function countByFile(symbols: readonly SymbolKey[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { file, fingerprint } of symbols) {
    if (fingerprint !== undefined) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  const known = sets.get(key);
  if (known) known.add(value);
  else sets.set(key, new Set([value]));
}
