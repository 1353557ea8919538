import type { Project } from "../../project/project.js";
import { changeMemories } from "../change/change-memories.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import type { MemoryContext } from "../change/memory-context.js";
import { notFound } from "../read/get-memory.js";

/** Changes a memory that is there. In a store that does not exist there is none, and looking creates no file. */
export async function changeMemory<T>(
  context: MemoryContext,
  reference: string,
  work: (writer: MemoryWriter, project: Project) => Promise<T>,
): Promise<T> {
  if (!context.store.exists) throw notFound(reference, undefined);
  return changeMemories(context, work);
}
