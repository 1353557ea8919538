import { randomUUID } from "node:crypto";
import { open, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, renameOver, syncFolder } from "../base/files/files.js";
import { MemoryError } from "../base/memory-error.js";

/**
 * Gives a file a new text, on disk when it is done. Whoever reads it meanwhile sees the old one or the new one, whole. A file that exists keeps
 * its mode, and a link stays a link; one that does not is made, with its folder, in the mode given. With `mayReplace`, which
 * is asked at the last moment, it may stay as it is; false then.
 */
export async function replaceFile(
  file: string,
  text: string,
  { mode = 0o666, mayReplace = () => true }: { mode?: number; mayReplace?: () => boolean } = {},
): Promise<boolean> {
  let unfinished: string | undefined;
  try {
    const existing = await findExisting(file);
    const target = existing?.path ?? file;
    if (!existing) makeFolder(dirname(file));
    unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
    const handle = await open(unfinished, "wx", mode);
    try {
      if (existing) await handle.chmod(existing.mode);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const isReplaced = mayReplace();
    // At once: whatever is awaited in between is time for somebody else to save the file.
    if (isReplaced) {
      renameOver(unfinished, target);
      syncFolder(dirname(target));
    } else await rm(unfinished, { force: true });
    return isReplaced;
  } catch (error) {
    if (unfinished !== undefined) await rm(unfinished, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw new MemoryError(
      "config-unwritable",
      `${file} cannot be written (${code}). Nothing was changed.`,
      "Check that you may write to its folder, and that the disk has room.",
      error,
    );
  }
}

async function findExisting(file: string): Promise<{ path: string; mode: number } | undefined> {
  try {
    const path = await realpath(file);
    return { path, mode: (await stat(path)).mode & 0o7777 };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
