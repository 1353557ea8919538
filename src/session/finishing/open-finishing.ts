import { readdirSync } from "node:fs";
import { join } from "node:path";
import { within } from "../../base/within.js";
import type { LearnedReport } from "../../observer/promotion/promotion.js";
import { cleanId } from "../../observer/spool/spool.js";
import { findPendingNotice } from "../../project/project.js";
import { isFollowedBy } from "../machine/machine.js";
import type { FinishSessionOptions, Observing } from "../session.js";
import { finishOne, type FinishingParts } from "./finish-one.js";
import { openPromoting, type Promoting } from "./open-promoting.js";

/** Learns from sessions: from one when it is told to, and from whatever others left behind. */
export interface Finishing extends Pick<Observing, "finishSession" | "finishSessions">, Promoting {
  /** Learns from a session of which it is known that it is to be learned from now. */
  learn: (sessionId: string, options?: FinishSessionOptions) => Promise<LearnedReport | undefined>;
  /** Takes in what killed or ended sessions left behind, before somebody asks; not for long. */
  catchUp: () => Promise<void>;
  /** The same when a session begins, for which nobody waits: as often as one does. */
  catchUpAgain: () => Promise<void>;
  close: () => Promise<void>;
}

// Whoever asks waits so long for what ended sessions left behind, and none is begun after it; finishing one takes about a
// tenth of a second. The next who asks goes on.
const patienceMs = 300;

export function openFinishing(parts: FinishingParts): Finishing {
  const { context, watching, learning, said } = parts;
  const { states } = watching;
  const running = new Map<string, Promise<LearnedReport | undefined>>();
  const nextOptions = new Map<string, FinishSessionOptions>();
  const promoting = openPromoting(context, watching, learning);
  let caughtUp: Promise<unknown> | undefined;
  let isClosing = false;

  /** What waited for its work to be merged, or for its clone to be accepted. */
  const release = async (): Promise<void> => {
    const { releaseHeld } = await import("../../observer/promotion/promotion.js");
    await releaseHeld(context, watching.where.root, parts.mayHaveMerged).catch(() => undefined);
  };
  const afterLearning = async (): Promise<void> => {
    await release();
    await parts.afterLearning?.().catch(() => undefined);
  };

  const learn: Finishing["learn"] = (sessionId, options = {}) => {
    const work = (async () => {
      let outcome: "learned" | "failed" = "failed";
      try {
        await promoting.settled(sessionId);
        const report = await finishOne(parts, sessionId, options);
        outcome = "learned";
        await afterLearning();
        return report;
      } finally {
        running.delete(sessionId);
        // What the session did meanwhile may have ended, too.
        if (isFollowedBy(states.advance({ kind: outcome, sessionId }), "learn")) learnNext(sessionId);
      }
    })();
    running.set(sessionId, work);
    return work;
  };
  const learnNext = (sessionId: string): void => {
    const options = nextOptions.get(sessionId);
    nextOptions.delete(sessionId);
    // Whoever asked for it hears of what went wrong.
    learn(sessionId, options).catch(() => undefined);
  };
  const finish: Finishing["finishSession"] = async (given, options = {}) => {
    const sessionId = cleanId(given);
    if (sessionId === undefined) return undefined;
    const effects = states.advance({ kind: "finish", sessionId });
    if (isFollowedBy(effects, "join")) return running.get(sessionId);
    if (!isFollowedBy(effects, "learn-next")) return learn(sessionId, options);
    nextOptions.set(sessionId, options);
    await running.get(sessionId)?.catch(() => undefined);
    return running.get(sessionId);
  };
  const finishAll = async (
    { isQuick = false }: Pick<FinishSessionOptions, "isQuick"> = {},
    options: { mayGoOn?: () => boolean } = {},
  ): Promise<LearnedReport[]> => {
    const spools = await watching.place();
    const { enabled, sessionType: type } = await context.settings();
    if (!spools || !enabled || (await findPendingNotice(context))) return [];
    const loading = [import("../../observer/promotion/promotion.js"), learning.loadPorts()] as const;
    const [{ finishSpools }] = await Promise.all(loading);
    const isTaken = (sessionId: string) => running.has(sessionId);
    const wanted = { type, isTaken, ...said.finishing({ isQuick }), ...options };
    const found = await finishSpools(learning.ports(isQuick), spools, wanted);
    const observer = await watching.opened();
    for (const { sessionId } of found) {
      if (running.has(sessionId)) continue;
      observer?.forget(sessionId);
      states.advance({ kind: "learned", sessionId });
    }
    const reports = await learning.learned(found, isQuick);
    // Who has little time leaves it to those who are started for it.
    if (!options.mayGoOn) await afterLearning();
    if (!options.mayGoOn) await said.importCompacted(spools, { isQuick });
    return reports;
  };
  /** Whatever goes wrong: somebody asked for something else. */
  const finishLeft = async (): Promise<void> => {
    const until = performance.now() + patienceMs;
    let isCutShort = false;
    const mayGoOn = () => !(isCutShort = isClosing || performance.now() > until);
    await finishAll({ isQuick: true }, { mayGoOn }).catch(() => undefined);
    if (isCutShort) caughtUp = undefined;
    else await afterLearning();
  };
  return {
    ...promoting,
    learn,
    finishSession: finish,
    finishSessions: (options) => finishAll(options),
    catchUp: async () => {
      if (isClosing) return;
      caughtUp ??= hasSpools(watching.where.home) ? finishLeft() : release();
      await within(patienceMs, caughtUp, () => undefined);
    },
    catchUpAgain: async () => {
      const spools = await watching.place();
      const { isAnyOver } = await import("../../observer/spool/spool.js");
      if (isClosing || !spools) return;
      if (!(await isAnyOver(spools))) return release();
      await caughtUp;
      await (caughtUp = finishLeft());
    },
    close: async () => {
      isClosing = true;
      while (running.size > 0) await Promise.allSettled(running.values());
      await caughtUp;
    },
  };
}

function hasSpools(home: string): boolean {
  try {
    return readdirSync(join(home, "sessions")).length > 0;
  } catch {
    return false;
  }
}
