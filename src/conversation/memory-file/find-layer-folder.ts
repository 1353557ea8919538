import { join } from "node:path";
import { readProject, type ProjectStore } from "../../project/project-context.js";
import { layerFolder } from "./layer-place.js";

export const memoryFileName = "MEMORY.md";

/** Where files and stores are by themselves. */
export interface LayerHome {
  home: string;
  root: string;
}

/** Where a project's files are; undefined for one that nothing was written to. */
export async function findLayerFolder(
  from: ProjectStore,
  { home, root }: LayerHome,
  memoryFolder: string | null,
): Promise<string | undefined> {
  const { location } = from.store;
  const db = location.kind === "file" ? location.path : location.kind === "remote" ? location.url : ":memory:";
  const isOwn = db === join(home, "memory.db");
  return readProject(from, undefined, async (_reader, { id }) =>
    layerFolder({ home, root, memoryFolder, projectId: id, ...(!isOwn && { db }) }),
  );
}
