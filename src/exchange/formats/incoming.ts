import { MemoryError } from "../../base/memory-error.js";
import type { StoredChange } from "../../memory/history/history.js";
import type { MemoryRecord } from "../../memory/memory.js";

/** A memory as it arrives from outside: only content is needed, what is missing gets its default. */
export interface IncomingMemory {
  record: Partial<MemoryRecord> & { content: string };
  history?: StoredChange[];
  /** Where it stood, for messages: "memories.jsonl:17", "notes/deploy.md". */
  origin: string;
  /** It is of a kind that people write, as rules for agents are. */
  isOfPeople?: true;
  /** It belongs to the reserved project of what is true everywhere. */
  project?: "user";
}

/** The error for what cannot be taken in. `at` is the file and, where there is one, the line: "memories.jsonl:17". */
export function importRefused(at: string, what: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError("import-refused", `${at}: ${what}`, hint, cause);
}
