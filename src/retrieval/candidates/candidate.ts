import { asText, earnedConfidence, lastUsed, soundJsonSql } from "../../memory/record/record.js";
import type { FilterSql } from "../../memory/read/read.js";
import { typeHalfLife } from "../../memory/type-registry/type-registry.js";
import type { Source, TrustFlag } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { Path } from "../retrieval.js";
import type { WordShares } from "../keywords/score-words.js";
import { speakerOf } from "../query/asked-speaker.js";

/** A memory that may be the answer, with what is needed to weigh it. */
export interface Candidate {
  key: number;
  project: Project;
  /** The tokens of its content, name, tags and files. */
  columns: string[];
  /** What its own words say. */
  shares: WordShares;
  /** The cosine of its meaning and the query's; absent: it has no vector, or meaning is not asked. */
  similarity?: number;
  /** The same, after the query was moved towards its best answer. */
  refined?: number;
  /** How it was found. */
  paths: Partial<Record<Path, { rank: number; strength: number }>>;
  /** The archive that sums this turn up, where that is a candidate too. */
  archive?: number;
  facts: CandidateFacts;
}

/** What weighs for or against a memory, whatever was asked. */
export interface CandidateFacts {
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

/** Whether a memory is part of a conversation, where what stands next to it counts. */
export function isTurn({ type, sessionId }: CandidateFacts): boolean {
  return type === "conversation" && sessionId !== undefined;
}

/** Whether a memory sums up turns of a conversation. */
export function isArchive({ type, sessionId }: CandidateFacts): boolean {
  return type === "archive" && sessionId !== undefined;
}

/** What the store knows of a candidate; its tokens only where they were asked for. */
export type CandidateRow = Pick<Candidate, "key" | "facts"> & { columns?: string[] };

// As JSON: the driver takes longer for a column than SQLite and JSON.parse() together for all of them.
const factColumns = `json_array(${asText("m.type")}, ${asText("m.source")}, ${asText("m.created_at")}, ${asText("m.session_id")},
  substr(${asText("m.content")}, 1, 100),
  ${soundJsonSql("metadata")} ->> '$.speaker', json(${soundJsonSql("related_files")}), m.confidence, m.uses_since_correction, json(${soundJsonSql("trust_flags")}),
  m.user_verified, m.pinned, m.half_life_days, ${asText("m.last_accessed_at")}, ${asText("m.arrived_at")}, ${asText("m.stored_at")})`;

type FactTuple = [
  type: string,
  source: Source,
  createdAt: string,
  sessionId: string | null,
  beginning: string,
  speaker: string | number | null,
  relatedFiles: string[],
  confidence: number,
  usesSinceCorrection: number,
  trustFlags: TrustFlag[],
  userVerified: number,
  pinned: number,
  halfLifeDays: number | null,
  lastAccessedAt: string | null,
  arrivedAt: string | null,
  storedAt: string,
];

/**
 * The rows of these keys, with their tokens or without. What the filter leaves out is no candidate, and speaks for nobody
 * beside it either: what is flagged or came from outside must not decide what comes.
 */
export async function loadCandidates(
  reader: Reader,
  keys: number[],
  filter: FilterSql,
  { withTokens }: { withTokens: boolean },
): Promise<CandidateRow[]> {
  if (keys.length === 0) return [];
  const tokens = withTokens ? ", json_array(w.c0, w.c1, w.c2, w.c3)" : "";
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(m.key, ${factColumns}${tokens})) AS found
     FROM json_each(:keys) AS k
     CROSS JOIN memories AS m ON m.key = k.value
     ${withTokens ? "CROSS JOIN memory_words_content AS w ON w.id = m.key" : ""}
     WHERE ${filter.conditions.join(" AND ")}`,
    { ...filter.args, keys: JSON.stringify(keys) },
  );
  const found = JSON.parse(String(row?.["found"] ?? "[]")) as [number, FactTuple, string[]?][];
  return found.map(([key, facts, columns]) => ({ key, facts: toFacts(facts), ...(columns && { columns }) }));
}

function toFacts(tuple: FactTuple): CandidateFacts {
  const [type, source, createdAt, sessionId, beginning, stated, relatedFiles, ...rest] = tuple;
  const [confidence, usesSinceCorrection, trustFlags, userVerified, pinned, ownHalfLife, ...times] = rest;
  const [lastAccessedAt, arrivedAt, storedAt] = times;
  const speaker = speakerOf(type, beginning, stated === null ? undefined : String(stated));
  const halfLifeDays = pinned === 1 ? undefined : (ownHalfLife ?? typeHalfLife(type));
  return {
    type,
    source,
    createdAt,
    relatedFiles,
    statedConfidence: confidence,
    confidence: earnedConfidence({
      confidence,
      usesSinceCorrection,
      trustFlags,
      source,
      userVerified: userVerified === 1,
    }),
    lastUsedAt: lastUsed({ storedAt, ...(lastAccessedAt !== null && { lastAccessedAt }) }, arrivedAt ?? undefined),
    ...(sessionId !== null && { sessionId }),
    ...(speaker !== undefined && { speaker }),
    ...(halfLifeDays !== undefined && { halfLifeDays }),
  };
}
