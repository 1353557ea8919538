import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, realpath, type FileHandle } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { largestFileBytes, tooLarge, whySkipped, whyUnreadable } from "./why-skipped.js";

/** A file as it was when it was read. */
export type Source = ReadFile & ({ text: string } | { skipped: string });

interface ReadFile {
  /** SHA-1 of its bytes in hex; empty where they were not read. */
  hash: string;
  size: number;
  modifiedMs: number;
}

/**
 * Reads a file of a work tree, without the mark that may stand at its beginning; or tells why it is not to be indexed.
 * Undefined when there is no such file any more, or it is none: a folder, a pipe, a link, something behind a link that
 * leads out of the tree. The root is a real path.
 *
 * @example await readSource(root, "src/store.ts") // { hash: "2fd4e1…", size: 812, modifiedMs: 1794744000000, text: "…" }
 */
export async function readSource(root: string, path: string): Promise<Source | undefined> {
  const file = join(root, path);
  let handle: FileHandle | undefined;
  try {
    // Without waiting for whoever writes to a pipe.
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const found = await handle.stat();
    if (!found.isFile() || !(await isInside(root, file))) return undefined;
    const { size, mtimeMs: modifiedMs } = found;
    const byName = whySkipped(path, size);
    if (byName !== undefined) return { hash: "", size, modifiedMs, skipped: byName };
    const bytes = await readUpTo(handle, largestFileBytes + 1, size);
    // It may have grown since.
    if (bytes.length > largestFileBytes) return { hash: "", size, modifiedMs, skipped: tooLarge };
    const hash = createHash("sha1").update(bytes).digest("hex");
    const skipped = whyUnreadable(path, bytes);
    if (skipped !== undefined) return { hash, size, modifiedMs, skipped };
    return { hash, size, modifiedMs, text: bytes.toString("utf8").replace(/^\uFEFF/, "") };
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (absent.has(code)) return undefined;
    if (!refused.has(code)) throw error;
    const { size, mtimeMs: modifiedMs } = await lstat(file).catch(() => ({ size: 0, mtimeMs: 0 }));
    return { hash: "", size, modifiedMs, skipped: cannotBeRead };
  } finally {
    await handle?.close();
  }
}

/** Why a file is skipped that another user, another program or a broken disk keeps from being read. */
export const cannotBeRead = "cannot be read";

// A link, a socket or a device among them. Too many open files, for one, does not mean that a file is gone.
const absent = new Set("ENOENT ENOTDIR ELOOP EMLINK EISDIR ENXIO ENODEV EOPNOTSUPP ENAMETOOLONG".split(" "));
const refused = new Set("EACCES EPERM EIO EBUSY ESTALE".split(" "));

async function isInside(root: string, file: string): Promise<boolean> {
  const path = relative(root, await realpath(file));
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

async function readUpTo(handle: FileHandle, most: number, expected: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(most, expected + 1));
  let filled = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled, filled);
    filled += bytesRead;
    if (bytesRead === 0) return buffer.subarray(0, filled);
    if (filled === buffer.length) break;
  }
  // It grew while it was read: from the beginning, with all the room there may be.
  return buffer.length === most ? buffer : readUpTo(handle, most, most - 1);
}
