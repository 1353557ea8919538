import { sureEnoughSql } from "../../memory/record/record.js";
import { filterConditions, isLookedAt, isTrusted, listByKeys } from "../../memory/read/read.js";
import type { Memory, MemoryFilter } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader, Row, SqlArgs } from "../../storage/storage.js";
import type { Recipient } from "./is-eligible.js";
import { notReadByAgent } from "./read-by-agent.js";

/**
 * What `isEligible` says, over `memories AS m`: what may not be told would take the places of what may wherever a query stops
 * after so many. It differs in three things: what is left of a confidence it knows to the thousandth, a review that uses
 * have settled is still one, and what came from another project's file of the same name counts as this one's.
 */
export function eligibleConditions(
  filter: MemoryFilter,
  { minConfidence, sessionId, branch, workUnit, includeUnverified = false, reads = [] }: Recipient,
  project: Project,
  now: Date,
): { conditions: string[]; args: SqlArgs } {
  const { conditions, args } = filterConditions({ ...filter, includeTainted: false, includeUnverified }, project, now);
  return {
    conditions: [...conditions, isKeptFor, ...sureEnoughSql, ...(reads.length > 0 ? [notReadByAgent] : [])],
    args: {
      ...args,
      minConfidence,
      maxHalfLives: Math.log2(1 / Math.max(minConfidence, rounding)),
      listening: sessionId ?? null,
      branch: branch ?? null,
      ...unitArgs(workUnit),
      ...(reads.length > 0 && { reads: JSON.stringify(reads) }),
    },
  };
}

/**
 * The cheap part of the same, for a query that goes through all of a project: who vouches for it, whom it was kept for, and how
 * sure it was at first. Needs the arguments of the whole.
 */
export function roughlyEligible({ includeUnverified = false }: Recipient): string {
  const isSure = `(m.confidence >= :minConfidence - ${rounding} OR m.uses_since_correction > 0)`;
  return [isSure, ...(includeUnverified ? [] : [isLookedAt]), isTrusted, isKeptFor].join(" AND ");
}

const rounding = 0.001;

/** True for what belongs to the piece of work of `unitArgs`. Where that has a place in a hierarchy, its label may be worded anew. */
export const isOfUnit = `(json_valid(m.work_unit) AND m.work_unit ->> 'methodology' = :methodology
  AND CASE :hierarchy WHEN '[]' THEN m.work_unit ->> 'label' = :label AND m.work_unit -> 'hierarchy' = '[]'
    ELSE m.work_unit -> 'hierarchy' = json(:hierarchy) END)`;

function unitArgs(unit: Recipient["workUnit"]): SqlArgs {
  return {
    methodology: unit?.methodology ?? null,
    hierarchy: unit ? JSON.stringify(unit.hierarchy) : null,
    label: unit?.label ?? null,
  };
}

const isKeptFor = `CASE
  WHEN m.scope IN ('global', 'module') AND m.type <> 'work_state' THEN 1
  WHEN m.scope = 'session' THEN ifnull(m.session_id = :listening, 0)
  WHEN ifnull(${isOfUnit}, 0) THEN 1
  WHEN m.type = 'work_state' THEN m.branch IS NULL OR ifnull(m.branch = :branch, 0)
  ELSE ifnull(m.session_id = :listening, 0) END`;

/** The memories behind rows that have their keys, in the same order. */
export async function memoriesOf(reader: Reader, project: Project, rows: readonly Row[], now: Date): Promise<Memory[]> {
  const keys = rows.map((row) => Number(row["key"]));
  return (await listByKeys(reader, project, keys, now)).map(({ memory }) => memory);
}
