import { callerOf } from "../base/actor.js";
import type { MemoryContext } from "../memory/change/change.js";
import type { SourceTrust } from "../observer/trust/trust.js";
import type { BackgroundConsolidation } from "./background-consolidation.js";
import type { AskedConsolidation } from "./consolidation/consolidation-ports.js";
import type { Consolidation, TurnInput } from "./conversation.js";
import type { Conversation, ConversationOptions } from "./conversation-verbs.js";
import type { IncomingTurn } from "./turns/append-turns.js";

export interface ConversationParts extends Pick<SourceTrust, "listTaintReasons" | "judgeAgent"> {
  context: MemoryContext;
  /** Writes what is new into MEMORY.md and HISTORY.md; one that cannot be written now is written by whoever comes next. */
  updateFiles: () => Promise<void>;
  consolidate: (sessionId: string, options: AskedConsolidation) => Promise<Consolidation>;
  background: BackgroundConsolidation<AskedConsolidation>;
}

/** The conversation of a session. Each verb loads what it needs when it is first asked. */
export function openConversation(
  parts: ConversationParts,
  sessionId: string,
  { keepCount, promptFn, model, autoConsolidate = true }: ConversationOptions = {},
): Conversation {
  const { context, background, consolidate } = parts;
  let checked: Promise<string> | undefined;
  /** Its id as it is stored. Refused where it is none, by whatever is asked first. */
  const session = () =>
    (checked ??= import("./turns/check-session.js").then(({ checkSession }) => checkSession(sessionId)));
  const by = callerOf(context.actor);
  const asking = { ...(promptFn && { promptFn }), ...(model !== undefined && { model }) };
  const archives = () => import("./archive/replay.js");
  const windows = () => import("./window/read-window.js");
  return {
    sessionId,
    append: async (turns) => {
      const id = await session();
      const list = Array.isArray(turns) ? (turns as readonly TurnInput[]) : [turns as TurnInput];
      const { appendTurns } = await import("./turns/append-turns.js");
      const added = await appendTurns(context, id, await withTaints(parts, id, list), { keepCount });
      if (autoConsolidate) background.start(id, { ...asking, by });
      return added;
    },
    turns: async (query) => (await import("./turns/list-turns.js")).listTurns(context, await session(), query),
    window: async (asked) => (await windows()).readWindow(context, await session(), asked),
    clearWindow: async () => (await windows()).clearWindow(context, await session()),
    replay: async () => (await archives()).replay(context, await session()),
    compact: async (asked) => {
      const { compact } = await import("./archive/compact.js");
      const isTainted = await isWordedByDoubtful(parts, await session(), asked?.summary);
      const done = await compact({ context }, await session(), { ...asked, ...(isTainted && { isTainted }) });
      if (done) await parts.updateFiles();
      return done;
    },
    consolidate: async (asked) => consolidate(await session(), { ...asking, ...asked, by }),
    startNew: async (asked) => {
      const id = await session();
      await background.settled(id);
      const [{ readState }, { clearWindow }] = await Promise.all([archives(), windows()]);
      const before = await readState(context, id);
      const done = await consolidate(id, { ...asking, ...asked, reason: "new", by });
      // What was said meanwhile is the beginning of the new one.
      await clearWindow(context, id, done.compaction?.marker.last ?? before?.lastSequence);
      return done;
    },
    state: async () => (await archives()).readState(context, await session()),
  };
}

/** A summary of an agent's own is its word, whoever said what it sums up. */
async function isWordedByDoubtful(
  { context, judgeAgent }: ConversationParts,
  sessionId: string,
  summary: unknown,
): Promise<boolean> {
  const { kind, sessionId: own = sessionId } = { sessionId: undefined, ...callerOf(context.actor) };
  if (kind !== "agent" || typeof summary !== "string") return false;
  const { doubts = [] } = await judgeAgent([{ sessionId: own, content: summary }]);
  return doubts[0] !== undefined;
}

/** What a person says is theirs; what an agent says after it has read from outside may not be its own. */
async function withTaints(
  { context, listTaintReasons, judgeAgent }: ConversationParts,
  sessionId: string,
  turns: readonly TurnInput[],
): Promise<readonly IncomingTurn[]> {
  if (callerOf(context.actor).kind === "agent") {
    const { doubts = [] } = await judgeAgent(turns.map((turn) => ({ sessionId, content: turn?.content ?? "" })));
    // An agent that says what a person said is still an agent.
    return turns.map((turn, index) =>
      Object(turn) === turn && (turn.role === "user" || doubts[index] !== undefined)
        ? { ...turn, isTainted: true }
        : turn,
    );
  }
  // What is none is refused where all are checked.
  if (turns.every((turn) => turn?.role === "user" || typeof turn?.content !== "string")) return turns;
  const taints = await listTaintReasons(turns.map((turn) => ({ sessionId, content: turn.content })));
  return turns.map((turn, index) =>
    turn?.role === "user" || taints[index] === undefined ? turn : { ...turn, isTainted: true },
  );
}
