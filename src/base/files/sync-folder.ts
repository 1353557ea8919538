import { closeSync, fsyncSync, openSync } from "node:fs";

// The disk itself failed. Any other refusal says only that this system or this folder knows no such request.
const failures = new Set(["EIO", "ENOSPC", "EDQUOT"]);

/**
 * Waits until the names in a folder are on disk. A file whose bytes are synced can still lose its name in a power cut, and
 * one that was renamed over another can turn back into the older one. Windows has no such request; some network and FUSE
 * file systems refuse it, and a folder that may be written but not read cannot be opened: there nothing more can be done.
 */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  let handle: number | undefined;
  try {
    handle = openSync(folder, "r");
    fsyncSync(handle);
  } catch (error) {
    if (failures.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
