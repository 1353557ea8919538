import { shortId } from "../../base/ids/ids.js";
import type { Memory } from "../../memory/memory.js";
import { parseTime } from "../../memory/read/read.js";
import type { HeldBack, RecallOptions, RecallResult } from "../retrieval.js";

const maxTold = 10;

/** The options under which everything comes that was not forgotten: to see what the given ones hold back. */
export function withoutFilter({ limit = 0, includeUser }: RecallOptions): RecallOptions {
  return {
    limit: Math.min(limit, maxTold) + maxTold,
    mode: "words",
    status: ["active", "waiting", "flagged", "superseded", "expired"],
    includeTainted: true,
    ...(includeUser !== undefined && { includeUser }),
  };
}

/** What answers the question as well as what came, and why it did not come. */
export function listHeldBack(everything: RecallResult[], shown: RecallResult[], options: RecallOptions): HeldBack[] {
  const ids = new Set(shown.map(({ memory }) => memory.id));
  return everything
    .filter(({ memory }) => !ids.has(memory.id))
    .flatMap((result) => {
      const reason = findReason(result, options);
      const { id, citationText, trustFlags, userVerified, status } = result.memory;
      // What came from outside, or nobody has looked at yet, must not reach a model by this door either.
      const isShown = (userVerified || !trustFlags.includes("tainted")) && status !== "waiting";
      return reason === undefined ? [] : [{ id, citationText: isShown ? citationText : "(not shown)", reason }];
    })
    .slice(0, maxTold);
}

/** Undefined for what only came too late for the limit. */
function findReason({ memory, score }: RecallResult, options: RecallOptions): string | undefined {
  const { excludeIds = [], minScore = 0, minConfidence = 0 } = options;
  const status = findStatusReason(memory, options);
  if (status !== undefined) return status;
  if (memory.trustFlags.includes("tainted") && !memory.userVerified && !options.includeTainted) {
    return "came from outside the project, and nobody has verified it";
  }
  if (excludeIds.includes(memory.id)) return "was excluded";
  if (memory.currentConfidence < minConfidence) {
    return `has a confidence of ${memory.currentConfidence.toFixed(2)}, below ${minConfidence}`;
  }
  if (score < minScore) return `scores ${score.toFixed(2)}, below ${minScore}`;
  return isFiltered(options) && !fitsFilter(memory, options) ? "does not fit the filter" : undefined;
}

function findStatusReason(memory: Memory, { status = "active", includeSuperseded }: RecallOptions): string | undefined {
  const wanted = new Set([...[status].flat(), ...(includeSuperseded ? ["superseded"] : [])]);
  if (wanted.has("any") || wanted.has(memory.status)) return undefined;
  if (memory.status === "superseded" && memory.supersededBy !== undefined) {
    const { state, reason } = memory.review;
    const because = state === "none" && reason !== undefined ? `: a newer memory says otherwise: it ${reason}` : "";
    return `is superseded by ${shortId(memory.supersededBy)}${because}`;
  }
  if (memory.status === "waiting") return "waits for a review: tacit review";
  const because = memory.status === "flagged" && memory.review.reason !== undefined ? `: ${memory.review.reason}` : "";
  return `is ${memory.status}${because}`;
}

const filters = [
  "type",
  "types",
  "excludeTypes",
  "tags",
  "scope",
  "files",
  "modules",
  "sources",
  "sessionId",
  "metadata",
  "since",
  "until",
] as const;

function isFiltered(options: RecallOptions): boolean {
  return filters.some((name) => options[name] !== undefined);
}

/** As far as it can be told from the memory alone; the store decides. */
function fitsFilter(
  memory: Memory,
  {
    type,
    types,
    excludeTypes,
    tags = [],
    files,
    modules,
    sources,
    sessionId,
    scope,
    metadata = {},
    since,
    until,
  }: RecallOptions,
): boolean {
  const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const oneOf = (wanted: string | readonly string[] | undefined, value: string) =>
    wanted === undefined || (typeof wanted === "string" ? wanted === value : wanted.includes(value));
  const anyOf = (wanted: string[] | undefined, values: string[]) =>
    !wanted?.length || wanted.some((one) => values.includes(one));
  return (
    oneOf(type, memory.type) &&
    oneOf(types, memory.type) &&
    !excludeTypes?.includes(memory.type) &&
    oneOf(scope, memory.scope) &&
    oneOf(sources, memory.source) &&
    tags.every((tag) => memory.tags.includes(tag)) &&
    anyOf(files, memory.relatedFiles) &&
    anyOf(modules, memory.relatedModules) &&
    (sessionId === undefined || memory.sessionId === sessionId) &&
    Object.entries(metadata).every(
      ([key, value]) => value === undefined || textOf(memory.metadata[key]) === textOf(value),
    ) &&
    (since === undefined || memory.createdAt >= parseTime(since, "since")) &&
    (until === undefined || memory.createdAt < parseTime(until, "until"))
  );
}
