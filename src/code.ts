import { homedir } from "node:os";
import { parse, resolve } from "node:path";
import { MemoryError } from "./base/memory-error.js";
import type { Impact, ImpactOptions } from "./codegraph/ask/impact.js";
import type { ExportGraphOptions } from "./codegraph/ask/export-graph.js";
import type { EmbedChunksOptions, EmbedChunksReport } from "./codegraph/chunks/embed-chunks.js";
import type { CodeHit, SearchCodeOptions } from "./codegraph/chunks/search-code.js";
import type { TreeCounts } from "./codegraph/indexing/count-tree.js";
import type { Indexed, IndexOptions, WorkTree } from "./codegraph/indexing/index-tree.js";
import type { Moves } from "./codegraph/indexing/move-queries.js";
import type { TreeState } from "./codegraph/indexing/tree-queries.js";
import type { Watching, WatchOptions } from "./codegraph/indexing/watch-tree.js";
import type { Embedding } from "./embedding/embedding.js";
import { identifyFolder, type FolderIdentity } from "./memory/folder-identity.js";
import type { LinkedMemories } from "./memory/link-by-symbols.js";
import type { Memory } from "./memory/memory.js";
import { refuseWhenDisabled, type ProjectStore } from "./memory/project-store.js";
import { relativeTo } from "./memory/related-file.js";
import { ensureProject, findProject, type Project } from "./memory/projects.js";
import type { CodeGraph } from "./retrieval/code-graph.js";
import type { Reader, Store } from "./storage/storage.js";

/** How the index of this work tree stands. */
export interface CodeState extends TreeCounts {
  root: string;
  /** The commit and the branch that it was last brought into step with. */
  commit?: string;
  branch?: string;
  indexedAt: string;
  /** False during the first indexing: until then answers are about a part of the code. */
  isComplete: boolean;
  /** The version of what reads files. One that was read by another is read anew. */
  extractor: string;
}

export interface IndexCodeOptions extends IndexOptions {
  /** Also count which files git saw changing together. Default: when that was done before. */
  history?: boolean;
  /** Throw away what is known of this work tree, and begin anew. */
  fresh?: boolean;
}

/** What an indexing did, and what there is now. */
export interface IndexReport extends CodeState, Pick<Indexed, "linked" | "isStopped"> {
  /** How many files were read, because they were new or had changed, and how many were gone. */
  changed: number;
  removed: number;
  /** What was renamed or moved; memories have followed. */
  moves: Moves;
  /** Source files that were not taken in whole, and why. */
  problems: { path: string; problem: string }[];
  /** How many commits were looked at for files that change together. */
  commits?: number;
  tookMs: number;
}

/** What depends on something, and what is known about it. */
export interface CodeImpact extends Impact {
  /** The memories that hang on the target or on what depends on it, each with the node it hangs on. */
  memories: { memory: Memory; on: string; by: string; confidence: number }[];
  /** What a reader should know: that the index is not complete, that files have changed since. */
  notes: string[];
}

/** The code of a work tree, put together with its memories. */
export interface Code {
  index: (options?: IndexCodeOptions) => Promise<IndexReport>;
  watch: (options?: WatchCodeOptions) => Promise<Watching>;
  impact: (target: string, options?: ImpactOptions) => Promise<CodeImpact>;
  dependencies: (target: string, options?: ImpactOptions) => Promise<CodeImpact>;
  neighbours: (files: readonly string[]) => Promise<Map<string, string[]>>;
  exportGraph: (options?: ExportGraphOptions) => AsyncIterable<string>;
  /** Chunks of the code that answer a question: by words, and by meaning where they have vectors. */
  recall: (question: string, options?: RecallCodeOptions) => Promise<CodeAnswer>;
  /** Gives every chunk a vector. */
  embed: (options?: EmbedChunksOptions) => Promise<EmbedChunksReport>;
  /**
   * Links memories that were just kept or changed to the symbols they name: these, or all since then. Never throws: the next
   * change of their files does it, too.
   */
  link: (which: LinkedMemories) => Promise<void>;
  /** Undefined before the first indexing. */
  state: () => Promise<CodeState | undefined>;
  /** What recall asks. */
  graph: CodeGraph;
}

export interface RecallCodeOptions extends Omit<SearchCodeOptions, "meaning"> {
  /** Compare words only. */
  mode?: "words" | "hybrid";
}

export interface CodeAnswer {
  /** Best first, each with its lines, unless the file has changed or gone since. */
  hits: (CodeHit & { text?: string })[];
  notes: string[];
}

export interface WatchCodeOptions extends WatchOptions {
  /** Told of every indexing, the first included. */
  onIndexed?: (report: IndexReport) => void;
}

// What an answer brings up to date by itself. More is for `tacit index`, with its progress.
const mostByTheWay = 64;
// A question after a question need not look at every file again.
const everyMs = 1000;

// The nearest of them: a file that everything imports has more dependents than anybody reads.
const mostAskedFor = 2000;

export function openCode(
  from: ProjectStore,
  folder: FolderIdentity | undefined,
  embedding: () => Promise<Embedding>,
): Code {
  const { store, now } = from;
  let queue: Promise<unknown> = Promise.resolve();
  let lookedAt = -Infinity;
  let behind = 0;

  /** One indexing after the other: two at once would read the same files. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = queue.then(work, work);
    queue = turn.catch(() => undefined);
    return turn;
  };

  const findOwnTree = async (reader: Reader): Promise<{ tree?: TreeState; project?: Project }> => {
    const { findTree } = await import("./codegraph/indexing/tree-queries.js");
    const { project } = await findProject(reader, from.project);
    const tree = project && folder && (await findTree(reader, project.number, folder.root));
    return { ...(tree && { tree }), ...(project && { project }) };
  };

  /** Gives what was known of it. */
  const forgetTree = async (): Promise<TreeState | undefined> => {
    const { removeTree } = await import("./codegraph/indexing/tree-queries.js");
    const { tree } = await store.read(findOwnTree);
    if (tree) await store.write(async (writer) => removeTree(writer, tree));
    return tree;
  };

  const runIndex = async (options: IndexOptions): Promise<Indexed> => {
    const { indexTree } = await import("./codegraph/indexing/index-tree.js");
    const indexed = await indexTree(workTreeOf(from, getFolder(folder)), options);
    behind = indexed.behind;
    lookedAt = performance.now();
    await (await joining()).followCode(from, indexed);
    return indexed;
  };

  const index = async ({ history, fresh, ...options }: IndexCodeOptions = {}): Promise<IndexReport> => {
    const begun = performance.now();
    refuseAnyFolder(getFolder(folder));
    await refuseWhenDisabled(from);
    return inTurn(async () => {
      const before = fresh ? await forgetTree() : undefined;
      // What was counted once is counted again.
      const counting = history ?? (before?.countedCommit === undefined ? undefined : true);
      const { tree, changed, removed, linked, moves, isStopped, problems } = await runIndex(options);
      const commits = isStopped ? undefined : await (await joining()).countHistory(store, tree, counting);
      const { listProblems } = await import("./codegraph/indexing/count-tree.js");
      const named = await store.read(async (reader) => listProblems(reader, tree));
      return {
        ...((await readState()) as CodeState),
        changed: changed.length,
        removed: removed.length,
        linked,
        moves,
        isStopped,
        problems: [...problems, ...named],
        ...(commits !== undefined && { commits }),
        tookMs: Math.round(performance.now() - begun),
      };
    });
  };

  /** Brings a few changed files up to date, so that an answer speaks of the code as it is. */
  const catchUp = async (): Promise<string[]> => {
    const { tree } = await store.read(findOwnTree);
    if (!tree) throw notIndexed();
    if (tree.completedAt === undefined) return [incomplete];
    if (performance.now() - lookedAt > everyMs) {
      try {
        await inTurn(() => runIndex({ mostChanges: mostByTheWay }));
      } catch (error) {
        // Somebody else is writing, or the store cannot be written: it is answered from what is known.
        if (!(error instanceof MemoryError)) throw error;
        return [`The index could not be brought up to date: ${error.message}`];
      }
    }
    return behind === 0 ? [] : [`${behind} files have changed since the index was made: run tacit index.`];
  };

  const readState = async (): Promise<CodeState | undefined> => {
    if (!store.exists) return undefined;
    const [{ countTree }, { extractorVersion }] = await Promise.all([
      import("./codegraph/indexing/count-tree.js"),
      import("./codegraph/indexing/extractor-version.js"),
    ]);
    return store.read(async (reader) => {
      const { tree } = await findOwnTree(reader);
      if (!tree) return undefined;
      const { root, commit, branch, indexedAt, completedAt } = tree;
      return {
        root,
        ...(commit !== undefined && { commit }),
        ...(branch !== undefined && { branch }),
        indexedAt,
        isComplete: completedAt !== undefined,
        extractor: extractorVersion,
        ...(await countTree(reader, tree, extractorVersion)),
      };
    });
  };

  /** As of one moment: several statements must not see the graph before and after an indexing. */
  const ask = async <T>(work: (reader: Reader, tree: TreeState, project: Project) => Promise<T>) =>
    store.snapshot(async (reader) => {
      const { tree, project } = await findOwnTree(reader);
      if (!tree || !project) throw notIndexed();
      return work(reader, tree, project);
    });

  const reach = async (
    walk: (reader: Reader, tree: TreeState, target: string) => Promise<Impact>,
    target: string,
  ): Promise<CodeImpact> => {
    const notes = await catchUp();
    const { relativeTo } = await import("./memory/related-file.js");
    return ask(async (reader, tree, project) => {
      const found = await walk(reader, tree, relativeTo(getFolder(folder).root, target));
      const nodes = [...found.target, ...found.dependents.map(({ node }) => node)];
      const memories = await (await joining()).listMemoriesOf(reader, project, nodes.slice(0, mostAskedFor), now());
      return { ...found, memories, notes };
    });
  };

  /** As the index knows them, whatever folder they were named from. */
  const fromRoot = async (files: readonly string[]): Promise<string[]> => {
    const { relativeTo } = await import("./memory/related-file.js");
    const { root } = getFolder(folder);
    return files.map((file) => (file === root ? "." : relativeTo(root, file)));
  };

  const neighbours = async (files: readonly string[]): Promise<Map<string, string[]>> => {
    const { neighbours: listNeighbours } = await import("./codegraph/ask/neighbours.js");
    return store.read(async (reader) => {
      const { tree } = await findOwnTree(reader);
      return tree ? listNeighbours(reader, tree, files) : new Map<string, string[]>();
    });
  };

  return {
    index,
    watch: async ({ onIndexed, ...options } = {}) => {
      const { watchTree } = await import("./codegraph/indexing/watch-tree.js");
      const again = async () => onIndexed?.(await index());
      const watching = await watchTree(getFolder(folder).root, again, options);
      // Only now: what changes from here on is seen by one of the two.
      await again();
      return watching;
    },
    impact: async (target, options) => {
      const { impact } = await import("./codegraph/ask/impact.js");
      return reach(async (reader, tree, wanted) => impact(reader, tree, wanted, options), target);
    },
    dependencies: async (target, options) => {
      const { dependencies } = await import("./codegraph/ask/dependencies.js");
      return reach(async (reader, tree, wanted) => dependencies(reader, tree, wanted, options), target);
    },
    neighbours: async (files) => {
      await catchUp();
      return neighbours(await fromRoot(files));
    },
    exportGraph: async function* exportOwnGraph(options) {
      await catchUp();
      const { exportGraph } = await import("./codegraph/ask/export-graph.js");
      const tree = await ask(async (_reader, own) => own);
      yield* exportGraph(store, tree, options);
    },
    recall: async (question, { mode = "hybrid", ...rest } = {}) => {
      const notes = await catchUp();
      const options = { ...rest, ...(rest.files && { files: await fromRoot(rest.files) }) };
      const [{ searchCode }, { readHit }] = await Promise.all([
        import("./codegraph/chunks/search-code.js"),
        import("./codegraph/chunks/read-hit.js"),
      ]);
      const meaning =
        mode === "words" || !(await ask(hasVectors)) ? undefined : await (await embedding()).embedQuery(question);
      if (meaning && "problem" in meaning) notes.push(meaning.problem);
      const found = await ask(async (reader, tree) =>
        searchCode(reader, tree, question, { ...options, ...(meaning && "vector" in meaning && { meaning }) }),
      );
      const texts = await Promise.all(found.map(async (hit) => readHit(getFolder(folder).root, hit)));
      const hits = found.map((hit, at) => ({ ...hit, ...(texts[at] !== undefined && { text: texts[at] }) }));
      return { hits, notes };
    },
    embed: async (options) => {
      const { embedChunks } = await import("./codegraph/chunks/embed-chunks.js");
      await catchUp();
      const tree = await ask(async (_reader, own) => own);
      const embedder = await (await embedding()).open();
      if (!embedder)
        return {
          embedded: 0,
          pending: 0,
          refused: 0,
          changed: 0,
          failure: "No embedding model is configured.",
          hint: "To choose the bundled one: tacit config set embeddingProvider bundled",
        };
      return embedChunks({ store, tree, embedder, now }, options);
    },
    link: async (which) => {
      if (typeof which === "object" && "ids" in which && which.ids.length === 0) return;
      try {
        const { tree } = await store.read(findOwnTree);
        if (tree) await (await joining()).linkMemories(from, tree, which);
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
      }
    },
    state: readState,
    graph: { neighbours },
  };
}

async function hasVectors(reader: Reader, tree: TreeState): Promise<boolean> {
  return (await import("./codegraph/chunks/list-nearest-chunks.js")).hasVectors(reader, tree);
}

const joining = () => import("./code-and-memories.js");

const incomplete = "The first indexing is not complete: this may be a part of the answer.";

function workTreeOf(from: ProjectStore, { root }: FolderIdentity): WorkTree {
  const { store, project, now } = from;
  return {
    store,
    root,
    now,
    findProject: async (reader) => (await findProject(reader, project)).project?.number,
    ensureProject: async (writer) => (await ensureProject(writer, project, now())).number,
    leaveOut: ownFilesIn(store, root),
    position: async () => {
      // As it is now: what the memory knows may be a second old, and then it is of another branch.
      const { commit, branch } = await identifyFolder(root);
      return { ...(commit !== undefined && { commit }), ...(branch !== undefined && { branch }) };
    },
  };
}

function getFolder(folder: FolderIdentity | undefined): FolderIdentity {
  if (folder) return folder;
  throw new MemoryError(
    "invalid-input",
    "Which folder holds the code of this project is not known: it was only named.",
    "Run it inside the project, or open it with its directory.",
  );
}

/** A home folder or a whole disk is no project, and would take hours. */
function refuseAnyFolder({ root, gitKey }: FolderIdentity): void {
  if (gitKey !== undefined || (root !== homedir() && root !== parse(root).root)) return;
  throw new MemoryError(
    "invalid-input",
    `${root} is no project: it holds everything of a user.`,
    "Run tacit index in the folder of a project.",
  );
}

function notIndexed(): MemoryError {
  return new MemoryError("node-not-found", "The code of this folder is not indexed.", "Run: tacit index");
}

/** The files of the store, where they lie in the work tree: indexing changes them, and would never come to rest. */
function ownFilesIn({ location }: Store, root: string): ReadonlySet<string> {
  if (location.kind !== "file") return new Set();
  const path = relativeTo(root, resolve(location.path));
  return new Set(["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix));
}
