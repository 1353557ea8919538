import type { FolderIdentity } from "../project/folder/identify-folder.js";
import { findProject, keysOf, listProjectKeys, type ProjectContext } from "../project/project.js";
import type { ProjectIdentity } from "./tacit-memory.js";

/** Which project it is, and how it is recognised. */
export async function describeProject(context: ProjectContext, folder: FolderIdentity): Promise<ProjectIdentity> {
  return context.store.read(async (reader) => {
    const { project, notice } = await findProject(reader, context.project);
    const given = "id" in context.project ? context.project.id : undefined;
    const id = project?.id ?? given;
    return {
      ...(id !== undefined && { id }),
      name: project?.name ?? given ?? folder.name,
      keys: project ? await listProjectKeys(reader, project) : given === undefined ? keysOf(folder) : [],
      ...(notice !== undefined && { notice }),
    };
  });
}
