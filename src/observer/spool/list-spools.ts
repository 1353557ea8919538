import { randomUUID } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { appendFile, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { validateNote } from "../notes/validate-note.js";
import {
  isAlive,
  currentProcess,
  parseProcessIdentity,
  parseWriterMark,
  type ProcessIdentity,
} from "../processes/process-identity.js";
import { recordTakenIn } from "../processes/processes.js";
import { claim, failed, partsAmong, suffix } from "./part-names.js";
import { headerIn, listSpoolFiles, parseLine, readHeader, readPart } from "./read-spool.js";
import { mainFile } from "./append-notes.js";
import { spoolsFolder, type SpoolPlace } from "./spool-place.js";

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
  /** Whether the process that stays with the session lives, or the one that claimed the spool; undefined: there was none. */
  isAlive: boolean | undefined;
  /** When somebody claimed it to finish the session, in milliseconds since 1970. */
  claimedAt?: number;
  /** It could not be taken in, time and again, and lies aside. */
  hasFailed?: true;
}

// Hooks come with every tool call; an agent that has said nothing for so long waits for a person who has left, or is gone.
export const silenceMs = 30 * 60_000;
// Finishing takes a second, and minutes where a language model words the memories.
const finishingMs = 10 * 60_000;
const tailBytes = 64 * 1024;
// What hinders once may be over at the next time; what hinders three times is in the session itself.
const maxFailures = 3;

/**
 * The spools below Tacit's folder that can be read, oldest first; of one place where it is given. A session begins with this
 * and its agent waits: 50 spools take about 8 ms, and took 15 when it gave way for each file
 * (2026-11).
 */
export async function listSpools(home: string, place?: SpoolPlace): Promise<SpoolInfo[]> {
  const names = await readdir(spoolsFolder(home)).catch(() => []);
  return names
    .map((name) => findInfo(spoolsFolder(home), name, place))
    .filter((info) => info !== undefined)
    .toSorted((a, b) => a.lastAt - b.lastAt);
}

export function isSpoolOf(
  { db, root, project }: Pick<SpoolInfo, "db" | "root" | "project">,
  place: SpoolPlace,
): boolean {
  return db === place.db && root === place.root && project === place.project;
}

/** Ids of the sessions of a place that go on and that somebody watches. */
export async function listRunningSessions(place: SpoolPlace, now: number): Promise<string[]> {
  const spools = await listSpools(place.home, place);
  const running = spools.filter((spool) => spool.claimedAt === undefined && !spool.hasFailed && !isOver(spool, now));
  const watched = await Promise.all(running.map(({ folder }) => isWatched(folder)));
  return running.filter((_, index) => watched[index]).map(({ sessionId }) => sessionId);
}

/** What an agent was told, or asked to remember, is noted by Tacit itself: nobody need have seen what it did. */
async function isWatched(folder: string): Promise<boolean> {
  const names = listSpoolFiles(await readdir(folder).catch(() => []));
  return names.some((name) => deeds.test(readPart(join(folder, name), 0, tailBytes).toString("utf8")));
}

const deeds = /"kind":"(?:prompt|call|result|said|step|unit|subagent|qa|commit)"|"kind":"start",[^\n]*"agent":/;

/** The folders of all that was noted of a session and not taken in yet, the one that is written to last. */
export async function listParts(place: SpoolPlace, sessionId: string): Promise<string[]> {
  const names = await readdir(spoolsFolder(place.home)).catch(() => []);
  return partsAmong(names, place, sessionId);
}

/** True when nothing more is to be expected of a session, or of whoever claimed its spool. */
export function isOver({ claimedAt, hasEnded, hasFailed, isAlive: lives, lastAt }: SpoolInfo, now: number): boolean {
  if (hasFailed) return false;
  if (claimedAt !== undefined) return !lives || now - claimedAt > finishingMs;
  return hasEnded || (lives === undefined ? now - lastAt > silenceMs : !lives);
}

/** Whether a session of a place is over that nobody has learned from. */
export async function isAnyOver(place: SpoolPlace): Promise<boolean> {
  const now = Date.now();
  return (await listSpools(place.home, place)).some((spool) => isOver(spool, now));
}

/**
 * Takes a spool for this process: its folder gets another name, and what the session still does goes to a new spool.
 * Undefined when somebody else was faster, or when the disk does not allow it.
 */
export async function claimSpool(info: SpoolInfo): Promise<SpoolInfo | undefined> {
  const { pid, started } = currentProcess();
  const claimedAt = Date.now();
  const original = info.folder.replace(suffix, "");
  const folder = `${original}.finishing-${pid}-${started}-${claimedAt}-${randomUUID()}`;
  if (!(await tryRename(info.folder, folder))) return undefined;
  noteTakenIn(info);
  const id = (await readHeader(folder).catch(() => undefined))?.spool;
  // Somebody finished that spool since it was listed, and this is the next of the same session.
  if (id !== info.id && (await tryRename(folder, info.folder))) return undefined;
  return { ...info, id: id ?? info.id, folder, isAlive: true, claimedAt };
}

/** What the agent's calls had started is known by these notes alone: the record of its process says until when they went. */
function noteTakenIn(info: SpoolInfo): void {
  try {
    recordTakenIn({ ...info, home: dirname(dirname(info.folder)) }, info.sessionId);
  } catch {
    // Without the record nothing that is left of those calls passes for a hook either.
  }
}

/** Removes a spool that has been claimed and taken in. */
export async function removeSpool(info: SpoolInfo): Promise<void> {
  const { folder } = info;
  if (info.claimedAt === undefined) noteTakenIn(info);
  // Under a name by which nobody takes it for a spool: who is ended while removing it leaves files that each have an id
  // of their own, and what is left of it would be taken in once more.
  const gone = `${folder.replace(suffix, "")}.gone-${randomUUID()}`;
  await rm((await tryRename(folder, gone)) ? gone : folder, { recursive: true, force: true });
}

/**
 * Gives back a spool that was claimed and could not be taken in. Where the session itself is the reason, it is set aside
 * after the third time.
 */
export async function releaseSpool({ folder }: SpoolInfo, { isItsFault }: { isItsFault: boolean }): Promise<void> {
  const original = folder.replace(suffix, "");
  if (isItsFault && (await countFailure(folder)) >= maxFailures) {
    if (await tryRename(folder, `${original}.failed-${randomUUID()}`)) return;
  }
  // Where the session has gone on in a new spool, as one that nobody who lives has claimed.
  if (!(await tryRename(folder, original))) await tryRename(folder, `${original}.finishing-0-0-0-${randomUUID()}`);
}

/** One byte for each: there may be no other process that remembers. */
async function countFailure(folder: string): Promise<number> {
  try {
    await appendFile(join(folder, "failures"), ".", { mode: 0o600 });
    return (await stat(join(folder, "failures"))).size;
  } catch {
    return 0;
  }
}

function findInfo(spools: string, name: string, place: SpoolPlace | undefined): SpoolInfo | undefined {
  if (!/^[0-9a-f]{32}$/.test(name.replace(suffix, ""))) return undefined;
  const folder = join(spools, name);
  try {
    const names = readdirSync(folder);
    const header = headerIn(folder, names);
    if (!header || (place && !isSpoolOf(header, place))) return undefined;
    const { spool: id, sessionId, db, root, project } = header;
    const [, claimer, claimedAt] = claim.exec(name) ?? [];
    const writers = claimer === undefined ? names.map(parseWriterMark) : [parseProcessIdentity(claimer)];
    return {
      folder,
      id,
      sessionId,
      db,
      root,
      ...(project !== undefined && { project }),
      hasEnded: names.includes(mainFile) && endsWithEnd(join(folder, mainFile)),
      lastAt: findLastWrite(folder, names),
      isAlive: isAnyAlive(writers.filter((life) => life !== undefined)),
      ...(claimedAt !== undefined && { claimedAt: Number(claimedAt) }),
      ...(failed.test(name) && { hasFailed: true }),
    };
  } catch {
    // Claimed or removed while it was looked at.
    return undefined;
  }
}

export function isAnyAlive(lives: ProcessIdentity[]): boolean | undefined {
  return lives.length === 0 ? undefined : lives.some(isAlive);
}

/** Late answers may follow the end of a session; a beginning or a prompt means that it was taken up again. */
function endsWithEnd(path: string): boolean {
  const tail = readPart(path, -tailBytes, tailBytes);
  for (let end = tail.length; end > 0;) {
    const place = Math.max(...telling.map((kind) => tail.lastIndexOf(kind, end - 1)));
    if (place === -1) return false;
    const start = tail.lastIndexOf(0x0a, place) + 1;
    const note = validateNote(parseLine(tail.toString("utf8", start, lineEnd(tail, place))));
    if (note?.kind === "end") return true;
    if (note?.kind === "start" || note?.kind === "prompt") return false;
    end = start;
  }
  return false;
}

const telling = ["end", "start", "prompt"].map((kind) => `"kind":"${kind}"`);

function lineEnd(bytes: Buffer, place: number): number {
  const end = bytes.indexOf(0x0a, place);
  return end === -1 ? bytes.length : end;
}

function findLastWrite(folder: string, names: readonly string[]): number {
  return Math.max(...listSpoolFiles(names).map((name) => statSync(join(folder, name)).mtimeMs));
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch {
    return false;
  }
}
