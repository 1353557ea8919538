import type { Caller } from "../base/actor.js";
import { MemoryError } from "../base/memory-error.js";
import type { Embedder } from "../embedding/embedding.js";
import type { MethodologyPlugin } from "../methodology/methodology.js";
import type { OwnModels } from "../retrieval/open-models.js";
import { checkCaller } from "./judge-caller.js";

export interface OpenOptions extends OwnModels {
  /** The database file, `:memory:`, or the URL of a libSQL server. Default `$TACIT_HOME/memory.db`. */
  db?: string;
  /** The project's id, any string. Default: found from `directory`. */
  project?: string;
  /** The folder whose project this is. Default: the working directory. */
  directory?: string;
  /** Who is behind the calls: how far they are trusted depends on it. Default: a program. `memory.as()` is for another one. */
  actor?: Caller;
  /** How long a write may wait for another process, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** Ways of working beside the built-in one: their phases, roles, work units and types of memory. */
  methodologies?: MethodologyPlugin[];
  /** The clock, for tests and replays. */
  now?: () => Date | number;
}

export const defaultTimeoutMs = 10_000;

/** A lone surrogate would be stored as U+FFFD, and two projects would become one. */
function isStorable(project: unknown): boolean {
  return typeof project === "string" && project.trim() !== "" && !/\0|\p{Surrogate}/u.test(project);
}

const knownOptions = [
  "db",
  "project",
  "directory",
  "actor",
  "timeoutMs",
  "now",
  "embedder",
  "languageModel",
  "reranker",
  "codeGraph",
  "methodologies",
];

/** Refuses options that nobody knows, or that cannot be meant. */
export function checkOptions(options: OpenOptions): void {
  const { project, timeoutMs = defaultTimeoutMs, embedder } = options ?? {};
  const unknown = Object.keys(options ?? { null: 1 }).find((name) => !knownOptions.includes(name));
  if (unknown !== undefined) {
    // A misspelt `db` would otherwise open the user's own store.
    const hint = `Known options: ${knownOptions.join(", ")}.`;
    throw new MemoryError("invalid-input", `openMemory() does not know the option ${JSON.stringify(unknown)}.`, hint);
  }
  if (project !== undefined && !isStorable(project)) {
    throw new MemoryError(
      "invalid-input",
      "The project's id is empty or no text.",
      "Use any text, for example my-app.",
    );
  }
  if (!(Number.isFinite(timeoutMs) && timeoutMs >= 0)) {
    throw new MemoryError("invalid-input", "timeoutMs must be a number from 0.", "Leave it out for 10 seconds.");
  }
  if (options?.now !== undefined && typeof options.now !== "function") {
    throw new MemoryError("invalid-input", "now must be a function.", "For example () => new Date().");
  }
  if (options?.actor !== undefined) checkCaller(options.actor);
  if (embedder) checkEmbedder(embedder);
}

function checkEmbedder(embedder: Embedder): void {
  const { modelId, dimensions } = embedder;
  const isEmbedder = typeof modelId === "string" && modelId !== "" && Number.isInteger(dimensions) && dimensions >= 1;
  if (isEmbedder && typeof embedder.embed === "function") return;
  throw new MemoryError(
    "invalid-input",
    "The embedder lacks a modelId, or dimensions as a whole number from 1, or a function embed.",
    'Give for example { modelId: "mine:small:384", dimensions: 384, embed: async (texts) => … }, or null for none.',
  );
}
