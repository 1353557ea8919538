import type { MemoryError } from "../../index.js";

/**
 * The error for a command line that cannot be understood. Loads the library only now, so that a command line
 * that can be understood never pays for it.
 *
 * @example
 * throw await wrongUsage("--db needs a file", "For example: --db ./memory.db")
 */
export async function wrongUsage(message: string, hint: string): Promise<MemoryError> {
  const tacit = await import("../../index.js");
  return new tacit.MemoryError("usage", message, hint);
}
