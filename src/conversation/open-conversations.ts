import { MemoryError } from "../base/memory-error.js";
import { openBackgroundConsolidation } from "./background-consolidation.js";
import { openConversation } from "./open-conversation.js";
import type { ConsolidationPortsParts } from "./consolidation/consolidation-ports.js";
import type { ConsolidateOptions } from "./consolidation/consolidate.js";
import type { Consolidation } from "./conversation.js";
import type { Conversing } from "./conversation-verbs.js";
import { openMemoryFiles, type MemoryFiles, type MemoryFilesParts } from "./memory-file/open-memory-files.js";
import { readProject } from "../project/project.js";
import type { SourceTrust } from "../observer/trust/trust.js";
import type { Memory, RememberedMemory } from "../memory/memory.js";

export interface OpenConversations extends Conversing {
  memoryFiles: MemoryFiles;
  /** Waits for what goes on in the background. */
  close: () => Promise<void>;
}

export interface ConversationsParts
  extends MemoryFilesParts, ConsolidationPortsParts, Pick<SourceTrust, "listTaintReasons" | "judgeAgent"> {
  remember: (input: Parameters<Conversing["rememberFact"]>[1] & { content: string }) => Promise<RememberedMemory>;
}

// More than anybody looks through.
const maxConversations = 1000;

/** Conversations of a project. Loads next to nothing before it is asked. */
export function openConversations(parts: ConversationsParts): OpenConversations {
  const { context, listTaintReasons } = parts;
  const files = openMemoryFiles(parts);
  // What is kept is kept: a file that cannot be written now is written by whoever comes next.
  const updateFiles = async () => files.sync().catch(ignoreMemoryError);
  const archives = () => import("./archive/replay.js");
  const keyedContext = () => import("./context/keyed-context.js");
  const consolidate = async (sessionId: string, options: ConsolidateOptions): Promise<Consolidation> => {
    const [room, { consolidationPorts }] = await Promise.all([
      import("./consolidation/consolidate.js"),
      import("./consolidation/consolidation-ports.js"),
    ]);
    const done = await room.consolidate(consolidationPorts(parts), sessionId, options);
    if (done.compaction || done.learned.length > 0) await updateFiles();
    return done;
  };
  const countUnarchived = async (sessionId: string): Promise<number> =>
    (await (await archives()).readState(context, sessionId))?.unarchived ?? 0;
  const background = openBackgroundConsolidation(context, countUnarchived, consolidate);
  const conversation: Conversing["conversation"] = (sessionId, options) =>
    openConversation({ context, listTaintReasons, updateFiles, consolidate, background }, sessionId, options);

  return {
    memoryFiles: files,
    conversation,
    conversations: async ({ limit = maxConversations } = {}) => {
      const { listConversations } = await import("./turns/turn-queries.js");
      const found = await readProject(context, [], (reader, project) =>
        listConversations(reader, project, limit, context.now()),
      );
      return found.map(({ sessionId, createdAt, turns, lastSequence, consolidatedTo }) => ({
        sessionId,
        createdAt,
        turns,
        lastSequence,
        consolidatedTo,
      }));
    },
    importConversation: async (source, options) => {
      const { importConversation } = await import("./import/import-conversation.js");
      return importConversation({ context }, source, options);
    },
    archivedTurns: async (reference) => (await archives()).listArchivedTurns(context, reference),
    setContext: async (key, value, { agent, ...options } = {}) => {
      const judged = agent ? await parts.judgeAgent([{ ...agent, content: value }]) : {};
      const { doubts: [doubt] = [], unverified } = judged;
      return (await keyedContext()).setContext(context, key, value, { ...options, doubt, unverified });
    },
    getContext: async (...args) => (await keyedContext()).getContext(context, ...args),
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
    cleanUp: async () => (await import("../memory/retention/retention.js")).cleanUp(context),
    memoryFile: () => files.memoryFile(),
    close: background.close,
  };
}

async function rememberSaid(
  { remember, context }: ConversationsParts,
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
  const { lookUp } = await import("../memory/read/read.js");
  return (await lookUp(context, turn?.ids[0] ?? "")) as Memory;
}

function ignoreMemoryError(error: unknown): void {
  if (!(error instanceof MemoryError)) throw error;
}
