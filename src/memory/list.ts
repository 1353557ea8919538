import { MemoryError } from "../base/memory-error.js";
import { listMemories, type ListQuery } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { readProject, type ProjectStore } from "./project-store.js";
import { withRelativeFiles } from "./related-file.js";

/** Everything that the filter lets through, newest or most used first. No limit unless one is given. */
export async function list(from: ProjectStore, query: ListQuery): Promise<Memory[]> {
  checkLimit(query.limit);
  const filter = await withRelativeFiles(from, query);
  return readProject(from, [], async (reader, project) => listMemories(reader, project, filter, from.now()));
}

export function checkLimit(limit: number | undefined): void {
  if (limit === undefined || (Number.isInteger(limit) && limit >= 0)) return;
  throw new MemoryError("invalid-input", "limit must be a whole number from 0.", "Leave it out for all that match.");
}
