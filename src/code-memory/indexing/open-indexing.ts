import type { MemoryContext } from "../../memory/change/change.js";
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import type { Code, CodeState, IndexCodeOptions, IndexReport } from "../code-memory.js";
import { notIndexed, type TreeState } from "../../codegraph/tree/tree.js";
import type { Indexed, IndexOptions, WorkTree } from "../../codegraph/indexing/indexing.js";
import { identifyFolder } from "../../project/folder/identify-folder.js";
import { openIgnoring, type Ignoring } from "../../project/ignore/ignore.js";
import { ensureProject, findProject, refuseWhenDisabled } from "../../project/project.js";
import { relativeTo } from "../../memory/read/read.js";
import type { CurrentTree } from "../tree/current-tree.js";
import { refuseAnyFolder } from "../../project/folder/refuse-any-folder.js";
import type { Store } from "../../storage/storage.js";

/** What brings the index of a work tree into step with its files. */
export interface Indexing extends Pick<Code, "index" | "watch"> {
  /** Takes in a few changed files, so that an answer speaks of the code as it is; gives what its reader should know. */
  catchUp: () => Promise<string[]>;
}

// What an answer brings up to date by itself. More is for `tacit index`, with its progress.
const maxByTheWay = 64;

export function openIndexing(context: MemoryContext, own: CurrentTree): Indexing {
  const { store } = context;
  let queue: Promise<unknown> = Promise.resolve();

  /** One indexing after the other: two at once would read the same files. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work, work);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const refuse = async (): Promise<void> => {
    refuseAnyFolder(own.folder());
    await refuseWhenDisabled(context);
  };

  /** Gives what was known of it. */
  const forgetTree = async (): Promise<TreeState | undefined> => {
    const { removeTree } = await import("../../codegraph/tree/tree.js");
    const { tree } = await store.read(own.find);
    if (tree) await store.write(async (writer) => removeTree(writer, tree));
    return tree;
  };

  const runIndex = async (options: IndexOptions): Promise<Indexed> => {
    const { indexTree } = await import("../../codegraph/indexing/indexing.js");
    const indexed = await indexTree(workTreeOf(context, own.folder().root), options);
    await (await import("./follow-code.js")).followCode(context, indexed);
    return indexed;
  };

  const countTogether = async (tree: TreeState, wanted: boolean | undefined): Promise<number | undefined> => {
    const { countCoChanges } = await import("./count-co-changes.js");
    const ignoring = await ignoringOf(context, own.folder().root);
    return countCoChanges(store, tree, wanted, (path) => ignoring.path(path, { isFile: true }) !== undefined);
  };

  const index = async ({ history, fresh, scip, ...options }: IndexCodeOptions = {}): Promise<IndexReport> => {
    const begun = performance.now();
    await refuse();
    // Before anything is thrown away or read: there may be no such file.
    const bytes = scip === undefined ? undefined : await (await scipIndexes()).readScipFile(scip);
    return inTurn(async () => {
      const before = fresh ? await forgetTree() : undefined;
      // What was counted once is counted again.
      const counting = history ?? (before?.countedCommit === undefined ? undefined : true);
      const { tree, changed, removed, linked, moves, isStopped, problems } = await runIndex(options);
      const taken =
        bytes && !isStopped
          ? await (await scipIndexes()).importScip(store, tree, bytes, async () => runIndex(options))
          : undefined;
      const commits = isStopped ? undefined : await countTogether(tree, counting);
      const { listProblems } = await import("../../codegraph/tree/tree.js");
      const named = await store.read(async (reader) => listProblems(reader, tree));
      return {
        ...((await own.state()) as CodeState),
        changed: changed.length,
        removed: removed.length,
        linked: linked + (taken?.linked ?? 0),
        moves,
        isStopped: isStopped || taken?.isStopped === true,
        problems: [...problems, ...named],
        ...(commits !== undefined && { commits }),
        ...(taken && { scip: taken.report }),
        tookMs: Math.round(performance.now() - begun),
      };
    });
  };

  const watch: Code["watch"] = async ({ onIndexed, ...options } = {}) => {
    // Before anything is watched: whatever lies in a home folder would be looked at first.
    await refuse();
    const { watchTree } = await import("../../codegraph/indexing/indexing.js");
    const { signal } = options;
    const { root } = own.folder();
    const again = async () => onIndexed?.(await index({ ...(signal && { signal }) }));
    const watching = await watchTree(root, again, { ...options, leaveOut: ownFilesIn(store, root) });
    try {
      // Only now: what changes from here on is seen by one of the two.
      await again();
    } catch (error) {
      await watching.close();
      throw error;
    }
    return watching;
  };

  const catchUp = async (): Promise<string[]> => {
    const { tree } = await store.read(own.find);
    if (!tree) throw notIndexed();
    const notes = tree.completedAt === undefined ? [incomplete] : [];
    if (!(await context.settings()).enabled) {
      return [...notes, `Tacit is switched off here: this is the code as of ${tree.indexedAt}.`];
    }
    if (notes.length > 0) return notes;
    try {
      const { behind } = await inTurn(() => runIndex({ maxChanges: maxByTheWay }));
      return behind === 0 ? [] : [`${behind} files have changed since the index was made: run tacit index.`];
    } catch (error) {
      // Somebody else is writing, or the store cannot be written: it is answered from what is known.
      if (!(error instanceof MemoryError)) throw error;
      return [`The index could not be brought up to date: ${error.message}`];
    }
  };

  return { index, watch, catchUp };
}

const scipIndexes = () => import("./import-scip.js");

const incomplete = "The first indexing is not complete: this may be a part of the answer.";

function workTreeOf(context: MemoryContext, root: string): WorkTree {
  const { store, project, now } = context;
  return {
    store,
    root,
    now,
    findProject: async (reader) => (await findProject(reader, project)).project?.number,
    ensureProject: async (writer) => (await ensureProject(writer, project, now())).number,
    leaveOut: ownFilesIn(store, root),
    ignoring: () => ignoringOf(context, root),
    position: async () => {
      // As it is now: what the memory knows may be a second old, and then it is of another branch.
      const { commit, branch } = await identifyFolder(root);
      return { ...(commit !== undefined && { commit }), ...(branch !== undefined && { branch }) };
    },
  };
}

/** The files of the store, where they lie in the work tree: indexing changes them, and would never come to rest. */
function ownFilesIn({ location }: Store, root: string): ReadonlySet<string> {
  if (location.kind !== "file") return new Set();
  const path = relativeTo(root, realPath(location.path));
  return new Set(["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix));
}

/** Also of what is not there yet, and of which only the folder may be named by a symbolic link. */
function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPath(dirname(path)), basename(path));
  }
}

async function ignoringOf(context: MemoryContext, root: string): Promise<Ignoring> {
  return openIgnoring({ root, ignore: (await context.settings()).ignore });
}
