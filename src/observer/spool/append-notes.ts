import { createHash, randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  fsyncSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolder, syncFolder } from "../../base/files/files.js";
import type { Note, UntrustedSource } from "../observer.js";
import { currentProcess, writerMark } from "../processes/process-identity.js";
import { hasLittleValue } from "./little-value.js";
import { untrustedSourceIn, possibleUntrustedSourceIn, untrustedFile, untrustedUnnotedFile } from "./untrusted-mark.js";
import { spoolFolder, type SpoolPlace } from "./spool-place.js";

/** The first line of a spool's files. It stands again where a line before it may be cut; the first one counts. */
export interface SpoolHeader {
  /** A UUID. */
  spool: string;
  sessionId: string;
  db: string;
  root: string;
  project?: string;
  /** Absent: the main agent. */
  agentId?: string;
}

export interface AppendOptions {
  /** Waits for the disk without giving way, for the last moment of a process. */
  sync?: boolean;
  /** The process stays for as long as the session goes on: when it is gone, the session is over. */
  stays?: boolean;
}

export const mainFile = "main.jsonl";
/** The agent that stands for all those who came when there were too many. */
export const othersName = "others";

const megabyte = 1024 * 1024;
// The room that a session has; then the little that is left is for what tells most, and for its end.
const fullBytes = 50 * megabyte;
const overflowBytes = 60 * megabyte;
const lastBytes = 61 * megabyte;
// An agent that gives each event another id must not fill the disk with files.
const maxAgents = 256;

/**
 * Writes notes to the spool of a session, which is made where there is none. However many processes do so at once, each
 * line stays whole, and what one process writes stays in order. All is written when this function first gives way;
 * the promise is kept when it is also safe from a loss of power, where a note ends a session or a part of the work.
 *
 * Over 50 MB notes that tell little are left out, over 60 MB all but the end; a mark says so where one of them may have
 * brought content from outside. Throws what the disk says.
 */
export async function appendNotes(
  place: SpoolPlace,
  sessionId: string,
  agentId: string | undefined,
  notes: readonly Note[],
  { sync = false, stays = false }: AppendOptions = {},
): Promise<void> {
  const file = appendLines(place, sessionId, agentId, notes, stays);
  if (file === undefined) return;
  try {
    if (!notes.some(({ kind }) => kind === "unit" || kind === "end")) return;
    if (sync) fsyncSync(file);
    else await new Promise<void>((done, fail) => fsync(file, (error) => (error ? fail(error) : done())));
    syncFolders(place, sessionId);
  } finally {
    closeSync(file);
  }
}

/** From the spool's own up to the one above Tacit's, any of which may have been made for this session. */
function syncFolders(place: SpoolPlace, sessionId: string): void {
  const folder = spoolFolder(place, sessionId);
  for (const each of [folder, dirname(folder), place.home, dirname(place.home)]) syncFolder(each);
}

/** The open file; undefined where there was nothing to write. */
function appendLines(
  place: SpoolPlace,
  sessionId: string,
  agentId: string | undefined,
  notes: readonly Note[],
  stays: boolean,
): number | undefined {
  if (notes.length === 0) return undefined;
  const folder = spoolFolder(place, sessionId);
  for (let attempt = 1; ; attempt++) {
    try {
      // An agent waits for each of its events to be noted, so nothing is waited for here. The disk is, once, for the notes
      // that end a session or a part of the work.
      makeFolder(folder, { sync: false });
      const room = lookInto(folder);
      const kept = notes.filter((note) => mayBeKept(note, room.bytes));
      const left = notes.filter((note) => !mayBeKept(note, room.bytes));
      // Before the notes: whoever is ended in between leaves a session that is trusted less, not more.
      const outside = kept.map(untrustedSourceIn).find((one) => one !== undefined);
      if (outside && !room.names.has(untrustedFile)) mark(folder, untrustedFile, JSON.stringify(outside));
      const unnoted = left.map(possibleUntrustedSourceIn).find((one) => one !== undefined);
      if (unnoted && !room.names.has(untrustedUnnotedFile)) mark(folder, untrustedUnnotedFile, JSON.stringify(unnoted));
      if (kept.length === 0) return undefined;
      if (stays && !room.names.has(writerMark(currentProcess()))) mark(folder, writerMark(currentProcess()), "");
      const agent = agentOf(agentId, room.names);
      return writeLines(join(folder, fileOf(agent)), kept, () => headerOf(place, sessionId, agent));
    } catch (error) {
      // The spool was claimed a moment ago, and its folder has another name now.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === 3) throw error;
    }
  }
}

/** Marks all of a session as resting on an untrusted source. Throws what the disk says. */
export function markUntrusted(place: SpoolPlace, sessionId: string, source: UntrustedSource): void {
  const folder = spoolFolder(place, sessionId);
  makeFolder(folder, { sync: false });
  mark(folder, untrustedUnnotedFile, JSON.stringify(source));
}

/** Marks what is noted of a session as not all of it. Makes nothing where nothing is noted. */
export function markUnwatched(place: SpoolPlace, sessionId: string): void {
  if (existsSync(spoolFolder(place, sessionId))) markUntrusted(place, sessionId, { from: "unwatched", what: "" });
}

function lookInto(folder: string): { names: Set<string>; bytes: number } {
  const names = new Set(readdirSync(folder));
  let bytes = 0;
  for (const name of names) {
    if (name.endsWith(".jsonl")) bytes += statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return { names, bytes };
}

function mayBeKept(note: Note, bytes: number): boolean {
  if (bytes < fullBytes) return true;
  if (note.kind === "end") return bytes < lastBytes;
  return bytes < overflowBytes && !hasLittleValue(note);
}

function mark(folder: string, name: string, text: string): void {
  try {
    const file = openSync(join(folder, name), "wx", 0o600);
    writeSync(file, text);
    closeSync(file);
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function agentOf(agentId: string | undefined, names: ReadonlySet<string>): string | undefined {
  if (agentId === undefined || names.has(fileOf(agentId))) return agentId;
  return names.size < maxAgents ? agentId : othersName;
}

/** The file of an agent in the folder of a spool. */
export function fileOf(agentId: string | undefined): string {
  if (agentId === undefined) return mainFile;
  return `agent-${createHash("sha256").update(agentId).digest("hex").slice(0, 16)}.jsonl`;
}

function headerOf({ db, root, project }: SpoolPlace, sessionId: string, agentId: string | undefined): SpoolHeader {
  return {
    spool: randomUUID(),
    sessionId,
    db,
    root,
    ...(project !== undefined && { project }),
    ...(agentId !== undefined && { agentId }),
  };
}

function writeLines(path: string, notes: readonly Note[], header: () => SpoolHeader): number {
  const file = openSync(path, "a+", 0o600);
  try {
    const lines = notes.map((note) => `${JSON.stringify(note)}\n`).join("");
    const { size } = fstatSync(file);
    // Seen while another process writes, it only looks cut: then there is an empty line and a header too many. Two
    // that find it empty both write a header, and the first counts for everybody.
    const isCut = size > 0 && !endsItsLine(file, size);
    const text = size === 0 || isCut ? `${isCut ? "\n" : ""}${JSON.stringify(header())}\n${lines}` : lines;
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;) done += writeSync(file, bytes, done);
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function endsItsLine(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 0x0a;
}
