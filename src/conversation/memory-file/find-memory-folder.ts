import { join } from "node:path";
import { readProject, type ProjectContext } from "../../project/project.js";
import { memoryFolderPath } from "./memory-folder-path.js";

export const memoryFileName = "MEMORY.md";

/** Where files and stores are by themselves. */
export interface MemoryFolderHome {
  home: string;
  root: string;
}

/** Where a project's files are; undefined for one that nothing was written to. */
export async function findMemoryFolder(
  context: ProjectContext,
  { home, root }: MemoryFolderHome,
  memoryFolder: string | null,
): Promise<string | undefined> {
  const { location } = context.store;
  const db = location.kind === "file" ? location.path : location.kind === "remote" ? location.url : ":memory:";
  const isOwn = db === join(home, "memory.db");
  return readProject(context, undefined, async (_reader, { id }) =>
    memoryFolderPath({ home, root, memoryFolder, projectId: id, ...(!isOwn && { db }) }),
  );
}
