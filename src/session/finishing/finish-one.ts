import type { TranscriptImport } from "../../conversation/import-session-transcript.js";
import type { LearnedReport } from "../../observer/promotion/promotion.js";
import type { MayHaveMerged } from "../../observer/trust/trust.js";
import type { SpoolPlace } from "../../observer/spool/spool.js";
import type { MemoryContext } from "../../memory/change/change.js";
import { findPendingNotice } from "../../project/project.js";
import type { Watching } from "../noting/open-watching.js";
import type { FinishSessionOptions } from "../session.js";
import type { Learning } from "./open-learning.js";

export interface FinishingParts {
  context: MemoryContext;
  watching: Watching;
  learning: Learning;
  /** What is done with what was said. */
  said: TranscriptImport;
  mayHaveMerged: MayHaveMerged;
  /** What follows when sessions were learned from. */
  afterLearning?: () => Promise<void>;
}

/** Learns from one session, whether it is over or not: from its spool, or from what is at hand where there is none. */
export async function finishOne(
  { context, watching, learning, said }: FinishingParts,
  sessionId: string,
  { isQuick = false, type: given }: FinishSessionOptions,
): Promise<LearnedReport | undefined> {
  // Where no event was handed over there is nobody watching, and nothing of that to be loaded.
  const [settings, observer, spools, { finishSpools, finishSession }] = await Promise.all([
    context.settings(),
    watching.opened(),
    watching.place(),
    import("../../observer/promotion/promotion.js"),
    learning.loadPorts(),
  ]);
  // Its notes stay until somebody confirms the folder.
  if (!settings.enabled || (await findPendingNotice(context))) return undefined;
  const type = given ?? settings.sessionType;
  const onClosed = () => void watching.states.advance({ kind: "closed", sessionId });
  const { pads, release } = (await observer?.closePart(sessionId, onClosed)) ?? nothingHere(onClosed);
  const { alsoTakeIn } = said.finishing({ isQuick });
  try {
    if (spools) {
      const options = { type, only: sessionId, onClaim: release, ...(alsoTakeIn && { alsoTakeIn }) };
      const reports = await finishSpools(learning.ports(isQuick), spools, options);
      // Where the disk took nothing of it, what is at hand is all there is; else somebody else may have finished it.
      const isLost = watching.refusal() && reports.length === 0 && !(await isNoted(spools, sessionId));
      if (!isLost) return (await learning.learned(reports, isQuick)).at(-1);
    }
    if (pads.length === 0) return undefined;
    const session = { spoolId: crypto.randomUUID(), sessionId, root: watching.where.root, pads, isUncleaned: true };
    const report = await finishSession(learning.ports(isQuick), session, { type });
    await alsoTakeIn?.(session);
    return (await learning.learned([report], isQuick))[0];
  } finally {
    release();
  }
}

function nothingHere(onClosed: () => void): { pads: []; release: () => void } {
  onClosed();
  return { pads: [], release: () => {} };
}

async function isNoted(spools: SpoolPlace, sessionId: string): Promise<boolean> {
  return (await (await import("../../observer/spool/spool.js")).listParts(spools, sessionId)).length > 0;
}
