import { randomUUID } from "node:crypto";
import { open, readlink, realpath, rm, stat, type FileHandle } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { MemoryError } from "../../base/memory-error.js";
import { makeFolder, renameOver, syncFolder } from "../../base/files/files.js";

/** Takes the next piece of an export. */
export type Write = (text: string) => Promise<void>;

/** For what holds personal memories: nobody but their owner reads it. */
export const forOwner = 0o600;
/** For what lies open in a project, as the system makes files. */
export const forAll = 0o666;

/**
 * Writes a file in pieces, beside it first, so that a reader sees the old one or the new one, and a failure leaves the
 * old. A file that exists keeps its mode, and a link stays a link; one that does not is made in the mode given.
 */
export async function replaceFile<T>(file: string, mode: number, work: (write: Write) => Promise<T>): Promise<T> {
  const existing = await findFile(file);
  const target = existing?.path ?? (await aboutFile(file, () => targetOf(file)));
  const unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  const handle = await aboutFile(file, async () => {
    makeFolder(dirname(target));
    return open(unfinished, "wx", mode);
  });
  try {
    if (existing) await aboutFile(file, () => handle.chmod(existing.mode));
    const result = await writePieces(file, handle, work);
    await aboutFile(file, async () => {
      await handle.sync();
      await handle.close();
      renameOver(unfinished, target);
      syncFolder(dirname(target));
    });
    return result;
  } catch (error) {
    // Closing twice, or failing to, adds nothing to what is told.
    await handle.close().catch(() => undefined);
    await rm(unfinished, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The file that a path means, at the end of its links, and its mode. Anything else that lies there is refused. */
export async function findFile(file: string): Promise<{ path: string; mode: number } | undefined> {
  return aboutFile(file, async () => {
    const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw error;
    });
    if (!found) return undefined;
    if (found.isFile()) return { path: await realpath(file), mode: found.mode & 0o7777 };
    throw exportRefused(`${file} is no regular file.`, "Name a file; without --output it goes to standard output.");
  });
}

/**
 * Does something with a file or a folder of an export. What the system refuses is told about that path: the store is
 * read meanwhile, and would take it for an error of its own.
 */
export async function aboutFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof MemoryError || code === undefined) throw error;
    throw exportRefused(`${path} cannot be written (${code}).`, "Check the folder, and who may write there.", error);
  }
}

export function exportRefused(message: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError("export-refused", message, hint, cause);
}

/** Where a link leads, even to a file that is not there yet. */
async function targetOf(file: string): Promise<string> {
  const link = await readlink(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EINVAL") return undefined;
    throw error;
  });
  return link === undefined ? file : targetOf(resolve(dirname(file), link));
}

// A line at a time would be a call of the system for each.
const pieceCharacters = 65_536;

async function writePieces<T>(file: string, handle: FileHandle, work: (write: Write) => Promise<T>): Promise<T> {
  let waiting: string[] = [];
  let characters = 0;
  const flush = async () => {
    const piece = waiting.join("");
    waiting = [];
    characters = 0;
    await aboutFile(file, () => handle.appendFile(piece));
  };
  const result = await work(async (text) => {
    waiting.push(text);
    characters += text.length;
    if (characters >= pieceCharacters) await flush();
  });
  await flush();
  return result;
}
