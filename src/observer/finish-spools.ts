import { MemoryError } from "../base/memory-error.js";
import type { SessionType } from "./events/event.js";
import { finishSession } from "./promotion/finish-session.js";
import type { LearnedReport, PromotionPorts, ReadSession } from "./promotion/promotion.js";
import { openScratchpad, type GrowingScratchpad } from "./scratchpad/scratchpad.js";
import { claimSpool, isOver, listSpools, removeSpool, sweepSpools, type SpoolInfo } from "./spool/list-spools.js";
import { readSpool } from "./spool/read-spool.js";
import { prepareTaint } from "./trust/session-taint.js";
import type { SpoolPlace } from "./spool/spool-place.js";

export interface FinishSpoolsOptions {
  /** What kind of sessions they are where they do not say so. */
  type: SessionType;
  /** This session, whether it is over or not, and no other. */
  only?: string;
}

/**
 * Learns from the sessions of a work tree that are over, oldest first. Each is claimed before and its spool removed
 * after, so that of several processes one does it, and a killed one is done by the next. A session that cannot be
 * finished now stays where it is.
 */
export async function finishSpools(
  ports: PromotionPorts,
  place: SpoolPlace,
  { type, only }: FinishSpoolsOptions,
): Promise<LearnedReport[]> {
  const reports: LearnedReport[] = [];
  await sweepSpools(place.home, Date.now());
  for (const info of await listSpools(place.home, place)) {
    const isWanted = only === undefined ? isOver(info, Date.now()) : info.sessionId === only && mayTake(info);
    const claimed = isWanted ? await claimSpool(info) : undefined;
    if (!claimed) continue;
    try {
      const session = await readSession(claimed, (commit) => prepareTaint(claimed.root, commit));
      if (hasHappened(session)) reports.push(await finishSession(ports, session, { type }));
      await removeSpool(claimed);
    } catch (error) {
      // A store that is locked, full or away: the spool is left to the next one who comes by.
      if (!(error instanceof MemoryError) || only !== undefined) throw error;
      return reports;
    }
  }
  return reports;
}

/** What somebody is finishing at this moment is theirs. */
function mayTake(info: SpoolInfo): boolean {
  return info.claimedAt === undefined || isOver(info, Date.now());
}

/** A session that goes on, or is over, from its spool; undefined where it has none. */
export async function findSpooledSession(place: SpoolPlace, sessionId: string): Promise<ReadSession | undefined> {
  const info = (await listSpools(place.home, place)).findLast((spool) => spool.sessionId === sessionId);
  return info && readSession(info);
}

async function readSession(
  { folder, id, sessionId, root }: SpoolInfo,
  onStart?: (commit: string) => void,
): Promise<ReadSession> {
  const pads = new Map<string | undefined, GrowingScratchpad>();
  for await (const { agentId, notes } of readSpool(folder)) {
    let pad = pads.get(agentId);
    if (!pad) {
      pads.set(agentId, (pad = openScratchpad(agentId)));
      const commit = agentId === undefined && notes[0]?.kind === "start" ? notes[0].commit : undefined;
      if (commit !== undefined) onStart?.(commit);
    }
    for (const note of notes) pad.addSound(note);
  }
  return { spoolId: id, sessionId, root, pads: inOrder([...pads.values()]) };
}

/** The main agent first. */
export function inOrder<P extends { agentId: string | undefined }>(pads: P[]): P[] {
  return pads.toSorted((a, b) => Number(a.agentId !== undefined) - Number(b.agentId !== undefined));
}

/** A session that was opened and in which nothing was done leaves no trace. */
function hasHappened({ pads }: ReadSession): boolean {
  return pads.some(({ analytics, units, qa, commits, remembered }) =>
    [analytics.toolCalls, units.length, qa.length, commits.length, remembered.length].some((count) => count > 0),
  );
}
