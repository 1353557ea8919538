import { type Caller, callerOf } from "../base/actor.js";
import type { MemoryConversations } from "../conversation/conversation-verbs.js";
import { explainQuery } from "../retrieval/query/explain-query.js";
import { describeLocation } from "../storage/connect.js";
import { bindEditing } from "./bind-editing.js";
import { forgetMemories, rememberAll, reviseMemory, supersedeMemory } from "./judged-verbs.js";
import { closeParts } from "./close-parts.js";
import { finishSession, finishSessions, indexCode } from "./finish-sessions.js";
import { checkCaller, refuseAsAgent } from "./judge-caller.js";
import { bindCode } from "./memory-code.js";
import { bindExchange } from "./memory-exchange.js";
import { bindProjects } from "./memory-projects.js";
import { bindReview } from "./memory-review.js";
import { bindSessions } from "./memory-sessions.js";
import { bindStore } from "./memory-store.js";
import { partsFor, type Parts } from "./parts.js";
import { listMemories, readMemory, reportRecall } from "./read-memories.js";
import type { TacitMemory } from "./tacit-memory.js";

/** Binds the rooms' functions into the public object, for one caller. Nothing is decided here. */
export function bindMemory(shared: Parts, given: Caller): TacitMemory {
  const parts = partsFor(shared, given);
  const caller = () => callerOf(parts.context.actor);
  const { context, code, models, conversations } = parts;
  const { location } = context.store;
  return {
    db: location.kind === "memory" ? ":memory:" : describeLocation(location),
    directory: parts.directory,
    get actor() {
      return caller();
    },
    as: (actor) => bindMemory(shared, checkCaller(actor)),

    remember: async (input, options) => one(await rememberAll(parts, [input], options)),
    rememberMany: (inputs, options) => rememberAll(parts, inputs, options),
    recall: async (question, options) => (await reportRecall(parts, question, options)).results,
    recallReport: (question, options) => reportRecall(parts, question, options),
    pack: async (...args) => (await import("../retrieval/packing/pack.js")).pack(...args),
    explain: explainQuery,
    get: (reference, options) => readMemory(parts, reference, options),
    list: (query) => listMemories(parts, query),

    revise: (reference, changes, options) => reviseMemory(parts, reference, changes, options),
    supersede: (reference, input, options) => supersedeMemory(parts, reference, input, options),
    forget: async (reference, ...rest: unknown[]) => {
      refuseAsAgent(rest[0]);
      return one(await forgetMemories(parts, [reference]));
    },
    forgetMany: async (references, ...rest: unknown[]) => {
      refuseAsAgent(rest[0]);
      return forgetMemories(parts, references);
    },
    ...bindEditing(parts),

    observe: (event) => parts.observing.observe(event),
    inject: (...args) => parts.injecting.inject(...args),
    finishSession: (sessionId, options) => finishSession(parts, sessionId, options),
    finishSessions: (options) => finishSessions(parts, options),
    conversation: (...args) => conversations.conversationFor(caller())(...args),

    index: (options) => indexCode(parts, options),
    impact: code.impact,
    recallCode: code.recall,
    exportGraph: code.exportGraph,

    embedPending: async (options) => (await models.embedding()).embedPending(options),
    stats: async () => (await import("./read-stats.js")).readStats(context, await models.embedding()),
    close: () => closeParts(parts),

    review: bindReview(parts),
    code: bindCode(parts),
    sessions: bindSessions(parts),
    get conversations() {
      return withoutAgentOption(conversations.verbsFor(caller()));
    },
    get builds() {
      return parts.builds.verbsFor(caller());
    },
    projects: bindProjects(parts),
    exchange: bindExchange(parts),
    store: bindStore(parts),
  };
}

function one<T>(list: T[]): T {
  return list[0] as T;
}

function withoutAgentOption(verbs: MemoryConversations): MemoryConversations {
  return {
    ...verbs,
    setContext: async (key, value, options) => {
      refuseAsAgent(options, "agent");
      return verbs.setContext(key, value, options);
    },
  };
}
