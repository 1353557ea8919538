import type { Source } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** What a memory of the project says, and who vouches for it. */
export interface KnownClaims {
  content: string;
  updatedAt: string;
  userVerified: boolean;
  pinned: boolean;
  source: Source;
}

/** Of those of these ids that the project has. */
export async function listKnownClaims(
  reader: Reader,
  project: Project,
  ids: readonly string[],
): Promise<Map<string, KnownClaims>> {
  const rows = await reader.rows(
    `SELECT m.id, m.content, m.updated_at, m.user_verified, m.pinned, m.source
     FROM json_each(:ids) AS wanted CROSS JOIN memories AS m ON m.id = wanted.value
     WHERE m.project_number = :project`,
    { ids: JSON.stringify(ids), project: project.number },
  );
  return new Map(
    rows.map((row) => [
      String(row["id"]),
      {
        content: String(row["content"]),
        updatedAt: String(row["updated_at"]),
        userVerified: row["user_verified"] === 1,
        pinned: row["pinned"] === 1,
        source: String(row["source"]) as Source,
      },
    ]),
  );
}
