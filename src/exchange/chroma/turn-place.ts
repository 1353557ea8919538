import type { MemoryRecord } from "../../memory/memory-record.js";
import * as shapes from "../field-shapes.js";

type Said = Partial<MemoryRecord>;

/** Whether it is a turn or an archive: something that happened, and does not change. */
export function isEvent({ type }: Said): boolean {
  return type === "conversation" || type === "archive";
}

const roles: readonly unknown[] = ["user", "assistant", "system", "tool"];
// More was never said in one conversation, and what counts on from it stays a whole number.
const mostTurns = 1_000_000_000;

/** Whether a turn or an archive may have the place that it claims in its session; claiming none is sound. */
export function isSoundPlace({ type, data = {} }: Said): boolean {
  const { role, sequence, part, toolsUsed, first, last, archivedAt } = data;
  if (type === "conversation") {
    if (sequence === undefined) return true;
    return isPlace(sequence) && roles.includes(role) && (part === undefined || isPlace(part)) && areNames(toolsUsed);
  }
  if (first === undefined && last === undefined) return true;
  return isPlace(first) && isPlace(last) && first <= last && (archivedAt === undefined || isTime(archivedAt));
}

/** The same text, said in no session. */
export function withoutPlace<T extends Said>(record: T): T {
  const { sessionId, data, ...others } = record;
  const { sequence: _sequence, part: _part, first: _first, last: _last, archivedAt: _archivedAt, ...free } = data ?? {};
  return {
    ...others,
    provenanceSessionIds: (record.provenanceSessionIds ?? []).filter((one) => one !== sessionId),
    ...(Object.keys(free).length > 0 && { data: free }),
  } as unknown as T;
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= mostTurns;
}

function areNames(value: unknown): boolean {
  return value === undefined || shapes.texts.read(value) !== undefined;
}

function isTime(value: unknown): boolean {
  return shapes.time.read(value) === value;
}
