import { MemoryError, type MemoryErrorCode } from "../base/memory-error.js";
import type { Outside, SessionType } from "./events/event.js";
import { finishSession } from "./promotion/finish-session.js";
import type { LearnedReport, PromotionPorts, ReadSession } from "./promotion/promotion.js";
import { openScratchpad, type GrowingScratchpad } from "./scratchpad/scratchpad.js";
import {
  claimSpool,
  isOver,
  isSpoolOf,
  listParts,
  listSpools,
  releaseSpool,
  removeSpool,
  type SpoolInfo,
} from "./spool/list-spools.js";
import { broughtBy, outsideFile, readMark, unknownOutside, unnotedFile } from "./spool/outside-mark.js";
import { readSpool } from "./spool/read-spool.js";
import { prepareTaint } from "./trust/session-taint.js";
import { removeLost, sweepSpools } from "./spool/sweep-spools.js";
import type { SpoolPlace } from "./spool/spool-place.js";

export interface FinishSpoolsOptions {
  /** What kind of sessions they are where they do not say so. */
  type: SessionType;
  /** This session, whether it is over or not, and no other. */
  only?: string;
  /** Asked before each spool after the first: false leaves it to the next one who comes by. */
  mayGoOn?: () => boolean;
  /** Asked of each session: true leaves it to somebody who has more time. */
  isForLater?: (session: ReadSession) => Promise<boolean>;
  /** What else is to be done with each session before its notes are removed, also with one that taught nothing. */
  alsoTakeIn?: (session: ReadSession) => Promise<void>;
}

/**
 * Learns from the sessions of a work tree that are over, oldest first. Each is claimed before and its spool removed
 * after, so that of several processes one does it, and a killed one is done by the next. A session that cannot be
 * finished now stays where it is, and where that is because of the store, so do those after it.
 */
export async function finishSpools(
  ports: PromotionPorts,
  place: SpoolPlace,
  { type, only, mayGoOn = () => true, isForLater, alsoTakeIn }: FinishSpoolsOptions,
): Promise<LearnedReport[]> {
  const reports: LearnedReport[] = [];
  await sweepSpools(place.home, Date.now());
  const spools = await listSpools(place.home);
  await removeLost(spools, place.db, Date.now());
  let taken = 0;
  for (const info of spools.filter((spool) => isSpoolOf(spool, place))) {
    const isWanted = only === undefined ? isOver(info, Date.now()) : info.sessionId === only && mayTake(info);
    if (!isWanted) continue;
    if (taken > 0 && !mayGoOn()) break;
    const claimed = await claimSpool(info);
    if (!claimed) continue;
    taken++;
    try {
      const session = await readSession(claimed, (commit) => prepareTaint(claimed.root, commit));
      if (await isForLater?.(session)) {
        await releaseSpool(claimed, { isItsFault: false });
        continue;
      }
      if (hasHappened(session)) reports.push(await finishSession(ports, session, { type }));
      await alsoTakeIn?.(session);
      await removeSpool(claimed);
    } catch (error) {
      const isItsFault = !(error instanceof MemoryError && ofEverySession.has(error.code));
      await releaseSpool(claimed, { isItsFault });
      if (only !== undefined) throw error;
      if (!isItsFault) break;
    }
  }
  return reports;
}

// The store or the settings: the next session would fail by it too.
const ofEverySession: ReadonlySet<MemoryErrorCode> = new Set<MemoryErrorCode>([
  "disabled",
  "config-invalid",
  "store-locked",
  "store-full",
  "store-read-only",
  "store-unreachable",
  "store-damaged",
  "store-not-a-database",
  "store-foreign",
  "store-newer",
  "store-closed",
  "store-denied",
  "store-unfit",
  "store-unsure",
  "native-missing",
]);

/** What somebody is finishing at this moment is theirs. */
function mayTake(info: SpoolInfo): boolean {
  return info.claimedAt === undefined || isOver(info, Date.now());
}

/** A session that goes on, from the spool that is written to; undefined where it has none. */
export async function findSpooledSession(place: SpoolPlace, sessionId: string): Promise<ReadSession | undefined> {
  const spools = (await listSpools(place.home, place)).filter((spool) => spool.sessionId === sessionId);
  const info = spools.find(({ claimedAt, hasFailed }) => claimedAt === undefined && !hasFailed);
  return info && readSession(info);
}

/** All that was noted of a session and is not taken in yet, also by those who are about to. */
export async function readParts(place: SpoolPlace, sessionId: string): Promise<Pick<ReadSession, "pads" | "outside">> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readFolders(await listParts(place, sessionId));
    } catch {
      // Claimed or removed while it was read. What cannot be read at all may have told of anything.
      if (attempt === 3) return { pads: [], outside: unknownOutside };
    }
  }
}

async function readSession(
  { folder, id, sessionId, root }: SpoolInfo,
  onStart?: (commit: string) => void,
): Promise<ReadSession> {
  return { spoolId: id, sessionId, root, ...(await readFolders([folder], onStart)) };
}

async function readFolders(
  folders: readonly string[],
  onStart?: (commit: string) => void,
): Promise<Pick<ReadSession, "pads" | "outside">> {
  const pads = new Map<string | undefined, GrowingScratchpad>();
  let outside: Outside | undefined;
  for (const folder of folders) {
    let isNoted = false;
    for await (const { agentId, notes } of readSpool(folder)) {
      let pad = pads.get(agentId);
      if (!pad) {
        pads.set(agentId, (pad = openScratchpad(agentId)));
        const commit = agentId === undefined && notes[0]?.kind === "start" ? notes[0].commit : undefined;
        if (commit !== undefined) onStart?.(commit);
      }
      for (const note of notes) pad.addSound(note);
      isNoted ||= notes.some((note) => broughtBy(note) !== undefined);
    }
    // A note says from when on; a mark without one says no more than that there was something.
    outside ??= readMark(folder, unnotedFile) ?? (isNoted ? undefined : readMark(folder, outsideFile));
  }
  return { pads: inOrder([...pads.values()]), ...(outside && { outside }) };
}

/** The main agent first. */
export function inOrder<P extends { agentId: string | undefined }>(pads: P[]): P[] {
  return pads.toSorted((a, b) => Number(a.agentId !== undefined) - Number(b.agentId !== undefined));
}

/** A session that was opened and in which nothing was done leaves no trace, unless it was asked something and told of it. */
function hasHappened({ pads }: ReadSession): boolean {
  return pads.some(({ analytics, units, qa, commits, remembered, prompts, injected }) => {
    const done = [analytics.toolCalls, units.length, qa.length, commits.length, remembered.length];
    return done.some((count) => count > 0) || (prompts.length > 0 && injected.length > 0);
  });
}
