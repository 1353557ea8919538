import { MemoryError } from "../../base/memory-error.js";

/** What cannot be imported, with the file and line that is the reason. */
export function importRefused(origin: string, problem: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError("import-refused", `${origin}: ${problem}`, hint, cause);
}
