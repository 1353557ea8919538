import type { LearnedReport } from "../../observer/promotion/promotion.js";
import { cleanId } from "../../observer/spool/spool.js";
import { findPendingNotice, type ProjectContext } from "../../project/project.js";
import { isFollowedBy } from "../machine/machine.js";
import type { Watching } from "../noting/open-watching.js";
import type { Learning } from "./open-learning.js";

/** Makes memories of sessions that go on. */
export interface Promoting {
  promote: (sessionId: string) => Promise<LearnedReport | undefined>;
  /** The same for a long build, whose parts are made use of as each of them succeeds. */
  promoteIfLong: (sessionId: string) => Promise<LearnedReport | undefined>;
  /** Resolves when nothing of a session is being promoted. */
  settled: (sessionId: string) => Promise<unknown>;
}

export function openPromoting(context: ProjectContext, watching: Watching, learning: Learning): Promoting {
  const promoting = new Map<string, Promise<unknown>>();

  const promoteOne = async (sessionId: string): Promise<LearnedReport | undefined> => {
    const { enabled, sessionType: type } = await context.settings();
    if (!enabled || (await findPendingNotice(context))) return undefined;
    const observer = await watching.open();
    await observer.flush();
    const spools = await watching.place();
    const { findSpooledSession } = await import("../../observer/watch/watch.js");
    const pads = observer.pads(sessionId);
    const { root } = watching.where;
    // What the spool holds has been redacted, what is at hand has not.
    const session = spools
      ? await findSpooledSession(spools, sessionId)
      : pads.length > 0 && { spoolId: crypto.randomUUID(), sessionId, root, pads, isUncleaned: true };
    if (!session) return undefined;
    const { finishSession } = await import("../../observer/promotion/promotion.js");
    return finishSession(learning.ports(true), session, { type, isRunning: true });
  };
  /** One after the other, and none of a session that is being finished: that looks at all of it. */
  const promote = async (given: string): Promise<LearnedReport | undefined> => {
    const sessionId = cleanId(given);
    if (sessionId === undefined) return undefined;
    const before = promoting.get(sessionId);
    const work = (async () => {
      await before;
      const effects = watching.states.advance({ kind: "promote", sessionId });
      return isFollowedBy(effects, "promote") ? promoteOne(sessionId) : undefined;
    })();
    const done: Promise<unknown> = work
      .catch(() => undefined)
      .finally(() => {
        if (promoting.get(sessionId) === done) promoting.delete(sessionId);
      });
    promoting.set(sessionId, done);
    return work;
  };
  return {
    promote,
    promoteIfLong: async (sessionId) => {
      const { isLongBuild } = await import("../../observer/promotion/promotion.js");
      const pads = (await watching.opened())?.pads(sessionId) ?? [];
      return isLongBuild(pads) ? promote(sessionId) : undefined;
    },
    settled: async (sessionId) => promoting.get(sessionId),
  };
}
