import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, rename, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Outside } from "../notes/note.js";
import { soundNote } from "../notes/sound-note.js";
import { isAlive, ownLife, parseLife, parseWriterMark, type Life } from "./life.js";
import { listSpoolFiles, parseLine, readHeader, readPart } from "./read-spool.js";
import { mainFile, outsideFile } from "./spool.js";
import { spoolFolder, spoolsFolder, type SpoolPlace } from "./spool-place.js";

/** A spool as it lies on the disk. */
export interface SpoolInfo {
  folder: string;
  /** The same for as long as the spool exists, whoever claims it. */
  id: string;
  sessionId: string;
  db: string;
  root: string;
  project?: string;
  /** The agent said that it was over, and nothing began after that. */
  hasEnded: boolean;
  /** When it was last written to, in milliseconds since 1970. */
  lastAt: number;
  bytes: number;
  /** Whether the process that stays with the session lives, or the one that claimed the spool; undefined: there was none. */
  isAlive: boolean | undefined;
  /** When somebody claimed it to finish the session, in milliseconds since 1970. */
  claimedAt?: number;
}

// Hooks come with every tool call; an agent that has said nothing for so long waits for a person who has left, or is gone.
const silenceMs = 30 * 60_000;
// Finishing takes a second, and minutes where a language model words the memories.
const finishingMs = 10 * 60_000;
const tailBytes = 64 * 1024;

/** The spools below Tacit's folder that can be read, oldest first; of one work tree and store where a place is given. */
export async function listSpools(home: string, place?: SpoolPlace): Promise<SpoolInfo[]> {
  const names = await readdir(spoolsFolder(home)).catch(() => []);
  const all = await Promise.all(names.map((name) => findInfo(spoolsFolder(home), name)));
  return all
    .filter((info) => info !== undefined)
    .filter(({ db, root }) => !place || (db === place.db && root === place.root))
    .toSorted((a, b) => a.lastAt - b.lastAt);
}

/** True when nothing more is to be expected of a session, or of whoever claimed its spool. */
export function isOver({ claimedAt, hasEnded, isAlive: lives, lastAt }: SpoolInfo, now: number): boolean {
  if (claimedAt !== undefined) return !lives || now - claimedAt > finishingMs;
  return hasEnded || (lives === undefined ? now - lastAt > silenceMs : !lives);
}

/**
 * Takes a spool for this process: its folder gets another name, and what the session still does goes to a new spool.
 * Undefined when somebody else was faster, or when the disk does not allow it.
 */
export async function claimSpool(info: SpoolInfo): Promise<SpoolInfo | undefined> {
  const { pid, started } = ownLife();
  const claimedAt = Date.now();
  const original = info.folder.replace(claim, "");
  const folder = `${original}.finishing-${pid}-${started}-${claimedAt}-${randomUUID()}`;
  if (!(await tryRename(info.folder, folder))) return undefined;
  const id = (await readHeader(folder).catch(() => undefined))?.spool;
  // Somebody finished that spool since it was listed, and this is the next of the same session.
  if (id !== info.id && (await tryRename(folder, info.folder))) return undefined;
  return { ...info, id: id ?? info.id, folder, isAlive: true, claimedAt };
}

/** Removes a spool that has been claimed and taken in. */
export async function removeSpool({ folder }: SpoolInfo): Promise<void> {
  // Under a name by which nobody takes it for a spool: who is ended while removing it leaves files that each have an id
  // of their own, and what is left of it would be taken in once more.
  const gone = `${folder.replace(claim, "")}.gone-${randomUUID()}`;
  await rm((await tryRename(folder, gone)) ? gone : folder, { recursive: true, force: true });
}

/** Removes what killed processes left of spools: those that were being removed, and those in which nothing was written. */
export async function sweepSpools(home: string, now: number): Promise<void> {
  const names = await readdir(spoolsFolder(home)).catch(() => []);
  for (const name of names) {
    const folder = join(spoolsFolder(home), name);
    await (isGone.test(name) ? rm(folder, { recursive: true, force: true }) : removeBlank(folder, now)).catch(
      // Somebody else was faster, or has just begun to write.
      () => undefined,
    );
  }
}

const isGone = /\.gone-[0-9a-f-]+$/;

/**
 * Nothing can be read of a spool without a header. Of one whose writers are all dead, or that nobody has touched for long,
 * everything goes; else only a folder that is empty, which whoever lives makes again.
 */
async function removeBlank(folder: string, now: number): Promise<void> {
  const names = await readdir(folder);
  if (await readHeader(folder)) return;
  const writers = names.map(parseWriterMark).filter((life) => life !== undefined);
  const isDead = anyLives(writers) === false || now - (await stat(folder)).mtimeMs > silenceMs;
  if (isDead) for (const name of names) await rm(join(folder, name));
  await rmdir(folder);
}

/** The first content from outside that a session has seen so far; undefined: none. Costs one look at the disk. */
export function findOutside(place: SpoolPlace, sessionId: string): Outside | undefined {
  let text: string;
  try {
    text = readFileSync(join(spoolFolder(place, sessionId), outsideFile), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return unreadable;
  }
  try {
    return JSON.parse(text) as Outside;
  } catch {
    return unreadable;
  }
}

// That there is a mark says enough.
const unreadable: Outside = { from: "file", what: "unknown" };

const claim = /\.finishing-(\d+-\d+)-(\d+)-[0-9a-f-]+$/;

async function findInfo(spools: string, name: string): Promise<SpoolInfo | undefined> {
  if (!/^[0-9a-f]{32}$/.test(name.replace(claim, ""))) return undefined;
  const folder = join(spools, name);
  try {
    const names = await readdir(folder);
    const header = await readHeader(folder);
    if (!header) return undefined;
    const { spool: id, sessionId, db, root, project } = header;
    const [, claimer, claimedAt] = claim.exec(name) ?? [];
    const writers = claimer === undefined ? names.map(parseWriterMark) : [parseLife(claimer)];
    return {
      folder,
      id,
      sessionId,
      db,
      root,
      ...(project !== undefined && { project }),
      hasEnded: names.includes(mainFile) && (await endsWithEnd(join(folder, mainFile))),
      ...(await measure(folder, names)),
      isAlive: anyLives(writers.filter((life) => life !== undefined)),
      ...(claimedAt !== undefined && { claimedAt: Number(claimedAt) }),
    };
  } catch {
    // Claimed or removed while it was looked at.
    return undefined;
  }
}

function anyLives(lives: Life[]): boolean | undefined {
  return lives.length === 0 ? undefined : lives.some(isAlive);
}

/** Late answers may follow the end of a session; a beginning or a prompt means that it was taken up again. */
async function endsWithEnd(path: string): Promise<boolean> {
  const tail = await readPart(path, -tailBytes, tailBytes);
  const last = tail
    .split("\n")
    .filter((line) => /"kind":"(?:end|start|prompt)"/.test(line))
    .map((line) => soundNote(parseLine(line)))
    .findLast((note) => note !== undefined && ["end", "start", "prompt"].includes(note.kind));
  return last?.kind === "end";
}

async function measure(folder: string, names: readonly string[]): Promise<{ bytes: number; lastAt: number }> {
  const found = await Promise.all(listSpoolFiles(names).map((name) => stat(join(folder, name))));
  return {
    bytes: found.reduce((sum, { size }) => sum + size, 0),
    lastAt: Math.max(...found.map(({ mtimeMs }) => mtimeMs)),
  };
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch {
    return false;
  }
}
