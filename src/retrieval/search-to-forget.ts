import type { RecallOptions } from "./retrieval.js";

/**
 * How to search for what is to be forgotten: by the words that were named, since a like meaning is no reason to forget, and
 * in this project only, since what holds everywhere is not for one project to forget. It counts as no query.
 *
 * @example
 * const found = await memory.recall("old build", { ...searchToForget, limit: 10 });
 */
export const searchToForget = {
  mode: "words",
  includeUser: false,
  explicit: false,
} as const satisfies RecallOptions;
