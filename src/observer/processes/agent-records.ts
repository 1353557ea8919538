import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../base/files/files.js";
import { isAlive, nameOfProcess, parseProcessIdentity, type ProcessIdentity } from "./process-identity.js";
import { ownNamespace } from "./read-process.js";

/** Where sessions are noted, and for which store: a spool's place. */
export interface RecordPlace {
  home: string;
  /** A file by its whole path, or the address of a server. */
  db: string;
  root: string;
  project?: string;
}

/** A session, and the process of the agent that has it. What that process starts speaks for the agent. */
export interface AgentRecord extends RecordPlace {
  sessionId: string;
  /** The store by its real name, whichever way led to it. */
  store?: string;
  /** When it began, or was taken up again, in milliseconds since 1970. */
  at: number;
  /** When this process was first seen to have it. */
  since?: number;
  /** The agent said so; what it started before then still speaks for this session. */
  overAt?: number;
  /** The process is the agent only while it has a session: a program that does other things, too. */
  isResident?: true;
  /** The processes that the first event came from, as long as it is only a guess which of them is the agent. */
  first?: string[];
  /** Some of what it did was not noted, because of settings: nobody knows what it has read. */
  isUnwatched?: true;
  /** Until when its notes were taken in and are gone. */
  takenInAt?: number;
  /** When the process was first seen to be gone. What it had left running still speaks for it. */
  goneAt?: number;
  /** In which the number of the process counts; a container has one of its own. */
  namespace?: string;
}

/** A record, and the process that its file is named after. */
export interface FoundRecord extends AgentRecord {
  agent: ProcessIdentity;
  file: string;
}

const folderName = "agent-processes";
// Those of dead processes are removed with each new one; more of one process, or to sweep, is somebody's mischief.
const maxRecords = 1000;
// What an agent has left running when it ended is mostly over by then.
const goneMs = 24 * 3_600_000;
// Nobody can tell whether a process of another container lives: its record goes when it has long not been written.
const foreignMs = 30 * 24 * 3_600_000;
// What is about to get its name takes no longer.
const halfMs = 60_000;

/**
 * Writes down which process a session's agent is. Beside the store, so that a command finds it whatever its environment says; for a
 * store on a server in Tacit's folder. Throws what the disk says.
 */
export function writeRecord(agent: ProcessIdentity, record: AgentRecord): void {
  const folder = recordFolder(record.db, record.home);
  makeFolder(folder, { sync: false });
  sweep(folder);
  const file = join(folder, `${nameOfProcess(agent)}.${keyOf(record)}`);
  const half = `${file}-${process.pid}`;
  const written: AgentRecord = { ...record, store: realStore(record.db), namespace: ownNamespace() };
  writeFileSync(half, JSON.stringify(written), { mode: 0o600 });
  renameSync(half, file);
}

export function removeRecord({ file }: Pick<FoundRecord, "file">): void {
  rmSync(file, { force: true });
}

/** The records of a store below these homes that pass, by the process that each is of. */
export function listRecords(
  db: string,
  homes: readonly string[],
  passes: (agent: ProcessIdentity) => boolean,
): FoundRecord[] {
  const store = realStore(db);
  const folders = new Set(homes.map((home) => recordFolder(db, home)));
  return [...folders].flatMap((folder) =>
    // Counted for each process by itself: who writes a thousand records of others, such as the first process, hides none.
    namesPassing(folder, passes).flatMap(([name, agent]) => {
      const record = readRecord(join(folder, name));
      return record && isSameStore(record.store, store) && !isForeign(record)
        ? [{ ...record, agent, file: join(folder, name) }]
        : [];
    }),
  );
}

function namesPassing(
  folder: string,
  passes: (agent: ProcessIdentity) => boolean,
): (readonly [name: string, agent: ProcessIdentity])[] {
  const counts = new Map<string, number>();
  return allNamesIn(folder).flatMap((name) => {
    const agent = agentOf(name);
    if (!agent) return [];
    const key = nameOfProcess(agent);
    const count = counts.get(key) ?? (passes(agent) ? 0 : Infinity);
    counts.set(key, count + 1);
    return count < maxRecords ? [[name, agent] as const] : [];
  });
}

/** A store may be moved with the folder beside it, and a server has many addresses. */
function isSameStore(one: string | undefined, other: string): boolean {
  if (one === undefined) return false;
  return isServer(other) ? isServer(one) : !isServer(one) && basename(one) === basename(other);
}

/** Those of one session, whichever process it is in. */
export function listRecordsOf(place: RecordPlace, sessionId: string): FoundRecord[] {
  const folder = recordFolder(place.db, place.home);
  const ending = `.${keyOf({ ...place, sessionId })}`;
  return namesIn(folder).flatMap((name) => {
    const agent = name.endsWith(ending) ? agentOf(name) : undefined;
    const record = agent && readRecord(join(folder, name));
    const isOwn = record?.sessionId === sessionId && !isForeign(record);
    return agent && isOwn ? [{ ...record, agent, file: join(folder, name) }] : [];
  });
}

function recordFolder(db: string, home: string): string {
  return isServer(db) ? join(home, folderName) : join(dirname(realStore(db)), folderName);
}

/** The store by its real name: a link to its file is the same store. */
function realStore(db: string): string {
  if (isServer(db)) return db;
  try {
    return realpathSync.native(db);
  } catch {
    return db;
  }
}

function isServer(db: string): boolean {
  return /^[a-z][a-z+.-]+:\/\//i.test(db);
}

function keyOf({ db, root, project = "", sessionId }: RecordPlace & { sessionId: string }): string {
  return createHash("sha256")
    .update(`${realStore(db)}\0${root}\0${project}\0${sessionId}`)
    .digest("hex")
    .slice(0, 16);
}

function agentOf(name: string): ProcessIdentity | undefined {
  const [, agent] = /^(\d+-\d+)\.[0-9a-f]{16}$/.exec(name) ?? [];
  return agent === undefined ? undefined : parseProcessIdentity(agent);
}

function namesIn(folder: string): string[] {
  return allNamesIn(folder).slice(0, maxRecords);
}

function allNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readRecord(file: string): AgentRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, "utf8")) as AgentRecord;
    const texts = [record.sessionId, record.home, record.db, record.root];
    return texts.every((text) => typeof text === "string") ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Of a process in another container, whose number says nothing here. */
function isForeign({ namespace }: AgentRecord): boolean {
  return namespace !== undefined && namespace !== ownNamespace();
}

function sweep(folder: string): void {
  for (const name of namesIn(folder)) {
    const agent = agentOf(name);
    // What is no record is half a one of a process that was killed, or of one that is about to rename it.
    const writer = agent ?? parseProcessIdentity(`${name.split("-").at(-1) ?? ""}-0`);
    if (!writer || isAlive(writer)) continue;
    const file = join(folder, name);
    const record = agent && readRecord(file);
    if (record && agent && !isForeign(record) && record.goneAt === undefined) {
      writeFileSync(file, JSON.stringify({ ...record, goneAt: Date.now() }), { mode: 0o600 });
      continue;
    }
    const leastMs = record ? (isForeign(record) ? foreignMs : goneMs) : agent ? 0 : halfMs;
    if (ageOf(file) >= leastMs) rmSync(file, { force: true });
  }
}

function ageOf(file: string): number {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return written === undefined ? 0 : Math.max(0, Date.now() - written);
}
