import { changeMemories } from "../../memory/change/change.js";
import { findSession, isImported, readRevision, type SessionRecord } from "../cross-session/session-queries.js";
import { summariseSession } from "./summarise-session.js";
import type { SessionType } from "../observer.js";
import { redactTexts } from "../notes/redact-note.js";
import { findOutcome } from "../scratchpad/verdicts.js";
import { isAcceptedFolder, openForeignWork } from "../trust/foreign-work.js";
import { findTrackedNames } from "../trust/known-names.js";
import { readLeftFiles } from "../trust/left-files.js";
import { listSessionCommits, readNotedCommits } from "../trust/session-commits.js";
import { openSessionTaint } from "../trust/session-taint.js";
import { settleCommits } from "../trust/settle-commits.js";
import { settleErrors } from "../watch/settle-errors.js";
import { openOwnFiles } from "../trust/own-files.js";
import { markUnseenWrites } from "../trust/unseen-writes.js";
import type { ReadSession } from "../watch/read-session.js";
import { clearSightings, openWordedSession } from "./clear-sightings.js";
import { gatherSightings } from "./gather-sightings.js";
import { prepareCandidates } from "./prepare-candidates.js";
import type { LearnedReport, PromotionPorts } from "./promotion-ports.js";
import { writeFinished, type FinishedSession } from "./write-finished.js";

// Whoever finishes another session of the project in between makes us look again; by then it is a queue, not a race.
const maxLooks = 5;
const gitMs = 2000;

export interface FinishOptions {
  /** What kind of session it is where it does not say so itself. */
  type?: SessionType;
  /** A long build between two subtasks: memories are made of what it showed so far, and nothing is counted yet. */
  isRunning?: boolean;
  /** It is told from a transcript: what was written after its last word is somebody else's. */
  isPast?: boolean;
}

/**
 * Takes in a session that is over: what it did is added to what is known of the project, and what signals made of it
 * becomes memories. All of it in one write, and once: a process that is killed leaves the spool to the next one, and a
 * spool that was taken in is known.
 */
export async function finishSession(
  ports: PromotionPorts,
  session: ReadSession,
  { type = "build", isRunning = false, isPast = false }: FinishOptions = {},
): Promise<LearnedReport> {
  const { context } = ports;
  const finished = await lookAt(ports, session, { type, isRunning, isPast });
  for (let look = 1; ; look++) {
    const prepared = await prepareCandidates(ports, finished);
    const report = await changeMemories(context, async (writer, project): Promise<LearnedReport | undefined> => {
      if (await isImported(writer, session.spoolId)) {
        const before = await findSession(writer, project, session.sessionId);
        return { ...nothingOf(finished, before?.record), isRepeated: true };
      }
      if ((await readRevision(writer, project)) !== prepared.revision && look < maxLooks) return undefined;
      return writeFinished(writer, project, finished, prepared, { ...ports, now: context.now() });
    });
    if (report) return report;
  }
}

/** Everything about the session that does not depend on what others write meanwhile. */
async function lookAt(
  { context }: PromotionPorts,
  { pads, root, sessionId, spoolId, outside, isUncleaned = false }: ReadSession,
  { type: usualType, isRunning, isPast }: Required<FinishOptions>,
): Promise<FinishedSession> {
  const start = pads[0]?.start;
  await settleErrors(
    pads,
    {
      root,
      isOwn: await openOwnFiles(root, start?.commit, { timeoutMs: gitMs }),
      commit: start?.commit,
      findNames: (names, limits) => findTrackedNames(root, start?.commit, names, limits),
    },
    { timeoutMs: gitMs },
  );
  const type = start?.type ?? usualType;
  const outcome: SessionRecord["outcome"] = isRunning ? "running" : findOutcome(pads);
  const taint = await openSessionTaint(context, { sessionId, root, pads, ...(outside && { outside }) });
  if (!isRunning) await markUnseenWrites(context, taint, { root, pads, isPast });
  const known = await readNotedCommits(root, pads, { timeoutMs: gitMs });
  await settleCommits(root, pads, known, { written: taint.written, timeoutMs: gitMs });
  const summary = summariseSession(pads, { sessionId, type, outcome, taint, now: context.now() });
  // Not the one that is checked out now: who finishes a session may do so days later.
  const branch = pads[0]?.end?.branch ?? start?.branch;
  const wording = await openWordedSession(context, { sessionId, root, pads, taint });
  const foreign = await openForeignWork(context, { root, pads, commit: wording.commit });
  const accepted = (await isAcceptedFolder(context)) ? { vouchedFor: wording.tracked } : {};
  const around = { pads, type, root, outcome, taint, foreign, ...accepted };
  const gathered = gatherSightings({ ...around, ...(branch !== undefined && { branch }) });
  const seen = await clearSightings(context, wording, gathered);
  const shown = isUncleaned ? await redactTexts({ summary, seen }) : { summary, seen };
  const commits = await listSessionCommits(root, pads, known, { timeoutMs: gitMs });
  // By that the work of a session is found again whose words wait for somebody to merge it.
  const isDoubtful = pads.some((pad) => (taint.since(pad) ?? foreign.of(pad, [Infinity])) !== undefined);
  const { commit } = wording;
  const leftFiles = await readLeftFiles(root, taint.written, { commit, isDoubtful }, { timeoutMs: gitMs });
  return {
    spoolId,
    pads,
    ...shown,
    wording,
    commits,
    root,
    leftFiles,
    foreign,
    taint,
    isRunning,
    ...(branch !== undefined && { branch }),
  };
}

function nothingOf({ summary }: FinishedSession, before: SessionRecord | undefined): LearnedReport {
  const { record } = summary;
  return {
    sessionId: record.sessionId,
    session: before ?? { ...record, rereads: 0, deadEndsReentered: 0 },
    learned: [],
    waiting: [],
    known: 0,
    left: 0,
  };
}
