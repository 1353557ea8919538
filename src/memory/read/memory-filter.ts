import type { SqlArgs } from "../../storage/storage.js";
import { isPendingReviewSql } from "../record/trust.js";
import type { MemoryFilter, Status } from "../memory.js";
import { isTaintedSql, soundJsonSql } from "../record/sound-json.js";
import { parseTime } from "./parse-time.js";
import type { Project } from "../../project/project.js";

/** A filter as SQL over `memories AS m`. */
export interface FilterSql {
  /** They must all hold; the project's first. */
  conditions: string[];
  args: SqlArgs;
  /** True when it may leave out most memories; the usual one, active ones only, does not. */
  isSelective: boolean;
}

export function filterConditions(filter: MemoryFilter, project: Project, now: Date): FilterSql {
  const byFacet = [filter.tags, filter.files, filter.modules].some((values) => values?.length);
  // The plus keeps SQLite from walking the whole project where a facet leads to the few rows that count.
  const conditions = [`${byFacet ? "+" : ""}m.project_number = :project`, statusCondition(filter)];
  const args: SqlArgs = { project: project.number, now: now.toISOString() };
  const anyOf = (column: string, name: string, values: string | string[] | undefined) => {
    if (values === undefined) return;
    conditions.push(`m.${column} IN (SELECT value FROM json_each(:${name}))`);
    args[name] = JSON.stringify(asList(values));
  };
  const filedUnder = (kind: string, name: string, values: string[] | undefined) => {
    if (!values?.length) return;
    conditions.push(`m.key IN (SELECT f.memory_key FROM memory_facets AS f
      WHERE f.project_number = :project AND f.kind = '${kind}' AND f.value IN (SELECT value FROM json_each(:${name})))`);
    args[name] = JSON.stringify(values);
  };
  anyOf("type", "types", filter.type);
  anyOf("type", "moreTypes", filter.types);
  if (filter.excludeTypes?.length) {
    conditions.push("m.type NOT IN (SELECT value FROM json_each(:excludedTypes))");
    args["excludedTypes"] = JSON.stringify(filter.excludeTypes);
  }
  anyOf("source", "sources", filter.sources);
  anyOf("scope", "scopes", filter.scope);
  anyOf("session_id", "sessions", filter.sessionId);

  // Several tags mean all of them; several files or modules any.
  (filter.tags ?? []).forEach((tag, index) => filedUnder("tag", `tag${index}`, [tag]));
  filedUnder("file", "files", filter.files);
  filedUnder("module", "modules", filter.modules);
  Object.entries(filter.metadata ?? {}).forEach(([key, value], index) => {
    if (value === undefined) return;
    conditions.push(metadataCondition(index));
    args[`metadataKey${index}`] = key;
    args[`metadataValue${index}`] = typeof value === "string" ? value : JSON.stringify(value);
  });
  if (filter.since !== undefined) {
    conditions.push("m.created_at >= :since");
    args["since"] = parseTime(filter.since, "since");
  }
  if (filter.until !== undefined) {
    conditions.push("m.created_at < :until");
    args["until"] = parseTime(filter.until, "until");
  }
  const isSelective = filter.status !== undefined || conditions.length > 2;
  // These leave out few.
  if (filter.includeTainted === false) conditions.push(isTrusted);
  if (filter.includeUnverified === false) conditions.push(isLookedAt);
  if (filter.excludeIds?.length) {
    conditions.push("m.id NOT IN (SELECT value FROM json_each(:excluded))");
    conditions.push("substr(m.id, -8) NOT IN (SELECT value FROM json_each(:excluded))");
    args["excluded"] = JSON.stringify(filter.excludeIds);
  }
  return { conditions, args, isSelective };
}

/**
 * True for a turn that an archive sums up: it stays as long as the archive does, whatever its expiry says. As SQL over
 * `memories AS m`.
 */
export const isArchived = `(m.type = 'conversation' AND (EXISTS (
    SELECT 1 FROM memory_relations AS r JOIN memories AS a ON a.key = r.memory_key
    WHERE r.target_memory = m.id AND a.type = 'archive' AND a.forgotten_at IS NULL)
  OR EXISTS (
    SELECT 1 FROM conversation_turns AS t
      JOIN conversation_archives AS x ON x.conversation_number = t.conversation_number
        AND x.last_sequence >= t.sequence AND x.first_sequence <= t.sequence
      JOIN memories AS a ON a.key = x.memory_key
    WHERE t.memory_key = m.key AND a.forgotten_at IS NULL)))`;

const isExpired = `(m.expires_at <= :now AND NOT ${isArchived})`;
const isInForce = `(m.expires_at IS NULL OR m.expires_at > :now OR ${isArchived})`;

/** Each status excludes those before it: what is forgotten is no longer superseded, expired or flagged. */
const statusConditions: Record<Status, string> = {
  forgotten: "m.forgotten_at IS NOT NULL",
  superseded: "m.forgotten_at IS NULL AND m.valid_until IS NOT NULL",
  expired: `m.forgotten_at IS NULL AND m.valid_until IS NULL AND ${isExpired}`,
  flagged: `m.forgotten_at IS NULL AND m.valid_until IS NULL AND ${isInForce} AND m.review_state NOT IN ('none', 'pending')`,
  waiting: `m.forgotten_at IS NULL AND m.valid_until IS NULL AND ${isInForce} AND ${isPendingReviewSql}`,
  active: `m.forgotten_at IS NULL AND m.valid_until IS NULL AND ${isInForce} AND m.review_state IN ('none', 'pending') AND NOT ${isPendingReviewSql}`,
};

/** What came from outside the project counts only when a person has verified it. */
export const isTrusted = `(m.user_verified = 1 OR NOT ${isTaintedSql})`;

/** What somebody vouches for; a review that uses have settled is still one. */
export const isLookedAt = `(m.user_verified = 1
  OR m.review_state <> 'pending' AND m.trust_flags NOT LIKE '%"unverified"%')`;

function statusCondition({ status = "active", includeSuperseded = false }: MemoryFilter): string {
  // Names :now as well, because every argument that is bound must occur.
  if (status === "any") return ":now IS NOT NULL";
  const wanted = new Set([...asList(status), ...(includeSuperseded ? (["superseded"] as const) : [])]);
  return `:now IS NOT NULL AND (${[...wanted].map((one) => statusConditions[one]).join(" OR ") || "0"})`;
}

/** Compared as text, so that a value given on the command line finds the number or boolean a program stored. */
function metadataCondition(index: number): string {
  return `EXISTS (SELECT 1 FROM json_each(${soundJsonSql("metadata")}) AS entry
    WHERE entry.key = :metadataKey${index}
      AND CASE entry.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' WHEN 'null' THEN 'null'
        ELSE CAST(entry.value AS TEXT) END = :metadataValue${index})`;
}

function asList<T>(values: T | T[]): T[] {
  return Array.isArray(values) ? values : [values];
}
