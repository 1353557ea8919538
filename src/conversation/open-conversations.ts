import type { Caller } from "../base/actor.js";
import { MemoryError } from "../base/memory-error.js";
import { openBackgroundConsolidation } from "./background-consolidation.js";
import { openConversation } from "./open-conversation.js";
import type { AskedConsolidation, ConsolidationPortsParts } from "./consolidation/consolidation-ports.js";
import type { Consolidation } from "./conversation.js";
import type { Conversation, ConversationOptions, MemoryConversations, SaidDetails } from "./conversation-verbs.js";
import { openMemoryFiles, type MemoryFiles, type MemoryFilesParts } from "./memory-file/open-memory-files.js";
import { readProject } from "../project/project.js";
import type { SourceTrust } from "../observer/trust/trust.js";
import type { Memory, MemoryInput, RememberedMemory } from "../memory/memory.js";

export interface OpenConversations {
  conversationFor: (caller: Caller) => OpenConversation;
  /** How far what is said is trusted depends on the caller. */
  verbsFor: (caller: Caller) => MemoryConversations;
  memoryFiles: MemoryFiles;
  /** Waits for what goes on in the background. */
  close: () => Promise<void>;
}

export interface ConversationsParts
  extends MemoryFilesParts, ConsolidationPortsParts, Pick<SourceTrust, "listTaintReasons" | "judgeAgent"> {
  remember: (caller: Caller, input: MemoryInput) => Promise<RememberedMemory[]>;
  /** Whether the model that is asked is one that a command of an agent brings, as a function of its own or otherwise. */
  bringsModel: (hasOwn: boolean) => boolean;
}

type OpenConversation = (sessionId: string, options?: ConversationOptions) => Conversation;

// More than anybody looks through.
const maxConversations = 1000;

/** Conversations of a project. Loads next to nothing before it is asked. */
export function openConversations(parts: ConversationsParts): OpenConversations {
  const { context, listTaintReasons, judgeAgent } = parts;
  const files = openMemoryFiles(parts);
  // What is kept is kept: a file that cannot be written now is written by whoever comes next.
  const updateFiles = async () => files.sync().catch(ignoreMemoryError);
  const archives = () => import("./archive/replay.js");
  const consolidate = async (sessionId: string, { by, ...options }: AskedConsolidation): Promise<Consolidation> => {
    const [room, { consolidationPorts }] = await Promise.all([
      import("./consolidation/consolidate.js"),
      import("./consolidation/consolidation-ports.js"),
    ]);
    const asker = { caller: by, isOwnModel: parts.bringsModel(options.promptFn !== undefined) };
    const done = await room.consolidate(consolidationPorts(parts, asker), sessionId, options);
    if (done.compaction || done.learned.length > 0) await updateFiles();
    return done;
  };
  const countUnarchived = async (sessionId: string): Promise<number> =>
    (await (await archives()).readState(context, sessionId))?.unarchived ?? 0;
  const background = openBackgroundConsolidation(context, countUnarchived, consolidate);
  const conversationFor: OpenConversations["conversationFor"] = (caller) => (sessionId, options) =>
    openConversation(
      { context: { ...context, actor: caller }, listTaintReasons, judgeAgent, updateFiles, consolidate, background },
      sessionId,
      options,
    );

  return {
    conversationFor,
    verbsFor: (caller) => bindVerbs(parts, caller, conversationFor(caller), files),
    memoryFiles: files,
    close: background.close,
  };
}

function bindVerbs(
  parts: ConversationsParts,
  caller: Caller,
  conversation: OpenConversation,
  files: MemoryFiles,
): MemoryConversations {
  const context = { ...parts.context, actor: caller };
  const keyedContext = () => import("./context/keyed-context.js");
  return {
    list: async ({ limit = maxConversations } = {}) => {
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
    import: async (source, options) => {
      const { importConversation } = await import("./import/import-conversation.js");
      return importConversation({ context }, source, options);
    },
    archivedTurns: async (reference) => (await import("./archive/replay.js")).listArchivedTurns(context, reference),
    setContext: async (key, value, options) => {
      const judged = caller.kind === "agent" ? await parts.judgeAgent([saidBy(caller, value)]) : {};
      const { doubts: [doubt] = [], unverified } = judged;
      return (await keyedContext()).setContext(context, key, value, { ...options, doubt, unverified });
    },
    getContext: async (...args) => (await keyedContext()).getContext(context, ...args),
    rememberFact: async (content, { category, field, metadata = {}, ...details } = {}) => {
      const about = { ...(category !== undefined && { category }), ...(field !== undefined && { field }) };
      const fact = { type: "fact", ...details, content, metadata: { ...metadata, ...about } };
      return (await parts.remember(caller, fact))[0] as RememberedMemory;
    },
    rememberTurn: async (content, details) => rememberTurn(parts, caller, conversation, content, details),
    memoryFile: () => files.memoryFile(),
  };
}

function saidBy({ sessionId }: { sessionId?: string }, content: string): { sessionId?: string; content: string } {
  return { content, ...(sessionId !== undefined && { sessionId }) };
}

async function rememberTurn(
  { remember, context }: ConversationsParts,
  caller: Caller,
  conversation: OpenConversation,
  content: string,
  { role = "user", ...details }: SaidDetails = {},
): Promise<Memory> {
  const sessionId = (caller.kind === "agent" ? caller.sessionId : undefined) ?? details.sessionId;
  if (sessionId === undefined) {
    return (await remember(caller, { ...details, content, type: "conversation" }))[0] as RememberedMemory;
  }
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
