import type { MemoryContext } from "../memory/change/change.js";
import type { SourceTrust } from "../observer/trust/trust.js";
import type { BackgroundConsolidation } from "./background-consolidation.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";
import type { Consolidation, TurnInput } from "./conversation.js";
import type { Conversation, ConversationOptions } from "./conversation-verbs.js";
import type { IncomingTurn } from "./turns/append-turns.js";

export interface ConversationParts extends Pick<SourceTrust, "listTaintReasons"> {
  context: MemoryContext;
  /** Writes what is new into MEMORY.md and HISTORY.md; one that cannot be written now is written by whoever comes next. */
  updateFiles: () => Promise<void>;
  consolidate: (sessionId: string, options: ConsolidateOptions) => Promise<Consolidation>;
  background: BackgroundConsolidation;
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
      if (autoConsolidate) background.start(id, asking);
      return added;
    },
    turns: async (query) => (await import("./turns/list-turns.js")).listTurns(context, await session(), query),
    window: async (asked) => (await windows()).readWindow(context, await session(), asked),
    clearWindow: async () => (await windows()).clearWindow(context, await session()),
    replay: async () => (await archives()).replay(context, await session()),
    compact: async (asked) => {
      const { compact } = await import("./archive/compact.js");
      const done = await compact({ context }, await session(), asked);
      if (done) await parts.updateFiles();
      return done;
    },
    consolidate: async (asked) => consolidate(await session(), { ...asking, ...asked }),
    startNew: async (asked) => {
      const id = await session();
      await background.settled(id);
      const [{ readState }, { clearWindow }] = await Promise.all([archives(), windows()]);
      const before = await readState(context, id);
      const done = await consolidate(id, { ...asking, ...asked, reason: "new" });
      // What was said meanwhile is the beginning of the new one.
      await clearWindow(context, id, done.compaction?.marker.last ?? before?.lastSequence);
      return done;
    },
    state: async () => (await archives()).readState(context, await session()),
  };
}

/** What a person says is theirs; what an agent says after it has read from outside may not be its own. */
async function withTaints(
  { listTaintReasons }: ConversationParts,
  sessionId: string,
  turns: readonly TurnInput[],
): Promise<readonly IncomingTurn[]> {
  // What is none is refused where all are checked.
  if (turns.every((turn) => turn?.role === "user" || typeof turn?.content !== "string")) return turns;
  const taints = await listTaintReasons(turns.map((turn) => ({ sessionId, content: turn.content })));
  return turns.map((turn, index) =>
    turn?.role === "user" || taints[index] === undefined ? turn : { ...turn, isTainted: true },
  );
}
