import type { CodeImpact, CodeState, RepositoryMap, RepositoryMapOptions } from "../code-memory/code-memory.js";
import type { WatchCodeOptions } from "../code-memory/code-memory.js";
import type { Concepts } from "../code-memory/concepts/concept.js";
import type { Describing } from "../code-memory/modules/module.js";
import type { CodeOverview, ImpactOptions } from "../codegraph/ask/ask.js";
import type { EmbedChunksOptions, EmbedChunksReport } from "../codegraph/chunks/chunks.js";
import type { Watching } from "../codegraph/indexing/indexing.js";
import { conceptsOf } from "./judged-verbs.js";
import type { Parts } from "./parts.js";

/** The code of the work tree, its modules, and the patterns and decisions that memories tie to it. */
export interface MemoryCode extends Concepts, Describing {
  /** Keeps the index in step with the files until it is closed. */
  watch(options?: WatchCodeOptions): Promise<Watching>;
  /** What a file, a folder or a symbol needs. */
  dependencies(target: string, options?: ImpactOptions): Promise<CodeImpact>;
  /** For each of these files those that it is tied to, nearest first. */
  neighbours(files: readonly string[]): Promise<Map<string, string[]>>;
  /**
   * The most central definitions of the code on a page of so many tokens, for a prompt, for active files, or for where work
   * goes on: each the line that defines it, as its file stands now. Quoted data. Refuses before the first indexing.
   */
  map(options?: RepositoryMapOptions): Promise<RepositoryMap>;
  /** Gives every chunk of the code a vector, so that semantic search finds it too. */
  embed(options?: EmbedChunksOptions): Promise<EmbedChunksReport>;
  /** What a reader of the graph should know: that it is not complete, that files have changed since. */
  notes(): Promise<string[]>;
  /** How the index stands; undefined before the first indexing. */
  state(): Promise<CodeState | undefined>;
  /** Languages, counts, the files that most others import, and those that change together. Refuses before the first indexing. */
  overview(): Promise<CodeOverview>;
}

/** @internal */
export function bindCode(parts: Parts): MemoryCode {
  const { watch, dependencies, neighbours, embed, notes, state, overview } = parts.code;
  const reading = () => import("../code-memory/modules/read-module.js");
  return {
    watch,
    dependencies,
    neighbours,
    map: async (options) =>
      (await import("../code-memory/map/draw-repository-map.js")).drawRepositoryMap(parts, options),
    embed,
    notes,
    state,
    overview,
    modules: async () => (await reading()).listModules(parts),
    module: async (...args) => (await reading()).readModule(parts, ...args),
    describeModules: async (options) =>
      (await import("../code-memory/modules/describe-modules.js")).describeModules(parts, options),
    ...conceptsOf(parts).verbs,
  };
}
