import { MemoryError } from "../base/memory-error.js";
import { within } from "../base/within.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";
import type { Consolidation, TurnInput } from "./conversation.js";
import type { IncomingTurn } from "./turns/append-turns.js";
import type { Conversation, ConversationOptions, Conversing } from "./conversation-verbs.js";
import { openLayer, type Layer, type LayerParts } from "./memory-file/open-memory-file.js";
import { readProject } from "../project/project-context.js";
import type { Doubting } from "../observer/trust/source-trust.js";
import type { Memory, RememberedMemory } from "../memory/memory.js";

export interface OpenConversing extends Conversing {
  layer: Layer;
  /** Waits for what goes on in the background. */
  close: () => Promise<void>;
}

export interface ConversingParts extends LayerParts, Pick<Doubting, "judgeAgent"> {
  remember: (input: Parameters<Conversing["rememberFact"]>[1] & { content: string }) => Promise<RememberedMemory>;
  /** What follows a write: vectors, links to the code. */
  afterwards: (memories: Memory[]) => Promise<void>;
}

const talk = () => import("./talk.js");

// How long whoever closes waits for what goes on in the background.
const patienceMs = 2000;

// More than anybody looks through.
const maxConversations = 1000;

/** Conversations of a project. Loads next to nothing before it is asked. */
export function openConversing(parts: ConversingParts): OpenConversing {
  const { context } = parts;
  const layer = openLayer(parts);
  const pending = new Map<string, Promise<unknown>>();

  const consolidating = async (sessionId: string, options: ConsolidateOptions): Promise<Consolidation> => {
    const { consolidate } = await talk();
    const done = await consolidate(layer.consolidationPorts(), sessionId, options);
    if (done.compaction || done.learned.length > 0) {
      await parts.afterwards([...(done.compaction ? [done.compaction.archive] : []), ...done.learned]);
      // What is kept is kept: a file that cannot be written now is written by whoever comes next.
      await layer.bringIntoStep().catch(ignoreMemoryError);
    }
    return done;
  };
  const again = new Set<string>();
  const closing = new AbortController();
  /** One at a time for a session; whoever asks meanwhile is heard afterwards. */
  const inBackground = (sessionId: string, work: () => Promise<unknown>): void => {
    if (pending.has(sessionId)) {
      again.add(sessionId);
      return;
    }
    const quiet = work()
      .catch(() => undefined)
      .finally(() => {
        pending.delete(sessionId);
        if (again.delete(sessionId) && !closing.signal.aborted) inBackground(sessionId, work);
      });
    pending.set(sessionId, quiet);
  };
  /** Where more was said than stays in mind, the older part is consolidated while the talk goes on. */
  const overflow = async (sessionId: string, options: ConsolidateOptions): Promise<void> => {
    const [{ memoryWindow }, state] = await Promise.all([
      context.settings(),
      (await talk()).readState(context, sessionId),
    ]);
    if (state && state.unarchived > memoryWindow) {
      await consolidating(sessionId, { ...options, reason: "overflow", signal: closing.signal });
    }
  };

  const conversation = (sessionId: string, options: ConversationOptions = {}): Conversation => {
    const { keepCount, promptFn, model, autoConsolidate = true } = options;
    let checked: Promise<string> | undefined;
    /** Its id as it is stored. Refused where it is none, by whatever is asked first. */
    const session = () => (checked ??= talk().then(({ checkSession }) => checkSession(sessionId)));
    const asking = { ...(promptFn && { promptFn }), ...(model !== undefined && { model }) };
    return {
      sessionId,
      append: async (turns) => {
        const id = await session();
        const list = Array.isArray(turns) ? (turns as readonly TurnInput[]) : [turns as TurnInput];
        const added = await (await talk()).appendTurns(context, id, await withTaints(parts, id, list), { keepCount });
        await parts.afterwards([]);
        if (autoConsolidate) inBackground(id, () => overflow(id, asking));
        return added;
      },
      turns: async (query) => (await talk()).listTurns(context, await session(), query),
      window: async (asked) => (await talk()).readWindow(context, await session(), asked),
      clearWindow: async () => (await talk()).clearWindow(context, await session()),
      replay: async () => (await talk()).replay(context, await session()),
      compact: async (asked) => {
        const done = await (await talk()).compact({ context }, await session(), asked);
        if (done) {
          await parts.afterwards([done.archive]);
          await layer.bringIntoStep().catch(ignoreMemoryError);
        }
        return done;
      },
      consolidate: async (asked) => consolidating(await session(), { ...asking, ...asked }),
      startNew: async (asked) => {
        const id = await session();
        await pending.get(id);
        const { readState, clearWindow } = await talk();
        const before = await readState(context, id);
        const done = await consolidating(id, { ...asking, ...asked, reason: "new" });
        // What was said meanwhile is the beginning of the new one.
        await clearWindow(context, id, done.compaction?.marker.last ?? before?.lastSequence);
        return done;
      },
      state: async () => (await talk()).readState(context, await session()),
    };
  };

  return {
    layer,
    conversation,
    conversations: async ({ limit = maxConversations } = {}) =>
      readProject(context, [], async (reader, project) =>
        (await (await talk()).listConversations(reader, project, limit, context.now())).map(
          ({ sessionId, createdAt, turns, lastSequence, consolidatedTo }) => ({
            sessionId,
            createdAt,
            turns,
            lastSequence,
            consolidatedTo,
          }),
        ),
      ),
    importConversation: async (source, options) => {
      const { importConversation } = await import("./import/import-conversation.js");
      const report = await importConversation({ context }, source, options);
      if (!options?.dryRun) await parts.afterwards([]);
      return report;
    },
    archivedTurns: async (reference) => (await talk()).listArchivedTurns(context, reference),
    setContext: async (key, value, { agent, ...options } = {}) => {
      const judged = agent ? await parts.judgeAgent([{ ...agent, content: value }]) : {};
      const { doubts: [doubt] = [], unverified } = judged;
      return (await talk()).setContext(context, key, value, { ...options, doubt, unverified });
    },
    getContext: async (...args) => (await talk()).getContext(context, ...args),
    rememberFact: async (content, { category, field, metadata = {}, ...details } = {}) =>
      parts.remember({
        ...details,
        content,
        metadata: {
          ...metadata,
          ...(category !== undefined && { category }),
          ...(field !== undefined && { field }),
        },
      }),
    rememberConversation: async (content, details) => rememberSaid(parts, conversation, content, details),
    cleanUp: async () => (await import("../memory/prune.js")).cleanUp(context),
    memoryFile: () => layer.memoryFile(),
    close: async () => {
      // Rules take a fraction of it. A model that takes longer is left: nothing is written then, and every turn is kept.
      await within(patienceMs, Promise.all(pending.values()), () => []);
      closing.abort();
      await Promise.all(pending.values());
    },
  };
}

/** What a person says is theirs; what an agent says after it has read from outside may not be its own. */
async function withTaints(
  { listTaints }: ConversingParts,
  sessionId: string,
  turns: readonly TurnInput[],
): Promise<readonly IncomingTurn[]> {
  // What is none is refused where all are checked.
  if (turns.every((turn) => turn?.role === "user" || typeof turn?.content !== "string")) return turns;
  const taints = await listTaints(turns.map((turn) => ({ sessionId, content: turn.content })));
  return turns.map((turn, index) =>
    turn?.role === "user" || taints[index] === undefined ? turn : { ...turn, isTainted: true },
  );
}

async function rememberSaid(
  { remember, context }: ConversingParts,
  conversation: Conversing["conversation"],
  content: string,
  { role = "user", ...details }: Parameters<Conversing["rememberConversation"]>[1] = {},
): Promise<Memory> {
  const { sessionId } = details;
  if (sessionId === undefined) return remember({ ...details, content, type: "conversation" } as never);
  const [turn] = await conversation(sessionId).append({
    role,
    content,
    ...(details.createdAt !== undefined && { timestamp: details.createdAt }),
  });
  const { lookUp } = await import("../memory/look-up.js");
  return (await lookUp(context, turn?.ids[0] ?? "")) as Memory;
}

function ignoreMemoryError(error: unknown): void {
  if (!(error instanceof MemoryError)) throw error;
}
