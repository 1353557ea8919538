import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.js";

/**
 * Makes a folder, with those above it, that only its owner may enter. Each is on disk before anything is put into it,
 * unless `sync` is false. Not by mkdir's own `recursive`, which never returns where the system says "no such folder" to
 * making one, as below /proc.
 */
export function makeFolder(path: string, { sync = true }: { sync?: boolean } = {}): void {
  if (existsSync(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), { sync });
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  if (sync) syncFolder(dirname(path));
}
