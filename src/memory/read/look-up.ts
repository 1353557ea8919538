import { checkReference, findMemory, findMemoryOrForgotten } from "./get-memory.js";
import type { Memory } from "../memory.js";
import { type ProjectContext, readProject, userProject } from "../../project/project.js";

/** The memory that a reference means, of this project or else of what is true everywhere: recall shows both. */
export async function lookUp(
  context: ProjectContext,
  reference: string,
  { forgotten = false }: { forgotten?: boolean } = {},
): Promise<Memory | undefined> {
  checkReference(reference);
  const find = forgotten ? findMemoryOrForgotten : findMemory;
  for (const project of [context.project, { id: userProject }]) {
    const found = await readProject({ ...context, project }, undefined, async (reader, known) =>
      find(reader, known, reference, context.now()),
    );
    if (found && (forgotten || found.memory.status !== "forgotten")) return found.memory;
  }
  return undefined;
}
