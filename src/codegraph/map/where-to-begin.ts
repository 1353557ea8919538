import type { Reader } from "../../storage/storage.js";
import { searchCode, type CodeHit } from "../search/search-code.js";
import type { Tree } from "../codegraph.js";
import { isTestFile } from "../languages/is-test-file.js";
import { listFileNodes, listNodesWithin, type NodeOfFile } from "./map-queries.js";

/** What a map is drawn for. */
export interface MapSubject {
  /** Files in play, from the root. */
  files?: readonly string[];
  /** What is to be done, in words. */
  prompt?: string;
  /** Files that have changed lately, each with its weight. */
  recent?: ReadonlyMap<string, number>;
}

// Chunks that hold words of the prompt. On 90 commits of six repositories (bench/repository-map.mjs) 20 of them find 6 files in
// a hundred fewer than 50, and 100 find no more (2026-11).
const maxHits = 50;
// The best hits count for much more than the others: 1 finds the same files, and 5 symbols in a hundred fewer than 4; 3 and 4 are
// alike.
const hitPower = 3;
// Of a hit, so much is its file's, and the rest the symbols' that it shows.
const ofFile = 0.2;
// Beside a prompt or files in play. 0 to 0.3 make one file in a hundred.
const ofRecent = 0.1;

/**
 * Where ranking begins for a subject: nodes by number, each with its share; undefined where nothing says where. What the
 * prompt is about and the files in play count alike; what has changed lately decides only where there is neither.
 */
export async function whereToBegin(
  reader: Reader,
  tree: Tree,
  { files = [], prompt = "", recent = new Map() }: MapSubject,
): Promise<Map<number, number> | undefined> {
  const hits = prompt.trim() === "" ? [] : await searchCode(reader, tree, prompt, { limit: maxHits });
  const changed = new Map([...recent].filter(([path]) => !isTestFile(path)));
  const parts = [
    { weight: 1, shares: await ofHits(reader, tree, hits) },
    { weight: 1, shares: await ofFiles(reader, tree, new Map(files.map((file) => [file, 1]))) },
    { weight: ofRecent, shares: await ofFiles(reader, tree, changed) },
  ];
  const start = new Map<number, number>();
  for (const { weight, shares } of parts) {
    const sum = [...shares.values()].reduce((total, share) => total + share, 0);
    for (const [number, share] of shares) start.set(number, (start.get(number) ?? 0) + (weight * share) / sum);
  }
  return start.size === 0 ? undefined : start;
}

async function ofFiles(
  reader: Reader,
  tree: Tree,
  files: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<number, number>> {
  const nodes = await listFileNodes(reader, tree, [...files.keys()]);
  return new Map([...nodes].map(([file, number]) => [number, files.get(file) ?? 0]));
}

async function ofHits(reader: Reader, tree: Tree, hits: readonly CodeHit[]): Promise<ReadonlyMap<number, number>> {
  const nodes = await listNodesWithin(reader, tree, [...new Set(hits.map(({ file }) => file))]);
  const shares = new Map<number, number>();
  const add = (number: number, share: number) => shares.set(number, (shares.get(number) ?? 0) + share);
  for (const { file, startLine, endLine, score } of hits) {
    const known = nodes.get(file);
    if (!known) continue;
    const share = score ** hitPower;
    const shown = shownBy(known.symbols, startLine, endLine);
    add(known.file, shown.length === 0 ? share : share * ofFile);
    for (const { number } of shown) add(number, (share * (1 - ofFile)) / shown.length);
  }
  return shares;
}

/** The symbols that begin in these lines, comments above them included; else those that the lines are part of. */
function shownBy(symbols: readonly NodeOfFile[], first: number, last: number): NodeOfFile[] {
  const beginning = symbols.filter(({ startLine }) => startLine >= first - 1 && startLine <= last);
  if (beginning.length > 0) return beginning;
  return symbols.filter(({ startLine, endLine }) => startLine <= first && endLine >= last);
}
