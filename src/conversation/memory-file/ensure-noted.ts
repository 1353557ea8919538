import { readProject, writeProject, type ProjectStore } from "../../project/project-context.js";
import { isFolderNoted, noteFolder } from "./layer-queries.js";

/** Notes that a folder holds files of the project, before any are written: a later purge finds them, wherever they lie. */
export async function ensureNoted(from: ProjectStore, folder: string): Promise<void> {
  if (await readProject(from, false, (reader, project) => isFolderNoted(reader, project, folder))) return;
  await writeProject(from, (writer, project) => noteFolder(writer, project, folder));
}
