import type { MemoryWriter } from "../../memory/change/change.js";
import { addProvenance } from "../../memory/write/write.js";
import type { Project } from "../../project/project.js";
import { storeMemories } from "../../memory/remember/remember.js";
import { addCommits, noteAskedMerge, noteStartCommit, type SessionCommit } from "../cross-session/commit-queries.js";
import { noteLeftFiles, type LeftFile } from "../cross-session/left-file-queries.js";
import { findSession, noteTakenIn, writeSession, type SessionRecord } from "../cross-session/session-queries.js";
import {
  addErrors,
  addFiles,
  addModules,
  addPairs,
  countFileSessions,
  notePromotedPair,
} from "../cross-session/statistics-queries.js";
import {
  addSightings,
  dropSightings,
  notePromoted,
  subjectKey,
  type StoredSighting,
} from "../cross-session/subject-queries.js";
import type { SessionSummary } from "./summarise-session.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { deadEndSubject } from "../signals/dead-end.js";
import type { ForeignWork } from "../trust/foreign-work.js";
import type { Taint } from "../trust/taint.js";
import type { WordedSession } from "./clear-sightings.js";
import type { PreparedCandidates } from "./prepare-candidates.js";
import type { LearnedReport, PromotionPorts } from "./promotion-ports.js";
import { sweepRemembered } from "./sweep-remembered.js";
import { settleWorkStates } from "./settle-work-states.js";
import { settleForQa } from "./wait-for-qa.js";

/** A session with everything that can be said of it without the store. */
export interface FinishedSession {
  spoolId: string;
  pads: readonly Scratchpad[];
  summary: SessionSummary;
  seen: StoredSighting[];
  /** By what its words are judged. */
  wording: WordedSession;
  /** The commits that it made. */
  commits: readonly SessionCommit[];
  root: string;
  /** What it left of the files that it wrote, where its words may wait. */
  leftFiles: readonly LeftFile[];
  foreign: ForeignWork;
  taint: Taint;
  isRunning: boolean;
  /** The branch that it was on at last, where that is known. */
  branch?: string;
}

/** Writes a session: its figures, what it showed, and the memories that it leads to. */
export async function writeFinished(
  writer: MemoryWriter,
  project: Project,
  finished: FinishedSession,
  prepared: PreparedCandidates,
  { now, alsoWrite }: { now: Date } & Pick<PromotionPorts, "alsoWrite">,
): Promise<LearnedReport> {
  const { summary, seen, pads, taint, isRunning, spoolId } = finished;
  const before = await findSession(writer, project, summary.record.sessionId);
  const isNew = before === undefined || before.record.outcome === "running";
  const session = await completeRecord(writer, project, finished, prepared);
  // A session that was taken in and goes on as a long build is added up when that part is over.
  const number =
    isRunning && !isNew
      ? before.number
      : await writeSession(writer, project, isNew ? session : joined(before.record, session));
  if (!isRunning) {
    const passed = session.outcome === "success";
    await settleForQa(writer, project, { sessionId: session.sessionId, passed, now });
    if (before && isNew) await dropSightings(writer, number);
    await writeStatistics(writer, project, summary, now, isNew);
    await noteTakenIn(writer, spoolId, number);
  }
  if (finished.wording.commit !== undefined) await noteStartCommit(writer, number, finished.wording.commit);
  if (pads.some(({ actions }) => actions.some(({ merges }) => merges))) await noteAskedMerge(writer, number);
  await addCommits(writer, number, finished.commits);
  await noteLeftFiles(writer, number, { root: finished.root, files: finished.leftFiles, now });
  await addSightings(writer, project, { number, at: session.endedAt }, seen);
  const again = seen.flatMap((sighting) => prepared.subjects.get(subjectKey(sighting))?.memoryId ?? []);
  await addProvenance(writer, again, session.sessionId);

  const memories = prepared.candidates.map(({ memory }) => memory);
  const kept = await storeMemories(writer, project, memories, now, { maxEntries: prepared.maxEntries });
  for (const [index, { id }] of kept.entries()) {
    const candidate = prepared.candidates[index]?.candidate;
    if (!candidate) continue;
    await notePromoted(writer, project, candidate, id, now);
    const [a, b] = candidate.signal === "co-access" ? candidate.subject.split(" + ") : [];
    if (a !== undefined && b !== undefined) await notePromotedPair(writer, project, a, b, now);
  }
  if (!isRunning) {
    const left = kept.find((_, index) => prepared.candidates[index]?.candidate.signal === "work-state");
    await settleWorkStates(writer, project, {
      ...finished,
      isSuccess: session.outcome === "success" && !left,
      left,
      now,
    });
    await alsoWrite?.(writer, project, { spoolId, sessionId: session.sessionId, pads });
  }
  await sweepRemembered(writer, project, {
    pads,
    taint,
    foreign: finished.foreign,
    startedAt: beginningOf(session, now),
    now,
  });
  return {
    sessionId: session.sessionId,
    session,
    learned: kept.filter(({ status }) => status === "active"),
    waiting: kept.filter(({ status }) => status === "waiting"),
    known: prepared.known,
    left: prepared.left,
  };
}

/** When a session began by our own clock, where the agent's is ahead of it. */
function beginningOf({ startedAt, endedAt }: SessionRecord, now: Date): string {
  const byOurs = new Date(now.getTime() - (Date.parse(endedAt) - Date.parse(startedAt))).toISOString();
  return byOurs < startedAt ? byOurs : startedAt;
}

/** The figures of a session that need the store: what it read again, and which dead ends it entered again. */
async function completeRecord(
  writer: MemoryWriter,
  project: Project,
  { summary, pads }: FinishedSession,
  { subjects }: PreparedCandidates,
): Promise<SessionRecord> {
  const { record, files } = summary;
  const paths = files.map(({ path }) => path);
  const known = await countFileSessions(writer, project, paths);
  const rereads = files
    .filter(({ path }) => known.has(path))
    .reduce((sum, { accesses, edits }) => sum + accesses - edits, 0);
  const entered = pads.flatMap((pad) => pad.attempts().filter(({ fate }) => fate === "abandoned")).map(deadEndSubject);
  const deadEndsReentered = entered.filter(
    (subject) => (subjects.get(subjectKey({ signal: "dead-end", subject }))?.sightings.length ?? 0) > 0,
  ).length;
  return { ...record, rereads, deadEndsReentered };
}

/** A session that went on after it had been taken in. */
function joined(before: SessionRecord, more: SessionRecord): SessionRecord {
  return {
    ...before,
    ...more,
    startedAt: before.startedAt < more.startedAt ? before.startedAt : more.startedAt,
    endedAt: before.endedAt > more.endedAt ? before.endedAt : more.endedAt,
    events: before.events + more.events,
    toolCalls: before.toolCalls + more.toolCalls,
    files: Math.max(before.files, more.files),
    rereads: before.rereads + more.rereads,
    stepsDone: before.stepsDone + more.stepsDone,
    inputTokens: before.inputTokens + more.inputTokens,
    outputTokens: before.outputTokens + more.outputTokens,
    ...(before.qaFirstPass !== undefined && { qaFirstPass: before.qaFirstPass }),
    deadEndsReentered: before.deadEndsReentered + more.deadEndsReentered,
    ...(before.outside && before.outside.from !== "written" && { outside: before.outside }),
  };
}

async function writeStatistics(
  writer: MemoryWriter,
  project: Project,
  { files, pairs, errors, modules, record }: SessionSummary,
  now: Date,
  isNew: boolean,
): Promise<void> {
  await addFiles(writer, project, files, now, isNew);
  await addPairs(writer, project, pairs, { type: record.type, now, isNew });
  await addErrors(writer, project, errors, now, isNew);
  await addModules(writer, project, modules, now, isNew);
}
