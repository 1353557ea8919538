import type { Reader } from "../../storage/storage.js";
import { findProject, type Project, type ProjectContext, userProject } from "../../project/project.js";

const dayMs = 86_400_000;

/** This project and the user's own, where they were not pruned for a day. */
export async function listPruningDue(reader: Reader, { project: hint, now }: ProjectContext): Promise<Project[]> {
  const rows = await reader.rows("SELECT number FROM projects WHERE ifnull(pruned_at, '') <= :yesterday", {
    yesterday: new Date(now().getTime() - dayMs).toISOString(),
  });
  const due = new Set(rows.map((row) => Number(row["number"])));
  const found = [await findProject(reader, hint), await findProject(reader, { id: userProject })];
  return found.flatMap(({ project }) => (project && due.delete(project.number) ? [project] : []));
}
