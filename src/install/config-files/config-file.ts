import { createHash, randomUUID } from "node:crypto";
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder, renameOver, syncFolder } from "../../base/files/files.js";
import { MemoryError } from "../../base/memory-error.js";

/** The text of a file, with its byte order mark; undefined where there is none. Throws for what is no text in UTF-8. */
export function readConfigFile(file: string): string | undefined {
  let bytes: Buffer;
  let isFile = true;
  try {
    // Whoever opens a pipe waits for somebody who writes.
    isFile = statSync(file).isFile();
    bytes = isFile ? readFileSync(file) : Buffer.alloc(0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && !isLink(file)) return undefined;
    if (code === "ENOENT") throw refused(file, "is a link to a file that is not there", error);
    throw refused(file, `cannot be read (${code})`, error);
  }
  if (!isFile) throw refused(file, "is no file");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new MemoryError(
      "config-invalid",
      `${file}:1: this is no text in UTF-8.`,
      "Nothing was changed there. Save it as UTF-8, then run the same again.",
      error,
    );
  }
}

/** Why a file may not be written, in words that follow its name; undefined where nothing speaks against it. */
export function whyNotWritable(file: string, platform = process.platform): string | undefined {
  let place = file;
  // Who may not write is told by the mode as well: root may write anything, and whoever set the mode meant it.
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat && !stat.isFile()) return "is no file";
  if (stat && ((stat.mode & 0o222) === 0 || !mayWrite(file))) return "is read-only";
  if (stat) place = realpathSync(file);
  let folder = dirname(place);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  const above = statSync(folder);
  if (!above.isDirectory()) return `cannot be made: ${folder} is no folder`;
  // On Windows it says of a folder that it looks unusual, not that nothing may be put in.
  const isClosed = platform !== "win32" && (above.mode & 0o222) === 0;
  if (isClosed || !mayWrite(folder)) return `cannot be written: its folder ${folder} is read-only`;
  return undefined;
}

/**
 * Gives a file another text: whoever reads it meanwhile sees the old one or the new one, whole. It keeps its mode and its
 * owner, and where it is a link, the link stays and what it leads to changes. False, and nothing done, where the file no
 * longer says what it said.
 */
export function replaceConfigFile(file: string, before: string | undefined, after: string): boolean {
  const target = before === undefined ? file : realpathSync(file);
  const unfinished = join(dirname(target), `${beginOfUnfinished(target)}${randomUUID()}${endOfUnfinished}`);
  try {
    if (before === undefined) makeFolder(dirname(file));
    const stat = before === undefined ? undefined : statSync(target);
    const handle = openSync(unfinished, "wx", 0o600);
    try {
      if (stat) keepOwner(handle, stat);
      writeFileSync(handle, after);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    const isUnchanged = readConfigFile(file) === before;
    if (isUnchanged) {
      renameOver(unfinished, target);
      // The journal is written first, and must be there first: what it does not know, `uninstall` leaves behind.
      syncFolder(dirname(target));
    }
    return isUnchanged;
  } catch (error) {
    if (error instanceof MemoryError) throw error;
    throw refused(file, `cannot be written (${(error as NodeJS.ErrnoException).code})`, error);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

const endOfUnfinished = ".part";
// Writing takes milliseconds; whoever is older was ended in the middle of it.
const unfinishedMs = 60_000;

function beginOfUnfinished(target: string): string {
  return `.${basename(target)}.`;
}

/** Removes what a process has left beside a file that was ended while it wrote: it holds the whole configuration. */
export function sweepUnfinished(file: string, now = Date.now()): void {
  try {
    const target = existsSync(file) ? realpathSync(file) : file;
    const [folder, begin] = [dirname(target), beginOfUnfinished(target)];
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(begin) || !/^[\da-f-]{36}\.part$/.test(name.slice(begin.length))) continue;
      const left = join(folder, name);
      if (now - statSync(left).mtimeMs > unfinishedMs) rmSync(left, { force: true });
    }
  } catch {
    // There is no folder, or somebody else is faster: what matters is done without it.
  }
}

/** Removes a file that says what it should say, no other. */
export function removeConfigFile(file: string, text: string): void {
  if (readConfigFile(file) !== text) return;
  rmSync(file);
  syncFolder(dirname(file));
}

/** The folders that would have to be made for a file, outermost first. */
export function missingFolders(file: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(file); !existsSync(folder); folder = dirname(folder)) missing.unshift(folder);
  return missing;
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The error for a file that is in the way. */
export function refused(file: string, why: string, cause?: unknown): MemoryError {
  return new MemoryError(
    "config-unwritable",
    `${file} ${why}.`,
    "Nothing was changed there. Check who owns it and its folder, then run the same again.",
    cause,
  );
}

function keepOwner(handle: number, { mode, uid, gid }: { mode: number; uid: number; gid: number }): void {
  try {
    if (process.platform !== "win32") fchownSync(handle, uid, gid);
  } catch {
    // Only root may give files away; whoever may write to a file of somebody else keeps the group's mode at least.
  }
  fchmodSync(handle, mode & 0o7777);
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
