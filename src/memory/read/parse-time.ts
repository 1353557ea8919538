import { MemoryError } from "../../base/memory-error.js";

const iso = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Reads an ISO 8601 time and gives it back in UTC, in the one form that sorts as text. A date alone is midnight UTC. */
export function parseTime(value: unknown, field: string): string {
  const time = typeof value === "string" && iso.test(value.trim()) ? new Date(value.trim()) : undefined;
  // Date takes 30 February for 2 March.
  if (time && !Number.isNaN(time.getTime()) && existsInCalendar(String(value).trim())) return time.toISOString();
  if (value instanceof Date) {
    throw new MemoryError("invalid-input", `${field} must be a text, not a Date.`, "Give date.toISOString().");
  }
  throw new MemoryError(
    "invalid-input",
    `${field} is not a time: ${JSON.stringify(value) ?? String(value)}.`,
    "Write it as ISO 8601, for example 2026-11-15 or 2026-11-15T08:30:00Z.",
  );
}

function existsInCalendar(value: string): boolean {
  const day = value.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}
