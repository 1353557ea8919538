import { readProject, writeProject, type ProjectContext } from "../../project/project.js";
import { isFolderNoted, noteFolder } from "./memory-file-queries.js";

/** Notes that a folder holds files of the project, before any are written: a later purge finds them, wherever they lie. */
export async function ensureNoted(context: ProjectContext, folder: string): Promise<void> {
  if (await readProject(context, false, (reader, project) => isFolderNoted(reader, project, folder))) return;
  await writeProject(context, (writer, project) => noteFolder(writer, project, folder));
}
