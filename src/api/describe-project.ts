import type { FolderIdentity } from "../project/folder/identify-folder.js";
import { findProject, isAccepted, keysOf, listProjectKeys, type ProjectContext } from "../project/project.js";

export interface ProjectIdentity {
  /** Undefined until the first write creates it, unless it was given. */
  id?: string;
  /** For people: the last part of the remote, the folder's name, or the given id. */
  name: string;
  /** What Tacit recognises it by: `remote:…`, `git:…`, `path:…`. */
  keys: string[];
  /** True where a person has said that what lies in this folder counts: what it shares, and its settings. */
  isAccepted: boolean;
  /** Set when Tacit is in doubt, with what to do. */
  notice?: string;
}

/**
 * Which project it is, and how it is recognised.
 *
 * @internal
 */
export async function describeProject(context: ProjectContext, folder: FolderIdentity): Promise<ProjectIdentity> {
  return context.store.read(async (reader) => {
    const { project, notice } = await findProject(reader, context.project);
    const given = "id" in context.project ? context.project.id : undefined;
    const id = project?.id ?? given;
    return {
      ...(id !== undefined && { id }),
      name: project?.name ?? given ?? folder.name,
      keys: project ? await listProjectKeys(reader, project) : given === undefined ? keysOf(folder) : [],
      isAccepted: project !== undefined && (await isAccepted(reader, project, folder)),
      ...(notice !== undefined && { notice }),
    };
  });
}
