import { within } from "../base/within.js";
import type { ProjectContext } from "../project/project.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";

/** Consolidates what no longer fits in mind while its conversation goes on. */
export interface BackgroundConsolidation<Options> {
  /** One at a time for a session; what is asked for meanwhile is done once more afterwards. */
  start: (sessionId: string, options: Options) => void;
  /** Ends when nothing is under way for a session. */
  settled: (sessionId: string) => Promise<unknown>;
  /** Gives what is under way a moment, then stops it before it writes anything. */
  close: () => Promise<void>;
}

// Rules take a fraction of it. A model that takes longer is left: nothing is written then, and every turn is kept.
const usualPatienceMs = 2000;

/** Where a session has more messages that no archive sums up than `memoryWindow`, the older part is consolidated. */
export function openBackgroundConsolidation<Options extends ConsolidateOptions>(
  context: Pick<ProjectContext, "settings">,
  countUnarchived: (sessionId: string) => Promise<number>,
  consolidate: (sessionId: string, options: Options) => Promise<unknown>,
  { patienceMs = usualPatienceMs } = {},
): BackgroundConsolidation<Options> {
  const running = new Map<string, Promise<unknown>>();
  const askedAgain = new Set<string>();
  const closing = new AbortController();

  const consolidateOverflow = async (sessionId: string, options: Options): Promise<void> => {
    const [{ memoryWindow }, unarchived] = await Promise.all([context.settings(), countUnarchived(sessionId)]);
    if (unarchived <= memoryWindow) return;
    await consolidate(sessionId, { ...options, reason: "overflow", signal: closing.signal });
  };
  const start = (sessionId: string, options: Options): void => {
    if (running.has(sessionId)) {
      askedAgain.add(sessionId);
      return;
    }
    const quiet = consolidateOverflow(sessionId, options)
      .catch(() => undefined)
      .finally(() => {
        running.delete(sessionId);
        if (askedAgain.delete(sessionId) && !closing.signal.aborted) start(sessionId, options);
      });
    running.set(sessionId, quiet);
  };

  return {
    start,
    settled: async (sessionId) => running.get(sessionId),
    close: async () => {
      await within(patienceMs, Promise.all(running.values()), () => []);
      closing.abort();
      await Promise.all(running.values());
    },
  };
}
