import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseNodeId } from "../../base/ids/ids.js";
import { cleanSource, linesOf, readSource } from "../../codegraph/files/files.js";
import type { Tree } from "../../codegraph/codegraph.js";
import {
  listDefinitionsIn,
  listDefinitionsLike,
  listDefinitionsNamed,
  listReadFiles,
  type ReadState,
} from "../../codegraph/ask/ask.js";
import { type News, wellFormedText } from "../../codegraph/tree/tree.js";
import { listByKeys } from "../../memory/read/read.js";
import type { Memory } from "../../memory/memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { Store } from "../../storage/storage.js";
import { checkMemories, type CheckOptions, type CheckReport } from "./check-memories.js";
import { listConcerned, listDriftedKeys, type MemoriesToCheck } from "./ground-queries.js";
import type { CodeView } from "./grounds.js";

/** The trees of a project: the one that is looked at, and the others that are still there. */
export interface ProjectTrees {
  tree: Tree;
  others: readonly Tree[];
}

/** Compares the memories that an indexing may concern with the code as it is now. */
export async function followDrift(context: ProjectContext, trees: ProjectTrees, news: News): Promise<void> {
  const { changed = [], removed = [], files, symbols } = news;
  const places = [...files, ...symbols].map((move) => parseNodeId(move.from).file);
  const which: MemoriesToCheck =
    changed === "all"
      ? "all"
      : {
          keys: await readProject(context, [], (reader, project) =>
            listConcerned(reader, project, [...new Set([...changed, ...removed, ...places])]),
          ),
        };
  await checkAgainstTrees(context, which, trees, { movedTo: followerOf(news) });
}

/** Compares memories with the code as the index knows it. */
export async function checkAgainstTrees(
  context: ProjectContext,
  which: MemoriesToCheck,
  { tree, others }: ProjectTrees,
  options: CheckOptions = {},
): Promise<CheckReport> {
  if (typeof which === "object" && "keys" in which && which.keys.length === 0) return { checked: 0 };
  const openViews = () => ({
    here: viewOf(context.store, tree),
    others: others.map((one) => viewOf(context.store, one)),
  });
  return checkMemories(context, which, openViews, options);
}

/** The memories in force that something in the code speaks against, those in doubt first. */
export async function listDrifted(context: ProjectContext): Promise<Memory[]> {
  const found = await readProject(context, [], async (reader, project) =>
    listByKeys(reader, project, await listDriftedKeys(reader, project), context.now()),
  );
  return found.map(({ memory }) => memory).filter(({ status }) => status === "active" || status === "waiting");
}

/** A work tree as its index knows it, each part read once. */
function viewOf(store: Store, tree: Tree): CodeView {
  let files: Promise<Map<string, ReadState>> | undefined;
  const listFiles = () => (files ??= store.read((reader) => listReadFiles(reader, tree)));
  const lines = new Map<string, Promise<string[] | undefined>>();
  const readLines = async (file: string): Promise<string[] | undefined> => {
    const known = (await listFiles()).get(file);
    const source = known && (await readSource(tree.root, file));
    // Another text than the one that was indexed: its symbols are elsewhere in it.
    if (!source || !("text" in source) || source.hash !== known.hash) return undefined;
    return linesOf(wellFormedText(await cleanSource(source.text, file)));
  };
  let wholeFiles: Promise<Map<string, { isWhole: boolean }>> | undefined;
  return {
    files: () =>
      (wholeFiles ??= listFiles().then(
        (found) => new Map([...found].map(([path, { state }]) => [path, { isWhole: state === "whole" }])),
      )),
    isOnDisk: (path) => existsSync(join(tree.root, path)),
    definitionsIn: (wanted) => store.read((reader) => listDefinitionsIn(reader, tree, wanted)),
    definitionsNamed: (names) => store.read((reader) => listDefinitionsNamed(reader, tree, names)),
    definitionsLike: (bodies) => store.read((reader) => listDefinitionsLike(reader, tree, bodies)),
    linesOf: (file) => {
      const found = lines.get(file) ?? readLines(file);
      lines.set(file, found);
      return found;
    },
  };
}

/** Where an indexing saw something go: by itself, with what it is written in, or with its file. */
function followerOf({ files, symbols }: News): (node: string) => string | undefined {
  const moves = new Map([...files, ...symbols].map(({ from, to }) => [from, to]));
  return (node) => {
    const { file, symbol } = parseNodeId(node);
    for (let end = symbol.length; end > 0; end = symbol.lastIndexOf(".", end - 1)) {
      const to = moves.get(`${file}#${symbol.slice(0, end)}`);
      if (to !== undefined) return to + symbol.slice(end);
    }
    const to = moves.get(file);
    return to === undefined || symbol === "" ? to : `${to}#${symbol}`;
  };
}
