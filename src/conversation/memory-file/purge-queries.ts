import { shortId } from "../../base/ids/ids.js";
import { keyRange } from "../../memory/read/read.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { PurgedMemory } from "./without-purged.js";

/** What was taken from these turns, and from no other: it was said there, and goes with them. */
export async function listTakenFrom(reader: Reader, keys: readonly number[]): Promise<{ key: number; id: string }[]> {
  const rows = await reader.rows(
    `SELECT DISTINCT f.key, f.id
     FROM json_each(:keys) AS k JOIN memories AS t ON t.key = k.value
       JOIN memory_relations AS r ON r.target_memory = t.id
       JOIN memories AS f ON f.key = r.memory_key
     WHERE t.type = 'conversation' AND r.kind = 'derived_from' AND r.automatic = 1
       -- Known before, or from elsewhere, it was only said again.
       AND f.session_id = t.session_id AND f.type NOT IN ('conversation', 'archive')
       -- What a person has pinned, verified or worded anew is theirs by now.
       AND f.pinned = 0 AND f.user_verified = 0
       AND NOT EXISTS (SELECT 1 FROM memory_changes AS c WHERE c.memory_key = f.key AND c.verb = 'edited')
       AND NOT EXISTS (
         SELECT 1 FROM memory_relations AS o JOIN memories AS s ON s.id = o.target_memory
         WHERE o.memory_key = f.key AND o.kind = 'derived_from' AND s.type = 'conversation'
           AND s.key NOT IN (SELECT value FROM json_each(:keys)))`,
    { keys: JSON.stringify(keys) },
  );
  return rows.map((row) => ({ key: Number(row["key"]), id: String(row["id"]) }));
}

/** What these memories say, and have said; of the whole project where none are named. */
export async function listSaid(
  reader: Reader,
  project: Project,
  keys?: readonly number[],
): Promise<Omit<PurgedMemory, "isEverywhere">[]> {
  const rows = await reader.rows(
    `SELECT m.id, m.content,
       (SELECT json_group_array(json_extract(c.fields, '$.content')) FROM memory_changes AS c WHERE c.memory_key = m.key) AS former
     FROM memories AS m
     WHERE m.key BETWEEN :first AND :last AND m.type NOT IN ('conversation', 'archive')
       AND (:keys IS NULL OR m.key IN (SELECT value FROM json_each(:keys)))`,
    { ...keyRange(project), keys: keys === undefined ? null : JSON.stringify(keys) },
  );
  return rows.map((row) => {
    const former = JSON.parse(String(row["former"])) as ((string | null)[] | null)[];
    const texts = [String(row["content"]), ...former.flatMap((change) => change ?? [])];
    return {
      shortId: shortId(String(row["id"])),
      texts: [...new Set(texts.filter((text) => text !== null && text !== ""))] as string[],
    };
  });
}

/** The keys of every archive of the project that leads to turns. */
export async function listArchiveKeys(reader: Reader, project: Project): Promise<number[]> {
  const rows = await reader.rows(
    "SELECT memory_key FROM conversation_archives WHERE memory_key BETWEEN :first AND :last",
    keyRange(project),
  );
  return rows.map((row) => Number(row["memory_key"]));
}
