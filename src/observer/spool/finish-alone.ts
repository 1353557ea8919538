import { createHash, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, currentProcess, parseProcessIdentity } from "../processes/process-identity.js";
import type { SpoolPlace } from "./spool-place.js";

// A process that only finishes ends itself by then: whoever holds the lock then is another process that got the same number.
const longestFinishMs = 300_000;

// From being asked for until it looks, on a machine on which everything begins at once.
const startingMs = 15_000;

/**
 * True for whoever is to start a process that finishes: not where another one was asked for a moment ago that has not begun
 * to look yet. Twenty sessions that end at once need one, and twenty would be in the way of the hooks that note.
 */
export function mayStartFinisher(place: SpoolPlace): boolean {
  const soon = `${lockOf(place)}-soon`;
  try {
    if (Date.now() - statSync(soon).mtimeMs > startingMs) rmSync(soon, { force: true });
  } catch {
    // There is none.
  }
  try {
    writeFileSync(soon, "", { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

/**
 * Does the work of finishing sessions of a place, where no other process is at it; else asks that one to look once more
 * before it ends, and gives false at once. True where it was done here, as often as others asked in the meantime.
 */
export async function finishAlone(place: SpoolPlace, work: () => Promise<unknown>): Promise<boolean> {
  const lock = lockOf(place);
  const asked = `${lock}-again`;
  let isDone = false;
  // Before the first look: what is noted from now on needs another one.
  rmSync(`${lock}-soon`, { force: true });
  // Whoever asks looks again whether the lock is still held, and whoever held it whether somebody has asked: one of them sees it.
  for (;;) {
    if (!tryLock(lock)) {
      if (isDone) return true;
      touch(asked);
      if (isHeld(lock)) return false;
      continue;
    }
    try {
      do {
        rmSync(asked, { force: true });
        await work();
        isDone = true;
      } while (existsSync(asked));
    } finally {
      rmSync(lock, { force: true });
    }
    if (!existsSync(asked)) return true;
  }
}

function lockOf({ home, db, root, project = "" }: SpoolPlace): string {
  const key = createHash("sha256").update(`${db}\0${root}\0${project}`).digest("hex").slice(0, 16);
  return join(home, `finishing-${key}`);
}

/** True where it is held by this process now, or where the disk knows no locks: twice is better than never. */
function tryLock(lock: string): boolean {
  if (existsSync(lock) && !isHeld(lock)) rmSync(lock, { force: true });
  const { pid, started } = currentProcess();
  const own = `${lock}-${randomUUID()}`;
  try {
    // With its text from the first moment: an empty lock would be nobody's.
    writeFileSync(own, `${pid}-${started}`, { mode: 0o600 });
    linkSync(own, lock);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  } finally {
    rmSync(own, { force: true });
  }
}

function isHeld(lock: string): boolean {
  try {
    const life = parseProcessIdentity(readFileSync(lock, "utf8"));
    return life !== undefined && isAlive(life) && Date.now() - statSync(lock).mtimeMs < longestFinishMs;
  } catch {
    return false;
  }
}

function touch(path: string): void {
  try {
    writeFileSync(path, "", { mode: 0o600 });
  } catch {
    // Then the next session that ends sees to it.
  }
}
