import type { MemoryRecord } from "../../memory/memory.js";
import * as shapes from "../formats/field-shapes.js";

type Said = Partial<MemoryRecord>;

/** Whether it is a turn or an archive: something that happened, and does not change. */
export function isEvent({ type }: Said): boolean {
  return type === "conversation" || type === "archive";
}

const roles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "tool"]);
// More was never said in one conversation, and what counts on from it stays a whole number.
const maxTurns = 1_000_000_000;

/** Whether a turn or an archive may have the place that it claims in its session; claiming none is sound. */
export function isSoundPlace({ type, data = {} }: Said): boolean {
  const { role, sequence, part = 1, turn = "", toolsUsed = [], first, last, archivedAt } = data;
  if (!Object.values(data).every((value) => typeof value !== "number" || (value >= 0 && value <= maxTurns)))
    return false;
  if (type === "conversation") {
    if (sequence === undefined) return true;
    const isPart = isPlace(part) && typeof turn === "string";
    return isPlace(sequence) && roles.has(role) && isPart && shapes.texts.read(toolsUsed) !== undefined;
  }
  if (first === undefined && last === undefined) return true;
  return isPlace(first) && isPlace(last) && first <= last && (archivedAt === undefined || isTime(archivedAt));
}

/** The same text, said in no session: of what is known of a turn, who said it and with which tools. */
export function withoutPlace<T extends Said>(record: T): T {
  const { sessionId, data = {}, ...others } = record;
  const kept = Object.entries(data).filter(([field]) => field === "role" || field === "toolsUsed");
  return {
    ...others,
    provenanceSessionIds: (record.provenanceSessionIds ?? []).filter((one) => one !== sessionId),
    ...(kept.length > 0 && { data: Object.fromEntries(kept) }),
  } as unknown as T;
}

function isPlace(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 1;
}

function isTime(value: unknown): boolean {
  return shapes.time.read(value) === value;
}
