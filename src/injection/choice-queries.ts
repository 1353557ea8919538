import { earnedConfidenceSql, halfLifeSql, lastUsedSql } from "../memory/decay.js";
import { filterConditions } from "../memory/memory-filter.js";
import { keyRange, listByKeys } from "../memory/memory-queries.js";
import type { Memory, MemoryFilter } from "../memory/memory.js";
import type { Project } from "../memory/projects.js";
import type { Reader, Row, SqlArgs } from "../storage/storage.js";

/** How sure a memory has to be, and whether somebody must have looked at it. */
export interface Floor {
  minConfidence: number;
  includeUnverified?: boolean;
}

export interface AtStartQuery extends Floor {
  /** Types that are not told at the start of a session. */
  without: readonly string[];
  /** Types that come wherever they are filed. */
  anywhere: readonly string[];
  /** Of each type. */
  most: number;
}

/**
 * What is true of the project as a whole, filed under no file and no module: of each type the best, pinned ones first; of
 * the types that come anywhere, the newest work state and the best of the others.
 */
export async function listAtStart(
  reader: Reader,
  project: Project,
  { without, anywhere, most, ...floor }: AtStartQuery,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = surelyTold({}, floor, project, now);
  const rows = await reader.rows(
    // First what can be told from the row alone, by their keys in the order of the file: 64 ms for 100,000 memories, where
    // all conditions at once take 115 and an index that leads to every row 120 (2026-11).
    `WITH wide (key) AS (
       SELECT key FROM memories AS m
       WHERE m.key BETWEEN :first AND :last
         AND m.type NOT IN (SELECT value FROM json_each(:without))
         AND (m.related_files = '[]' AND m.related_modules = '[]' AND m.scope = 'global'
           OR m.type IN (SELECT value FROM json_each(:anywhere)))
         AND m.forgotten_at IS NULL AND m.valid_until IS NULL
       ORDER BY m.pinned DESC, m.key DESC LIMIT :wide)
     SELECT key FROM (
       SELECT m.key, row_number() OVER (PARTITION BY m.type ORDER BY m.pinned DESC,
         CASE m.type WHEN 'work_state' THEN julianday(m.created_at) ELSE ${roughWorth} END DESC, m.key DESC) AS place
       FROM wide CROSS JOIN memories AS m ON m.key = wide.key
       WHERE +${conditions.join(" AND ")})
     WHERE place <= :most ORDER BY place`,
    {
      ...args,
      ...keyRange(project),
      without: JSON.stringify(without),
      anywhere: JSON.stringify(anywhere),
      wide: BigInt(mostWide),
      most: BigInt(most),
    },
  );
  return memoriesOf(reader, project, rows, now);
}

// Chosen, not measured. Pinned ones first, then the newest; an older one beyond that is not told at a start.
const mostWide = 1000;

/** Of two equally sure memories the one that was used, then the newer one: a year halves it. */
const roughWorth = `m.confidence * (1 + 0.1 * min(m.access_count, 5))
  / (1 + max(0, julianday(:now) - julianday(m.created_at)) / 365)`;

/** Memories of these types that are filed under one of these files, or under what it defines; the newest, so many at most. */
export async function listOfFiles(
  reader: Reader,
  project: Project,
  { files, types, most, ...floor }: Floor & { files: readonly string[]; types: string[]; most: number },
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = surelyTold({ types }, floor, project, now);
  const rows = await reader.rows(
    // What src/a.ts defines lies between "src/a.ts#" and "src/a.ts$", which is the next character.
    `WITH filed (key) AS (
       SELECT f.memory_key FROM json_each(:files) AS file CROSS JOIN memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'file' AND f.value = file.value
       UNION
       SELECT f.memory_key FROM json_each(:files) AS file CROSS JOIN memory_facets AS f
       WHERE f.project_number = :project AND f.kind = 'node' AND f.value > file.value || '#' AND f.value < file.value || '$')
     SELECT m.key FROM filed CROSS JOIN memories AS m ON m.key = filed.key
     WHERE +${conditions.join(" AND ")}
     ORDER BY m.created_at DESC, m.key DESC LIMIT :most`,
    { ...args, files: JSON.stringify(files), most: BigInt(most) },
  );
  return memoriesOf(reader, project, rows, now);
}

/** What a session itself has kept and is no turn of a conversation, the newest first. */
export async function listOfSession(
  reader: Reader,
  project: Project,
  { sessionId, without, most, ...floor }: Floor & { sessionId: string; without: readonly string[]; most: number },
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = surelyTold({}, floor, project, now);
  const rows = await reader.rows(
    `SELECT m.key FROM memories AS m
     WHERE ${conditions.join(" AND ")} AND m.session_id = :session
       AND m.type NOT IN (SELECT value FROM json_each(:without))
     ORDER BY m.created_at DESC, m.key DESC LIMIT :most`,
    { ...args, session: sessionId, without: JSON.stringify(without), most: BigInt(most) },
  );
  return memoriesOf(reader, project, rows, now);
}

/**
 * Leaves out in SQL what will not be told, which would take the places of what can: as `mayBeTold` says, but for what is
 * left of a confidence to the thousandth.
 */
function surelyTold(
  filter: MemoryFilter,
  { minConfidence, includeUnverified = false }: Floor,
  project: Project,
  now: Date,
): { conditions: string[]; args: SqlArgs } {
  const { conditions, args } = filterConditions({ ...filter, includeTainted: false }, project, now);
  const unusedDays = `julianday(:now) - julianday(${lastUsedSql})`;
  return {
    conditions: [
      ...conditions,
      ...(includeUnverified ? [] : [isLookedAt]),
      `${earnedConfidenceSql} >= :minConfidence - ${rounding}`,
      `ifnull(${unusedDays} <= :mostHalfLives * (${halfLifeSql}) + ${rounding}, 1)`,
    ],
    args: { ...args, minConfidence, mostHalfLives: Math.log2(1 / Math.max(minConfidence, rounding)) },
  };
}

const rounding = 0.001;
// Ten uses without a correction settle a review; the memory room says which, and `mayBeTold` asks it.
const isLookedAt = "(m.review_state <> 'pending' OR m.user_verified = 1 OR m.uses_since_correction > 0)";

async function memoriesOf(reader: Reader, project: Project, rows: readonly Row[], now: Date): Promise<Memory[]> {
  const keys = rows.map((row) => Number(row["key"]));
  return (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
}
