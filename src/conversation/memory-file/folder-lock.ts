import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeFolder } from "../../base/files/files.js";
import { MemoryError } from "../../base/memory-error.js";
import { isAlive, currentProcess, parseProcessIdentity } from "../../observer/spool/spool.js";

// The work takes milliseconds: whoever holds the lock longer is another process that got the same number, or sleeps.
const longestHoldMs = 60_000;
const patienceMs = 15_000;
// Long after a dead lock is taken away, which is two calls of the system.
const takingAwayMs = 5000;

/** Does the work while no other process, and no other caller in this one, does any in the same folder. Makes the folder. */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, ".lock");
  await take(folder, lock);
  try {
    return await work();
  } finally {
    // Not that of another process, which took this one for dead.
    if (readQuietly(lock) === ownMark()) rmSync(lock, { force: true });
  }
}

function readQuietly(lock: string): string | undefined {
  try {
    return readFileSync(lock, "utf8");
  } catch {
    return undefined;
  }
}

async function take(folder: string, lock: string): Promise<void> {
  const givenUpAt = performance.now() + patienceMs;
  for (let waitMs = 2; ; waitMs = Math.min(25, waitMs * 2)) {
    if (tryLock(folder, lock)) return;
    if (!isHeld(lock)) takeAway(lock);
    if (performance.now() > givenUpAt) throw stillHeld(lock);
    await sleep(waitMs * (0.5 + Math.random()));
  }
}

function tryLock(folder: string, lock: string): boolean {
  const own = `${lock}-${randomUUID()}`;
  try {
    makeFolder(folder);
  } catch (error) {
    throw memoryFileUnwritable(folder, error);
  }
  try {
    // With its text from the first moment: an empty lock would be nobody's.
    writeFileSync(own, ownMark(), { mode: 0o600 });
    linkSync(own, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Held; or somebody has just taken away what was left here.
    if (code === "EEXIST" || code === "ENOENT") return false;
    // Some disks know no links; a lock that is made in two steps is better than none.
    if (code === "EPERM" || code === "ENOTSUP" || code === "EOPNOTSUPP") return tryPlainly(lock);
    throw memoryFileUnwritable(folder, error);
  } finally {
    // Not where the folder is none, of which `force` knows nothing.
    if (existsSync(own)) rmSync(own, { force: true });
  }
}

function ownMark(): string {
  const { pid, started } = currentProcess();
  return `${pid}-${started}`;
}

function tryPlainly(lock: string): boolean {
  try {
    writeFileSync(lock, ownMark(), { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw memoryFileUnwritable(lock, error);
  }
}

function isHeld(lock: string): boolean {
  try {
    const life = parseProcessIdentity(readFileSync(lock, "utf8"));
    const age = Date.now() - statSync(lock).mtimeMs;
    return life === undefined ? age < takingAwayMs : isAlive(life) && age < longestHoldMs;
  } catch {
    return false;
  }
}

/** Takes away the lock of a dead process. One at a time, or the second would take away the lock that the first made next. */
function takeAway(lock: string): void {
  const right = `${lock}-dead`;
  try {
    writeFileSync(right, "", { flag: "wx", mode: 0o600 });
  } catch {
    const found = statSync(right, { throwIfNoEntry: false });
    if (found && Date.now() - found.mtimeMs > takingAwayMs) rmSync(right, { force: true });
    return;
  }
  try {
    if (!existsSync(lock) || isHeld(lock)) return;
    // What it was writing nobody will finish.
    const folder = dirname(lock);
    for (const name of readdirSync(folder).filter(isUnfinished)) rmSync(join(folder, name), { force: true });
    rmSync(lock, { force: true });
  } finally {
    rmSync(right, { force: true });
  }
}

/** Of ours, as `replaceFile` and the lock call what they put in its place when it is whole. */
export function isUnfinished(name: string): boolean {
  return /^\.(?:(?:MEMORY|HISTORY(?:-\d{4}-\d{2})?)\.md\.[0-9a-f-]{36}\.part|lock-[0-9a-f-]{36})$/.test(name);
}

function stillHeld(lock: string): MemoryError {
  return new MemoryError(
    "store-locked",
    `Another process has held ${lock} for ${patienceMs / 1000} s.`,
    "Try again; if no other process of Tacit runs, remove that file.",
  );
}

/** The error for a file or folder of the layer that the system refuses. */
export function memoryFileUnwritable(path: string, cause: unknown): MemoryError {
  if (cause instanceof MemoryError) return cause;
  const { code = "unknown error" } = cause as NodeJS.ErrnoException;
  return new MemoryError(
    "config-unwritable",
    `${path} cannot be written (${code}).`,
    "Check the folder, who may write there, and that the disk has room; `tacit config get memoryFolder` tells where it is set.",
    cause,
  );
}
