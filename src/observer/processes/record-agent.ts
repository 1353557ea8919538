import { readFileSync } from "node:fs";
import {
  listRecords,
  listRecordsOf,
  removeRecord,
  writeRecord,
  type AgentRecord,
  type FoundRecord,
  type RecordPlace,
} from "./agent-records.js";
import { currentProcess, isAlive, nameOfProcess, type ProcessIdentity } from "./process-identity.js";
import { lineage, readLineage, type SeenProcess } from "./read-process.js";

/** An event of a session, as far as it tells whose process has it. */
export interface HookEvent {
  sessionId: string;
  isStart: boolean;
  isEnd: boolean;
}

/**
 * Writes down the process of the agent that a hook works for: the nearest one that two hooks of the session come from. The first hook
 * can only guess: the nearest that is neither a shell nor was started with the hook's own words, as by `npx`. With `isOneEvent` this
 * process lives for one event; else it may be the agent itself, and a first event proves nothing. A hook that has outlived its agent
 * says nothing of any process.
 */
export function recordHook(
  place: RecordPlace,
  event: HookEvent,
  { isOneEvent, lineage: seen = lineage() }: { isOneEvent: boolean; lineage?: readonly SeenProcess[] },
): void {
  const chain = candidatesIn(seen);
  if (chain.length === 0) return;
  const names = chain.map(nameOfProcess);
  const known = listRecordsOf(place, event.sessionId);
  const own = known.find(({ agent }) => names.includes(nameOfProcess(agent)));
  if (own && own.first === undefined) return settledRecord(own, event);
  // The same process twice proves nothing, if it lives for one event.
  if (own && isOneEvent && own.first?.[0] === names[0]) return;
  const earlier = event.isStart ? undefined : (own ?? known.find(({ first }) => first !== undefined));
  const common = earlier && chain.find((one) => earlier.first?.includes(nameOfProcess(one)));
  const record: AgentRecord = { ...place, sessionId: event.sessionId, at: Date.now(), ...continuing(known, earlier) };
  if (common) {
    writeRecord(common, record);
    if (earlier && nameOfProcess(earlier.agent) !== nameOfProcess(common)) removeRecord(earlier);
    return;
  }
  const guess = isOneEvent ? chain.slice(1).find((one) => !isWrapper(one)) : undefined;
  // An agent that is settled and lives has hooks that come from it: this one is of no agent, or comes too late.
  const settled = known.filter(({ first }) => first === undefined);
  if (settled.length > 0 && !event.isStart && (!guess || settled.some(({ agent }) => livesApart(agent, guess)))) return;
  // A process that may be the agent itself is written down as that: it is nobody's child, and its children are not there yet.
  writeRecord(guess ?? currentProcess(), { ...record, first: names });
}

/** A server that an agent has started may have its session, too, and comes from it. */
function livesApart(settled: ProcessIdentity, guess: ProcessIdentity): boolean {
  const name = nameOfProcess(guess);
  return isAlive(settled) && !readLineage(settled.pid).some((one) => nameOfProcess(one) === name);
}

/** What does not change where the same session is found in another process, or in the same one again. */
function continuing(known: readonly FoundRecord[], earlier?: FoundRecord): Partial<AgentRecord> {
  const takenIn = known.map(({ takenInAt }) => takenInAt).filter((at) => at !== undefined);
  return {
    since: earlier?.since ?? Date.now(),
    ...(known.some((one) => one.isUnwatched) && { isUnwatched: true }),
    ...(takenIn.length > 0 && { takenInAt: Math.max(...takenIn) }),
  };
}

/** Notes of a session, in whichever processes it is, that nobody watched all of it. */
export function recordUnwatched(place: RecordPlace, sessionId: string): void {
  for (const { agent, file: _file, ...record } of listRecordsOf(place, sessionId)) {
    if (!record.isUnwatched) writeRecord(agent, { ...record, isUnwatched: true });
  }
}

/** Whether nobody watched all of a session, as far as its processes live. */
export function isUnwatched(place: RecordPlace, sessionId: string): boolean {
  return listRecordsOf(place, sessionId).some((record) => record.isUnwatched);
}

/** Notes of a session that what was noted of it until now is about to go. */
export function recordTakenIn(place: RecordPlace, sessionId: string): void {
  const takenInAt = Date.now();
  for (const { agent, file: _file, ...record } of listRecordsOf(place, sessionId)) {
    writeRecord(agent, { ...record, takenInAt });
  }
}

/** Writes down that this process is the agent of a session. */
export function recordResident(place: RecordPlace, sessionId: string): void {
  if (lineage().length === 0) return;
  const known = listRecordsOf(place, sessionId);
  const own = known.find(({ agent }) => nameOfProcess(agent) === nameOfProcess(currentProcess()));
  writeRecord(currentProcess(), { ...place, sessionId, at: Date.now(), ...continuing(known, own) });
}

/** What the process started until now still speaks for the session. */
export function forgetResident(place: RecordPlace, sessionId: string): void {
  const own = nameOfProcess(currentProcess());
  for (const { agent, file: _file, ...record } of listRecordsOf(place, sessionId)) {
    if (nameOfProcess(agent) === own) writeRecord(agent, { ...record, isResident: true, overAt: Date.now() });
  }
  const over = listRecords(place.db, [place.home], (agent) => nameOfProcess(agent) === own)
    .filter(({ overAt }) => overAt !== undefined)
    .toSorted((a, b) => (b.overAt ?? 0) - (a.overAt ?? 0));
  for (const record of over.slice(maxOver)) removeRecord(record);
}

// Of a process that lives for weeks: few of its children are older than this many of its sessions.
const maxOver = 50;

function settledRecord(found: FoundRecord, { isStart, isEnd }: HookEvent): void {
  const { agent, file: _file, ...record } = found;
  if (isEnd && record.overAt === undefined) writeRecord(agent, { ...record, overAt: Date.now() });
  if (!isStart) return;
  const { overAt: _over, ...again } = record;
  writeRecord(agent, { ...again, at: Date.now() });
}

/**
 * Up to the shell that a person types into, or to the process that took in what had lost its parent: nothing from there on is an
 * agent, and everything of the person may come from it.
 */
function candidatesIn(chain: readonly SeenProcess[]): SeenProcess[] {
  const end = chain.findIndex((one, index) => {
    const child = chain[index - 1];
    return (one.hasTerminal && one.leader === one.pid && isShell(one)) || (child !== undefined && isReaper(one, child));
  });
  return chain.slice(0, end < 0 ? undefined : end);
}

/**
 * Whether a process is only the one that the system gave a child to whose parent had ended. A process has its parent's session or
 * leads one of its own, so that a child in the session of somebody else was another's. One that does lead its own may be anybody's:
 * then it is the first process, or the manager of a user's processes by the place that only it has.
 */
function isReaper(one: SeenProcess, child: SeenProcess): boolean {
  if (one.pid === 1) return child.leader !== 1;
  if (one.leader === child.leader || one.leader === 0) return false;
  return child.leader !== child.pid || isManager(one);
}

function isManager({ pid }: ProcessIdentity): boolean {
  try {
    return /\/init\.scope$/m.test(readFileSync(`/proc/${pid}/cgroup`, "utf8"));
  } catch {
    return false;
  }
}

function isWrapper(one: SeenProcess): boolean {
  if (isShell(one)) return true;
  const words = process.argv.slice(2).filter((word) => !word.startsWith("-"));
  const line = commandLineOf(one);
  return words.length > 0 && words.every((word) => line.includes(word));
}

function isShell({ name }: SeenProcess): boolean {
  return /^-?(?:ba|da|a|z|k|mk|c|tc|fi)?sh$|^(?:busybox|nu|pwsh)$/.test(name);
}

function commandLineOf({ pid }: ProcessIdentity): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
