import { readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { replaceFile } from "../../config/replace-file.js";
import type { ProjectStore } from "../../memory/project-store.js";
import { isUnfinished, layerUnwritable, withFolderLock } from "./folder-lock.js";
import { withoutEntries } from "./history-entries.js";
import { syncMemoryFile } from "./sync-memory-file.js";

/**
 * What was purged: archives, by the names that they had when they were noted (short ids where they had none) or by the times
 * in their headings; or everything of the project.
 */
export type PurgedFromLayer = { names?: string[]; headings?: string[] } | "all";

/**
 * Takes out of the files what was purged from the store: to be called after it. Entries of purged archives are cut out of
 * the HISTORY files, MEMORY.md is written anew; for a whole project all files go, and the folder when nothing else is in it.
 */
export async function purgeFromLayer(from: ProjectStore, folder: string, purged: PurgedFromLayer): Promise<void> {
  const files = await listLayerFiles(folder);
  if (files.length === 0) return;
  if (purged === "all") {
    await withFolderLock(folder, async () => {
      for (const file of files) await rm(join(folder, file), { force: true });
    });
    // Not empty, or another process is about to write here.
    await rmdir(folder).catch(() => undefined);
    return;
  }
  await withFolderLock(folder, async () => {
    // What a killed process was writing holds what the file held.
    for (const file of files.filter(isUnfinished)) await rm(join(folder, file), { force: true });
    for (const file of files.filter(isHistory)) await cut(join(folder, file), purged);
  });
  await syncMemoryFile(from, folder);
}

async function cut(file: string, purged: Exclude<PurgedFromLayer, "all">): Promise<void> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw layerUnwritable(file, error);
  });
  const rest = withoutEntries(text, purged);
  if (rest === text) return;
  if (rest.trim() === "") await rm(file, { force: true });
  else await replaceFile(file, rest, { mode: 0o600 });
}

async function listLayerFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw layerUnwritable(folder, error);
  });
  return names.filter((name) => name === "MEMORY.md" || isHistory(name) || isUnfinished(name));
}

function isHistory(name: string): boolean {
  return /^HISTORY(?:-\d{4}-\d{2})?\.md$/.test(name);
}
