import type { IndexCodeOptions, IndexReport } from "../code-memory/code-memory.js";
import type { LearnedReport } from "../observer/promotion/promotion.js";
import type { FinishSessionOptions } from "../session/session.js";
import { MemoryError } from "../base/memory-error.js";
import type { Parts } from "./parts.js";

type Haste = Pick<FinishSessionOptions, "isQuick">;

/** Learns from a session, and prepares what the next one begins with. A command of an agent may not end the agent's own. */
export async function finishSession(
  parts: Parts,
  sessionId: string,
  options?: FinishSessionOptions,
): Promise<LearnedReport | undefined> {
  await parts.watched.watching.opened();
  if (!parts.watched.mayEnd(sessionId)) throw notItsToEnd(sessionId);
  const learned = await parts.observing.finishSession(sessionId, options);
  if (learned) await prepareNext(parts, options);
  return learned;
}

export async function finishSessions(parts: Parts, options?: Haste): Promise<LearnedReport[]> {
  const reports = await parts.observing.finishSessions(options);
  if (reports.length > 0) await prepareNext(parts, options);
  return reports;
}

export async function indexCode(parts: Parts, options?: IndexCodeOptions): Promise<IndexReport> {
  await parts.grounding.settled();
  const indexed = await parts.code.index(options);
  await storeSessionMap(parts, { isIndexed: true });
  return indexed;
}

/** Only where there is time to call a model. */
async function prepareNext(parts: Parts, { isQuick = false }: Haste = {}): Promise<void> {
  if (isQuick) return;
  await (await import("../code-memory/modules/describe-modules.js")).describeWeekly(parts);
  await storeSessionMap(parts, { isIndexed: false });
}

/** The map that the next session begins with; hardly anybody wants one. */
async function storeSessionMap(parts: Parts, { isIndexed }: { isIndexed: boolean }): Promise<void> {
  if ((await parts.context.settings()).sessionMapTokens === 0) return;
  const mapping = await import("../code-memory/map/draw-repository-map.js");
  await mapping.storeSessionMap(parts, { isIndexed });
}

function notItsToEnd(sessionId: string): MemoryError {
  return new MemoryError(
    "agent-refused",
    `A command of an agent may not end the session ${sessionId}.`,
    "It ends with its agent, and is learned from then.",
  );
}
