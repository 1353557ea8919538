import { earnedConfidenceSql, halfLifeSql, lastUsedSql } from "../memory/decay.js";
import type { FilterSql } from "../memory/memory-filter.js";
import type { Source } from "../memory/memory.js";
import type { Project } from "../memory/projects.js";
import type { Reader } from "../storage/storage.js";
import type { Path } from "./retrieval.js";
import type { WordShares } from "./score-words.js";
import { speakerOf } from "./speaker.js";

/** A memory that may be the answer, with what is needed to weigh it. */
export interface Candidate {
  key: number;
  project: Project;
  /** Whether the filter lets it through; one that it does not may still speak for those beside it. */
  fits: boolean;
  /** The tokens of its content, name, tags and files. */
  columns: string[];
  /** What its own words say. */
  shares: WordShares;
  /** The cosine of its meaning and the question's; absent: it has no vector, or meaning is not asked. */
  similarity?: number;
  /** The same, after the question was moved towards its best answer. */
  refined?: number;
  /** How it was found. */
  paths: Partial<Record<Path, { rank: number; strength: number }>>;
  facts: Facts;
}

/** What weighs for or against a memory, whatever was asked. */
export interface Facts {
  type: string;
  source: Source;
  createdAt: string;
  sessionId?: string;
  /** Who speaks in a turn of a conversation, in small letters. */
  speaker?: string;
  relatedFiles: string[];
  statedConfidence: number;
  /** As stated, and earned by use. */
  confidence: number;
  /** Absent: it does not fade. */
  halfLifeDays?: number;
  lastUsedAt: string;
}

/** What the store knows of a candidate. */
export type CandidateRow = Pick<Candidate, "key" | "fits" | "columns" | "facts">;

// One column of JSON: the driver takes longer for ten columns than SQLite and JSON.parse() together for one.
const factColumns = `json_array(m.type, m.source, m.created_at, m.session_id, substr(m.content, 1, 100), m.metadata ->> '$.speaker',
  json(m.related_files), m.confidence, ${earnedConfidenceSql}, ${halfLifeSql}, ${lastUsedSql})`;

type FactTuple = [
  type: string,
  source: Source,
  createdAt: string,
  sessionId: string | null,
  beginning: string,
  speaker: string | number | null,
  relatedFiles: string[],
  statedConfidence: number,
  confidence: number,
  halfLifeDays: number | null,
  lastUsedAt: string,
];

/** The rows of these keys; those that are gone are left out. */
export async function loadCandidates(reader: Reader, keys: number[], filter: FilterSql): Promise<CandidateRow[]> {
  if (keys.length === 0) return [];
  const rows = await reader.rows(
    `SELECT m.key, w.c0 || char(10) || w.c1 || char(10) || w.c2 || char(10) || w.c3 AS tokens,
       (${filter.conditions.join(" AND ")}) AS fits, ${factColumns} AS facts
     FROM json_each(:keys) AS k
     CROSS JOIN memories AS m ON m.key = k.value
     CROSS JOIN memory_words_content AS w ON w.id = m.key`,
    { ...filter.args, keys: JSON.stringify(keys) },
  );
  return rows.map((row) => ({
    key: Number(row["key"]),
    fits: row["fits"] === 1,
    columns: String(row["tokens"]).split("\n"),
    facts: toFacts(JSON.parse(String(row["facts"])) as FactTuple),
  }));
}

function toFacts(tuple: FactTuple): Facts {
  const [type, source, createdAt, sessionId, beginning, stated, relatedFiles, statedConfidence, ...rest] = tuple;
  const [confidence, halfLifeDays, lastUsedAt] = rest;
  const speaker = speakerOf(type, beginning, stated === null ? undefined : String(stated));
  return {
    type,
    source,
    createdAt,
    relatedFiles,
    statedConfidence,
    confidence,
    lastUsedAt,
    ...(sessionId !== null && { sessionId }),
    ...(speaker !== undefined && { speaker }),
    ...(halfLifeDays !== null && { halfLifeDays }),
  };
}
