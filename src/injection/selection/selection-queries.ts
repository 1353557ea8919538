import { keyRange } from "../../memory/read/read.js";
import type { Memory, Source } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { Recipient } from "../eligibility/is-eligible.js";
import { memoriesOf, roughlyEligible, eligibleConditions } from "../eligibility/eligibility-queries.js";

export interface AtStartQuery {
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
  { without, anywhere, most }: AtStartQuery,
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({}, listener, project, now);
  const rows = await reader.rows(
    // First what can be told from the row alone, by their keys in the order of the file: 138 ms for 100,000 memories on a busy
    // machine, where all conditions at once take 346 (2026-11). What has faded still takes places there.
    `WITH wide (key) AS (
       SELECT key FROM memories AS m
       WHERE m.key BETWEEN :first AND :last
         AND m.type NOT IN (SELECT value FROM json_each(:without))
         AND (m.related_files = '[]' AND m.related_modules = '[]' AND m.scope = 'global'
           OR m.type IN (SELECT value FROM json_each(:anywhere)))
         AND m.forgotten_at IS NULL AND m.valid_until IS NULL
         AND (m.expires_at IS NULL OR m.expires_at > :now)
         AND ${roughlyEligible(listener)}
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
      wide: BigInt(maxWide),
      most: BigInt(most),
    },
  );
  return memoriesOf(reader, project, rows, now);
}

// Chosen, not measured. Pinned ones first, then the newest; an older one beyond that is not told at a start.
const maxWide = 1000;

/** Of two equally sure memories the one that was used, then the newer one: a year halves it. */
const roughWorth = `m.confidence * (1 + 0.1 * min(m.access_count, 5))
  / (1 + max(0, julianday(:now) - julianday(m.created_at)) / 365)`;

/** Memories of these types that are filed under one of these files, or under what it defines; the newest, so many at most. */
export async function listOfFiles(
  reader: Reader,
  project: Project,
  { files, types, most }: { files: readonly string[]; types: string[]; most: number },
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({ types }, listener, project, now);
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

export interface OfSessionQuery {
  sessionId: string;
  without: readonly string[];
  /** Who said it; absent: anybody. */
  sources?: Source[];
  most: number;
}

/** What a session itself has kept and is no turn of a conversation, the newest first. */
export async function listOfSession(
  reader: Reader,
  project: Project,
  { sessionId, without, sources, most }: OfSessionQuery,
  listener: Recipient,
  now: Date,
): Promise<Memory[]> {
  const { conditions, args } = eligibleConditions({ ...(sources && { sources }) }, listener, project, now);
  const rows = await reader.rows(
    `SELECT m.key FROM memories AS m
     WHERE ${conditions.join(" AND ")} AND m.session_id = :session
       AND m.type NOT IN (SELECT value FROM json_each(:without))
     ORDER BY m.created_at DESC, m.key DESC LIMIT :most`,
    { ...args, session: sessionId, without: JSON.stringify(without), most: BigInt(most) },
  );
  return memoriesOf(reader, project, rows, now);
}
