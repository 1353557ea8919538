import { InvalidArgumentError } from "commander";
import type { MemoryInput } from "../../index.js";

/** Each reads the value of one flag. What it throws becomes wrong usage, naming the flag, the value and this text. */

const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
const isoTime = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A flag that may be given several times. */
export function collect(value: string, previous: string[] | false | undefined): string[] {
  return [...(previous || []), value];
}

/** The same for one that takes only some words. */
export function collectFrom(choices: string[]): (value: string, previous: string[] | undefined) => string[] {
  return (value, previous) => {
    if (!choices.includes(value)) throw new InvalidArgumentError(`It takes one of: ${choices.join(", ")}.`);
    return collect(value, previous);
  };
}

export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value) || Number(value) === 0) {
    throw new InvalidArgumentError("It takes a whole number, 1 or more.");
  }
  return Number(value);
}

/** How many tokens a packed text may take. */
export function tokenBudget(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError(
    'It takes a number of tokens, or none at the end of the line: tacit recall "…" --pack',
  );
}

/** A number from 0 to 1, such as a confidence. */
export function fraction(value: string): number {
  const number = Number(value);
  if (!/^[\d.]+$/.test(value) || !(number >= 0 && number <= 1)) {
    throw new InvalidArgumentError("It takes a number from 0 to 1, such as 0.8.");
  }
  return number;
}

/** `key=value`, several times. Every value is text. */
export function keyValue(value: string, previous: Record<string, string> | false | undefined): Record<string, string> {
  const equals = value.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("It takes key=value, such as team=core.");
  return Object.fromEntries([...Object.entries(previous || {}), [value.slice(0, equals), value.slice(equals + 1)]]);
}

export function jsonObject(value: string): NonNullable<MemoryInput["data"]> {
  try {
    const parsed: unknown = JSON.parse(value);
    if (isObject(parsed)) return parsed;
  } catch {
    // told below, together with values that are JSON but no object
  }
  throw new InvalidArgumentError(`It takes a JSON object, such as '{"whyItFailed":"…"}'.`);
}

/** A moment in the past: an ISO date or time, or how long ago, such as `7d`. Gives ISO 8601 in UTC. */
export function pastMoment(value: string): string {
  return momentFrom(value, new Date(), -1);
}

/** A moment to come: an ISO date or time, or how long from now, such as `30d`. Gives ISO 8601 in UTC. */
export function comingMoment(value: string): string {
  return momentFrom(value, new Date(), 1);
}

/** A date without a time is midnight UTC, a time without a zone is local: as ISO 8601 and JavaScript have it. */
export function momentFrom(value: string, now: Date, direction: 1 | -1): string {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(value) ?? [];
  const [, day] = isoTime.exec(value) ?? [];
  let time: Date | undefined;
  if (count !== undefined && unit !== undefined) {
    time = new Date(now.getTime() + direction * Number(count) * (unitsMs[unit] ?? 0));
  } else if (day !== undefined && isRealDay(day)) {
    time = new Date(value.replace(" ", "T"));
  }
  if (!time || Number.isNaN(time.getTime())) {
    throw new InvalidArgumentError(
      "It takes a date or time such as 2026-01-31 or 2026-01-31T18:00Z, or 30m, 24h, 7d, 2w.",
    );
  }
  return time.toISOString();
}

// JavaScript takes the 30th of February for the 2nd of March.
function isRealDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
}

function isObject(value: unknown): value is NonNullable<MemoryInput["data"]> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
