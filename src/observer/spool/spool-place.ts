import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withUpperCaseDrive } from "../../base/files/files.js";

/** Whose sessions a spool holds: those of one work tree, for one project of one store. Made by `openSpoolPlace`. */
export interface SpoolPlace {
  /** Tacit's folder. */
  home: string;
  /** The store that the session will be taken into. */
  db: string;
  root: string;
  /** The id of a project that was named rather than found. */
  project?: string;
}

/**
 * The place of a work tree's spools, the same however its store was written; undefined for a store in memory, of which
 * nothing is to stay. Credentials in an address are left out.
 *
 * @example openSpoolPlace({ home: "/home/ada/.tacit", db: "memory.db", root: "/home/ada/app" })
 */
export function openSpoolPlace({ db, ...place }: SpoolPlace): SpoolPlace | undefined {
  return db === ":memory:" ? undefined : { ...place, db: nameOf(db) };
}

/** The folder of a session's spool, whether it exists or not. */
export function spoolFolder({ home, db, root, project = "" }: SpoolPlace, sessionId: string): string {
  const key = createHash("sha256").update(`${db}\0${root}\0${project}\0${sessionId}`).digest("hex").slice(0, 32);
  return join(spoolsFolder(home), key);
}

export function spoolsFolder(home: string): string {
  return join(home, "sessions");
}

function nameOf(db: string): string {
  if (/^(?!file:)[a-z]+:\/\//i.test(db)) {
    const { protocol, host, pathname } = new URL(db);
    return `${protocol}//${host}${pathname}`;
  }
  const path = /^file:/i.test(db) ? fileURLToPath(db) : resolve(db);
  // The folder alone: the file may be made later, and must not have another name then.
  return join(realFolder(dirname(path)), basename(path));
}

/** The folder by its real path, as far as it exists. */
export function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return dirname(folder) === folder
      ? withUpperCaseDrive(folder)
      : join(realFolder(dirname(folder)), basename(folder));
  }
}
