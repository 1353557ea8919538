import { MemoryError, type MemoryErrorCode } from "../../base/memory-error.js";
import type { SessionType } from "../observer.js";
import { finishSession } from "./finish-session.js";
import type { LearnedReport, PromotionPorts } from "./promotion-ports.js";
import {
  claimSpool,
  isOver,
  isSpoolOf,
  listSpools,
  releaseSpool,
  removeSpool,
  type SpoolInfo,
} from "../spool/list-spools.js";
import { prefetchTrackedFiles } from "../trust/session-taint.js";
import { removeLost, sweepSpools } from "../spool/sweep-spools.js";
import type { SpoolPlace } from "../spool/spool-place.js";
import { readSession, type ReadSession } from "../watch/read-session.js";

export interface FinishSpoolsOptions {
  /** What kind of sessions they are where they do not say so. */
  type: SessionType;
  /** This session, whether it is over or not, and no other. */
  only?: string;
  /** Asked before each spool: true leaves its session to somebody in this process who is finishing it. */
  isTaken?: (sessionId: string) => boolean;
  /** Asked before each spool after the first: false leaves it to the next one who comes by. */
  mayGoOn?: () => boolean;
  /** Asked of each session: true leaves it to somebody who has more time. */
  isForLater?: (session: ReadSession) => Promise<boolean>;
  /** Hears that a spool was claimed which was being written to: what its session does from now on goes to another one. */
  onClaim?: () => void;
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
  { type, only, isTaken, mayGoOn = () => true, isForLater, onClaim, alsoTakeIn }: FinishSpoolsOptions,
): Promise<LearnedReport[]> {
  const reports: LearnedReport[] = [];
  await sweepSpools(place.home, Date.now());
  const spools = await listSpools(place.home);
  await removeLost(spools, place.db, Date.now());
  let taken = 0;
  for (const info of spools.filter((spool) => isSpoolOf(spool, place))) {
    const isWanted = only === undefined ? isOver(info, Date.now()) : info.sessionId === only && mayTake(info);
    if (!isWanted || isTaken?.(info.sessionId)) continue;
    if (taken > 0 && !mayGoOn()) break;
    const claimed = await claimSpool(info);
    if (!claimed) continue;
    taken++;
    if (info.claimedAt === undefined && !info.hasFailed) onClaim?.();
    try {
      const session = await readSession(claimed, (commit) => prefetchTrackedFiles(claimed.root, commit));
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
  "folder-pending",
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

/** A session that was opened and in which nothing was done leaves no trace, unless it was asked something and told of it. */
function hasHappened({ pads }: ReadSession): boolean {
  return pads.some(({ analytics, units, qa, commits, remembered, prompts, injected }) => {
    const done = [analytics.toolCalls, units.length, qa.length, commits.length, remembered.length];
    return done.some((count) => count > 0) || (prompts.length > 0 && injected.length > 0);
  });
}
