import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../base/files/files.js";
import { MemoryError } from "../../base/memory-error.js";

// What is done under it takes milliseconds; a process that holds it for longer was ended.
const staleMs = 3000;
const pauseMs = 5;

/** Does something to a file that one process at a time may do. A lock that was left behind is broken after three seconds. */
export function underLock<T>(file: string, work: () => T, { patienceMs = 10_000 } = {}): T {
  const lock = `${file}.lock`;
  makeFolder(dirname(file));
  for (const end = Date.now() + patienceMs; !take(lock); pause()) {
    if (Date.now() > end) {
      throw new MemoryError("config-unwritable", `${file} is being written by somebody else.`, "Run the same again.");
    }
    if (isStale(lock)) breakLock(lock);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    // On Windows a file that is just being removed cannot be made.
    if (["EEXIST", "EPERM", "EBUSY"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw new MemoryError(
      "config-unwritable",
      `${lock} cannot be made.`,
      "Nothing was changed. Check who owns its folder, then run the same again.",
      error,
    );
  }
}

function isStale(lock: string): boolean {
  const stat = statSync(lock, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.mtimeMs > staleMs;
}

/** By a rename: of several that break it, one does, and whoever caught a new one puts it back. */
function breakLock(lock: string): void {
  const broken = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, broken);
    if (!isStale(broken)) linkSync(broken, lock);
  } catch {
    // Somebody else was faster.
  }
  rmSync(broken, { force: true });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
}
