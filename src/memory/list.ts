import { checkFilter } from "./check-input.js";
import { listMemories, type ListQuery } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { readProject, type ProjectStore } from "../project/project-context.js";
import { withRelativeFiles } from "./related-file.js";

/** Everything that the filter lets through, newest or most used first. No limit unless one is given. */
export async function list(from: ProjectStore, query: ListQuery): Promise<Memory[]> {
  checkFilter("list()", query);
  const filter = await withRelativeFiles(from, query);
  return readProject(from, [], async (reader, project) => listMemories(reader, project, filter, from.now()));
}
