import { readFileSync, statSync } from "node:fs";
import { marksOf } from "./line.js";
import { readMemoryFile, type ReadFile } from "./read-memory-file.js";

const looked = new Map<string, string>();

/**
 * Whether a person has changed a MEMORY.md since it was written, by what the file says of itself: a look before each
 * answer, which must cost next to nothing. Of the same file it is true once.
 */
export function isEdited(file: string): boolean {
  try {
    const found = statSync(file, { bigint: true, throwIfNoEntry: false });
    if (!found?.isFile()) return false;
    const stamp = `${found.mtimeNs} ${found.size} ${found.ino}`;
    if (looked.get(file) === stamp) return false;
    looked.set(file, stamp);
    return differs(readMemoryFile(readFileSync(file, "utf8")));
  } catch {
    // Gone, or not ours to read: whoever writes it says so.
    return false;
  }
}

/** Whether a file says anything else than it was written with. */
export function differs({ statements, written }: ReadFile): boolean {
  if (!written) return statements.length > 0;
  if (statements.length !== written.length) return true;
  return statements.some((statement, index) => {
    const then = written[index];
    return then?.isEverywhere !== statement.isEverywhere || !marksOf(statement).includes(then.mark);
  });
}
