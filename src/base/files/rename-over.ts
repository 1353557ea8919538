import { renameSync } from "node:fs";

// On Windows a scanner or an indexer opens a file for a moment that was just written, and it cannot be replaced meanwhile.
const waitsMs = [5, 20, 50, 100, 200, 400];
const inUse = new Set(["EPERM", "EACCES", "EBUSY"]);

/**
 * Gives a file the name of another, which it replaces. Where somebody has that one open on Windows, it is tried again for
 * most of a second; elsewhere an open file is no obstacle, and what fails fails at once.
 */
export function renameOver(from: string, to: string, { platform = process.platform, rename = renameSync } = {}): void {
  for (const waitMs of platform === "win32" ? waitsMs : []) {
    try {
      rename(from, to);
      return;
    } catch (error) {
      if (!inUse.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
    }
  }
  rename(from, to);
}
