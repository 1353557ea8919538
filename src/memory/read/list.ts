import { checkFilter } from "./check-filter.js";
import { listMemories, type ListQuery } from "./memory-queries.js";
import type { Memory } from "../memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import { withRelativeFiles } from "./relative-to.js";

/** Everything that the filter lets through, newest or most used first. No limit unless one is given. */
export async function list(context: ProjectContext, query: ListQuery): Promise<Memory[]> {
  checkFilter("list()", query);
  const filter = await withRelativeFiles(context, query);
  return readProject(context, [], async (reader, project) => listMemories(reader, project, filter, context.now()));
}
