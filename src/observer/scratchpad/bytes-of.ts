/**
 * About how many bytes a plain value takes in memory. An estimate from above for V8: names of fields are shared, texts
 * have one byte a character where all are Latin 1 and two otherwise.
 */
export function bytesOf(value: unknown, depth = 0): number {
  if (typeof value === "string") return 24 + value.length;
  if (typeof value !== "object" || value === null || depth > deepest) return 0;
  let bytes = Array.isArray(value) ? 40 : 56;
  for (const key in value) bytes += 16 + bytesOf((value as Record<string, unknown>)[key], depth + 1);
  return bytes;
}

// Notes are not deeper; something that is must not take the stack.
const deepest = 6;
