import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { stateTag } from "../signals/work-state.js";

/** The keys of the states of work that observing led to and that nothing has replaced. */
export async function listWorkStates(reader: Reader, project: Project): Promise<number[]> {
  const rows = await reader.rows(
    `SELECT m.key FROM memory_facets AS f CROSS JOIN memories AS m ON m.key = f.memory_key
     WHERE f.project_number = :project AND f.kind = 'tag' AND f.value = :tag
       AND m.type = 'work_state' AND m.source = 'observer_inferred' AND m.forgotten_at IS NULL AND m.valid_until IS NULL
       AND m.expires_at IS NULL`,
    { project: BigInt(project.number), tag: stateTag },
  );
  return rows.map((row) => Number(row["key"]));
}
