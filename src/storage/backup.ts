import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { MemoryError } from "../base/memory-error.js";
import { copyServer } from "./copy-server.js";
import { makeFolder, renameOver, syncFolder } from "../base/files/files.js";
import { toMemoryError } from "./store-error.js";
import type { Store } from "./storage.js";

/**
 * Copies the whole database into a new file while others go on writing. The file appears complete or not at all, and
 * one that exists is never overwritten. Returns its size.
 */
export async function backUp(store: Store, target: string): Promise<number> {
  if (typeof target !== "string" || target === "") {
    throw new MemoryError("invalid-input", "A back-up needs a file to go to.", 'backup("memory-copy.db")');
  }
  const file = resolve(target);
  if (!store.exists) {
    throw new MemoryError("backup-refused", "There is nothing to back up yet.", "Remember something first.");
  }
  refuseExisting(file);
  const unfinished = `${file}.${randomUUID()}.part`;
  try {
    makeFolder(dirname(file));
    if (store.location.kind === "remote") await copyServer(store, unfinished);
    else {
      // SQLite would make it for everybody to read; into one that is empty it writes as into none.
      closeSync(openSync(unfinished, "wx", 0o600));
      await store.maintain("VACUUM INTO :file", { file: unfinished }, store.timeoutMs);
    }
    syncFile(unfinished);
    publish(unfinished, file);
    syncFolder(dirname(file));
  } catch (error) {
    for (const side of ["", "-journal"]) rmSync(`${unfinished}${side}`, { force: true });
    throw aboutTarget(error, file, store.timeoutMs);
  }
  return statSync(file).size;
}

/** What went wrong with writing is about the copy, not about the store, which was only read. */
function aboutTarget(error: unknown, file: string, timeoutMs: number): unknown {
  const aboutSource = error instanceof MemoryError && ["store-damaged", "store-locked"].includes(error.code);
  if (aboutSource) return error;
  const cause = error instanceof MemoryError ? (error.cause ?? error) : error;
  return toMemoryError(cause, { kind: "file", path: file }, timeoutMs);
}

/** Its bytes before its name: a copy that a power cut leaves empty would stand in the way of the next one. */
function syncFile(file: string): void {
  const handle = openSync(file, "r+");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Gives the copy its name. A link fails where a file exists; a rename would replace it. */
function publish(unfinished: string, file: string): void {
  try {
    linkSync(unfinished, file);
  } catch (error) {
    refuseExisting(file);
    if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;
    // Some file systems have no links.
    return renameOver(unfinished, file);
  }
  rmSync(unfinished);
}

function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new MemoryError("backup-refused", `${file} exists already.`, "A back-up never overwrites: name a new file.");
}
