/**
 * code-memory: the code of a work tree and the memories about it, put together.
 *
 * Memories are linked to files and symbols and follow them when they move; patterns and decisions are nodes of the graph;
 * what a memory says is compared with the code, and what may no longer be true is said. Modules and the repository map are
 * read with the memories about them. It refuses reading source by itself (codegraph), ranking (retrieval), and rewriting or
 * hiding a memory because code has changed.
 */
import type { ConceptKind } from "../base/ids/ids.js";
import type { ExportGraphOptions } from "../codegraph/export/export.js";
import type { CodeOverview, Impact, ImpactOptions } from "../codegraph/ask/ask.js";
import type { EmbedChunksOptions, EmbedChunksReport } from "../codegraph/chunks/chunks.js";
import type { CodeHit, SearchCodeOptions } from "../codegraph/search/search.js";
import type { Moves, TreeCounts } from "../codegraph/tree/tree.js";
import type { Indexed, IndexOptions, Watching, WatchOptions } from "../codegraph/indexing/indexing.js";
import type { DrawnMap } from "../codegraph/map/map.js";
import type { ScipReport } from "../codegraph/scip/scip.js";
import type { ChangeSubscriber } from "../memory/change/change.js";
import type { Memory } from "../memory/memory.js";
import type { CodeGraph } from "../retrieval/candidates/code-graph.js";

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
  /** A SCIP index, as bytes or as the path of a file: what it says of the files as they are now is taken in. */
  scip?: string | Uint8Array;
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
  /** What became of the SCIP index that was given. */
  scip?: ScipReport & { /** Edges that now come from such an index. */ edges: number };
  tookMs: number;
}

/** A pattern or a decision that concerns what was asked about. */
export interface ImpactConcept {
  /** `pattern:retry` */
  id: string;
  kind: ConceptKind;
  name: string;
  /** True where only agents that nobody watched have spoken of it. */
  isUnverified: boolean;
  /** The place by which it does. */
  on: string;
  confidence: number;
}

/** What depends on something, and what is known about it. */
export interface CodeImpact extends Impact {
  /** The memories that hang on the target or on what depends on it, each with the node it hangs on. */
  memories: { memory: Memory; on: string; by: string; confidence: number }[];
  /** The patterns that the target is built by, and the decisions about it; their memories are among these. */
  concepts: ImpactConcept[];
  /** Whether the last step still found something: more may lie beyond that depth. */
  mayGoOn: boolean;
  /** What a reader should know: that the index is not complete, that files have changed since. */
  notes: string[];
}

/** Which memories to look at: all of the project, these, or those of files that changed. */
export type MemoriesToLink = "all" | { keys: readonly number[] } | { files: readonly string[] };

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
  /** Follows changes of memories, and links them to the symbols that they name. */
  links: ChangeSubscriber;
  /** What a reader of the graph should know: that it is not complete, that files have changed since. Looks at the files first. */
  notes: () => Promise<string[]>;
  /** What there is in the code, in figures and examples. Refuses before the first indexing, and in a home folder. */
  overview: () => Promise<CodeOverview>;
  /** Undefined before the first indexing. */
  state: () => Promise<CodeState | undefined>;
  /** What recall asks. */
  graph: CodeGraph;
}

export interface RecallCodeOptions extends Omit<SearchCodeOptions, "queryVector"> {
  /** Compare words only. */
  mode?: "words" | "hybrid";
}

export interface CodeAnswer {
  /** Best first, each with its lines, unless the file has changed or gone since. */
  hits: (CodeHit & { text?: string })[];
  notes: string[];
}

/** What a map of the code is drawn for. */
export interface RepositoryMapOptions {
  /** How many model tokens its text may take. Default 1,000. */
  tokens?: number;
  /** Files in play: what lies near them comes first. */
  files?: readonly string[];
  /** What is to be done, in words. */
  prompt?: string;
}

/** The most central definitions of the code, grouped by file, as many as there is room for. */
export interface RepositoryMap extends DrawnMap {
  notes: string[];
}

export interface WatchCodeOptions extends Pick<WatchOptions, "quietMs" | "onError"> {
  /** Told of every indexing, the first included. */
  onIndexed?: (report: IndexReport) => void;
  /** Stops the indexing that runs, and ends the watching. */
  signal?: AbortSignal;
}
