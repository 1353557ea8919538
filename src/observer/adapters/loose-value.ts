// What agents send may be of any shape. These give what was hoped for, or nothing, and load nothing.

/** The value as something with fields; without any where it is nothing of the kind. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

// A UUID has 36 characters. What is held until its answer comes must be small, whatever somebody writes into a file.
const longestName = 200;

/** An id, or a tool's name: a text that is not empty, nor longer than such things are. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value.length <= longestName ? textOf(value) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A number of things: tokens, milliseconds. */
export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Adds up what is a number; undefined where nothing is. */
export function sumOf(...values: unknown[]): number | undefined {
  const counts = values.map(countOf).filter((count) => count !== undefined);
  return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined;
}

/** What a tool was given. Some agents give it as the text of its JSON. */
export function inputOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "string" || !value.trimStart().startsWith("{")) return recordOf(value);
  try {
    return recordOf(JSON.parse(value));
  } catch {
    return {};
  }
}
