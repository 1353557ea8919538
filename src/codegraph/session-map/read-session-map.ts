import { findStoredMap } from "./session-map-queries.js";
import { findTree } from "../tree/tree-queries.js";
import { findProject, type ProjectContext } from "../../project/project.js";

/**
 * The map that was kept for the start of a session, with its heading. Reads one row: drawing one takes longer than an agent
 * may wait. Undefined where nothing was kept, and until all of the code is in.
 */
export async function readSessionMap(context: ProjectContext): Promise<string | undefined> {
  const { root } = await context.folder();
  const kept = await context.store.read(async (reader) => {
    const { project } = await findProject(reader, context.project);
    const tree = project && (await findTree(reader, project.number, root));
    return tree?.completedAt === undefined ? undefined : findStoredMap(reader, tree);
  });
  return kept && kept.text !== "" ? `${mapHeading(kept.madeAt)}\n${kept.text}` : undefined;
}

/** What stands above a map. */
export function mapHeading(madeAt: string): string {
  return `A part of the code, as of ${madeAt.slice(0, 10)}: files that are central or changed lately, with what they define.`;
}
