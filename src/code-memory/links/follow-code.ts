import { existsSync } from "node:fs";
import { parseNodeId } from "../../base/node-id.js";
import type { CodeNode, Tree } from "../../codegraph/codegraph.js";
import { followMeanings } from "../../codegraph/concepts/follow-meanings.js";
import { replaceCompanions } from "../../codegraph/history/companion-queries.js";
import { countCompanions } from "../../codegraph/history/count-companions.js";
import type { Indexed } from "../../codegraph/indexing/index-tree.js";
import { listNews, removeNews } from "../../codegraph/indexing/news-queries.js";
import { listDefined, listPresent } from "../../codegraph/indexing/node-queries.js";
import { listTrees, noteCounted, type TreeState } from "../../codegraph/indexing/tree-queries.js";
import { listHanging, type HangingMemory } from "./code-links.js";
import { followMoves } from "./follow-moves.js";
import { linkBySymbols, type LinkedMemories, type SymbolsOf } from "./link-by-symbols.js";
import { listByKeys } from "../../memory/memory-queries.js";
import type { Memory } from "../../memory/memory.js";
import { readProject, type ProjectContext } from "../../project/project-context.js";
import type { Project } from "../../project/projects.js";
import type { Reader, Store } from "../../storage/storage.js";

const gitMs = 20_000;
const maxHanging = 50;
// The nearest are chosen of so many: what a file holds besides is looked at, too.
const maxCompared = 1000;

/** Lets memories follow what indexings have done: what was moved, and which symbols their texts name. */
export async function followCode(context: ProjectContext, { tree }: Indexed): Promise<void> {
  const { store } = context;
  const pending = await store.read(async (reader) => listNews(reader, tree));
  const others = pending.length === 0 ? [] : await listOtherTrees(context, tree);
  for (const { number, news } of pending) {
    const { changed = [], removed = [], ...moves } = news;
    const places = [...moves.files, ...moves.symbols].map((move) => move.from);
    const present = await store.read(async (reader) => listPresent(reader, others, places));
    // What another work tree still has where it was is in both places.
    await followMoves(context, moves, { occasion: `${tree.root} ${number}`, keepOld: (place) => present.has(place) });
    await linkMemories(context, tree, changed === "all" ? "all" : { files: [...changed, ...removed] }, removed);
    await (await import("../drift/follow-drift.js")).followDrift(context, { tree, others }, news);
    await store.write(async (writer) => {
      // Once, by whoever takes the news away: two files that changed places must not change back.
      if (await removeNews(writer, number)) await followMeanings(writer, tree, moves, (place) => present.has(place));
    });
  }
}

/**
 * Links memories to the symbols that their texts name. Links to what another work tree of the project has stay. Of files
 * that are nowhere nothing is known, but for those that were just removed.
 */
export async function linkMemories(
  context: ProjectContext,
  tree: Tree,
  which: LinkedMemories,
  removed: readonly string[] = [],
): Promise<void> {
  const symbolsIn =
    (where: Tree, gone: readonly string[]): SymbolsOf =>
    async (files) => {
      const defined = await context.store.read((reader) => listDefined(reader, where, files));
      for (const file of gone) if (!defined.has(file)) defined.set(file, []);
      return defined;
    };
  const elsewhere = (await listOtherTrees(context, tree)).map((other) => symbolsIn(other, []));
  await linkBySymbols(context, which, symbolsIn(tree, removed), elsewhere);
}

/**
 * Counts which files change together, if git's head has moved since; by itself only where it was counted before. Tells how
 * many commits it looked at.
 */
export async function countHistory(
  store: Store,
  tree: TreeState,
  wanted: boolean | undefined,
): Promise<number | undefined> {
  if (!(wanted ?? tree.countedCommit !== undefined)) return undefined;
  const since = wanted === true ? undefined : tree.countedCommit;
  const counted = await countCompanions(tree.root, { timeoutMs: gitMs, ...(since !== undefined && { since }) });
  if (!counted) return undefined;
  await store.write(async (writer) => {
    await replaceCompanions(writer, tree.number, counted.companions);
    await noteCounted(writer, tree, counted.commit);
  });
  return counted.commits;
}

/**
 * The memories that hang on these nodes and on the files they are in, each once, those of the first nodes first. What hangs
 * on something else of such a file is not among them.
 */
export async function listMemoriesOf(
  reader: Reader,
  project: Project,
  nodes: readonly Pick<CodeNode, "id" | "file">[],
  now: Date,
): Promise<{ memory: Memory; on: string; by: string; confidence: number }[]> {
  const ids = [...new Set(nodes.flatMap(({ id, file }) => [id, file]))];
  const placeOf = orderOf(nodes);
  const hanging = (await listHanging(reader, project, ids, { limit: maxCompared, now }))
    .map((link) => ({ link, place: placeOf(link.on) }))
    .filter(({ place }) => place < Infinity)
    .toSorted((a, b) => a.place - b.place);
  const nearest = new Map<number, HangingMemory>();
  for (const { link } of hanging) {
    if (!nearest.has(link.key) && nearest.size < maxHanging) nearest.set(link.key, link);
  }
  const memories = await listByKeys(reader, project, [...nearest.keys()], now);
  return memories.flatMap(({ key, memory }) => {
    const link = nearest.get(key);
    return link ? [{ memory, on: link.on, by: link.by, confidence: link.confidence }] : [];
  });
}

/** Where a name stands among the nodes: as itself, as something in one of them, or as the file that one is in. */
function orderOf(nodes: readonly Pick<CodeNode, "id" | "file">[]): (name: string) => number {
  const [places, files] = [new Map<string, number>(), new Map<string, number>()];
  nodes.forEach(({ id, file }, at) => {
    if (!places.has(id)) places.set(id, at);
    // What is known of the very symbol comes before what is known of its file.
    if (!files.has(file)) files.set(file, at + 0.5);
  });
  return (name) => {
    const { file, symbol } = parseNodeId(name);
    if (symbol === "") return places.get(name) ?? files.get(name) ?? Infinity;
    let place = places.get(file) ?? Infinity;
    for (let end = symbol.length; end > 0; end = symbol.lastIndexOf(".", end - 1)) {
      place = Math.min(place, places.get(`${file}#${symbol.slice(0, end)}`) ?? Infinity);
    }
    return place;
  };
}

/** The other work trees of the project that are still there. */
export async function listOtherTrees(context: ProjectContext, tree: Tree): Promise<Tree[]> {
  const trees = await readProject(context, [], (reader, project) => listTrees(reader, project.number));
  return trees.filter(({ root }) => root !== tree.root && existsSync(root));
}
