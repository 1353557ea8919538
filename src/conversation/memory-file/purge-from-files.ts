import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "../../base/files/files.js";
import { replaceFile } from "../../config/replace-file.js";
import type { ProjectContext } from "../../project/project.js";
import { isUnfinished, memoryFileUnwritable, withFolderLock } from "./folder-lock.js";
import { withoutEntries, type HistoryEntry } from "./history-entries.js";
import { readMemoryFile } from "./read-memory-file.js";
import { memoryFileName } from "./find-memory-folder.js";
import { listReferencedBy } from "./sync-memory-file.js";
import { withoutPurged, type PurgedMemory } from "./without-purged.js";

/** What was purged: memories, and archives by every name that they may have been noted with; or everything of the project. */
export type PurgedFromFiles = { memories: PurgedMemory[]; archives: Pick<HistoryEntry, "at" | "name">[] } | "all";

/**
 * Takes out of the files of a folder what was purged from the store: to be called after it. Entries of purged archives are cut
 * out of the HISTORY files, lines of purged memories out of MEMORY.md, whatever else is wrong with it; for a whole project all
 * files go, and the folder when nothing else is in it.
 */
export async function purgeFromFiles(context: ProjectContext, folder: string, purged: PurgedFromFiles): Promise<void> {
  const files = await listMemoryFiles(folder);
  if (files.length === 0) return;
  await withFolderLock(folder, async () => {
    for (const file of files) {
      const path = join(folder, file);
      // What a killed process was writing holds what the file held.
      if (purged === "all" || isUnfinished(file)) await rm(path, { force: true });
      else if (file === memoryFileName) await cut(path, (text) => cutLines(context, text, purged.memories));
      else await cut(path, async (text) => withoutEntries(text, purged.archives));
    }
  });
  // What is removed comes back with a power cut until its folder is on disk.
  syncFolder(folder);
  // Not empty, or another process is about to write here.
  if (purged === "all") await rmdir(folder).catch(() => undefined);
}

async function cutLines(context: ProjectContext, text: string, purged: readonly PurgedMemory[]): Promise<string> {
  return purged.length === 0
    ? text
    : withoutPurged(text, purged, await listReferencedBy(context, readMemoryFile(text)));
}

async function cut(file: string, without: (text: string) => Promise<string>): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw memoryFileUnwritable(file, error);
  });
  const rest = await without(text);
  if (rest === text) return;
  if (rest.trim() === "") await rm(file, { force: true });
  else await replaceFile(file, rest, { mode: 0o600 });
}

async function listMemoryFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw memoryFileUnwritable(folder, error);
  });
  return names.filter((name) => name === memoryFileName || isHistory(name) || isUnfinished(name));
}

function isHistory(name: string): boolean {
  return /^HISTORY(?:-\d{4}-\d{2})?\.md$/.test(name);
}
