import { type Project, type ProjectContext, writeProject } from "../../project/project.js";
import type { Writer } from "../../storage/storage.js";
import { notFound } from "../read/get-memory.js";

/** Changes a memory that is there. In a store that does not exist there is none, and looking creates no file. */
export async function changeMemory<T>(
  context: ProjectContext,
  reference: string,
  work: (writer: Writer, project: Project) => Promise<T>,
): Promise<T> {
  if (!context.store.exists) throw notFound(reference, undefined);
  return writeProject(context, work);
}
