import type { ProjectContext, ProjectHint } from "../../project/project.js";
import { isSpoolOf, listSpools, removeSpool, type SpoolInfo } from "./list-spools.js";
import type { SpoolPlace } from "./spool-place.js";

/**
 * Purges, and removes what was noted of the same project's sessions, or of all of the store, which is no less than what
 * was made of it.
 */
export async function purgeWithSpools<T>(
  context: ProjectContext,
  place: SpoolPlace,
  whose: "project" | "all",
  purge: () => Promise<T>,
): Promise<T> {
  const spools = (await listSpools(place.home)).filter(({ db }) => db === place.db);
  // Before: afterwards nobody knows any more which work trees were the project's.
  const doomed = whose === "all" ? spools : await listOfProject(context, place, spools);
  const purged = await purge();
  for (const spool of doomed) await removeSpool(spool);
  return purged;
}

async function listOfProject(context: ProjectContext, place: SpoolPlace, spools: SpoolInfo[]): Promise<SpoolInfo[]> {
  // Only here: hooks load this file with those beside it, and would load both at every call of a tool.
  const [{ identifyFolder }, { findProject }] = await Promise.all([
    import("../../project/folder/identify-folder.js"),
    import("../../project/project.js"),
  ]);
  const hinted = await Promise.all(
    spools.map(async (spool) => {
      const { root, project: id } = spool;
      const hint: ProjectHint = id === undefined ? { folder: await identifyFolder(root) } : { id };
      return { spool, hint };
    }),
  );
  return context.store.read(async (reader) => {
    const { project } = await findProject(reader, context.project);
    const own: SpoolInfo[] = [];
    for (const { spool, hint } of hinted) {
      const isOwn = project !== undefined && (await findProject(reader, hint)).project?.number === project.number;
      // A project that nothing was written to yet is known by its place alone.
      if (isOwn || isSpoolOf(spool, place)) own.push(spool);
    }
    return own;
  });
}
