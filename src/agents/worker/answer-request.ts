import type { MemoryInput, Moment, RecallOptions } from "../../index.js";
import type { Served } from "./events-of-message.js";
import { carriedText, fieldsOf, type MemoryReply, wordsOf } from "./memory-messages.js";
import type { AwaitedMemory } from "./served-memory.js";

// What a question is made of; a page of text is none.
const longestQuery = 10_000;
// A reply is copied whole from thread to thread.
const maxResults = 100;

type Answer = MemoryReply extends infer R ? (R extends unknown ? Omit<R, "type" | "requestId"> : never) : never;

/**
 * What a worker's request is answered; undefined for a message that asks nothing. A worker asks as an agent, of the served
 * session where that worker tells what it does, and of nobody's where it does not: then nobody knows what it had read.
 */
export async function answerRequest(
  memory: AwaitedMemory,
  message: Record<string, unknown>,
  { sessionId, agentId }: Pick<Served, "sessionId" | "agentId">,
  { isWatched }: { isWatched: boolean },
): Promise<Answer | undefined> {
  const whose = { sessionId, ...(agentId !== undefined && { agentId }) };
  const asking = () => memory.as({ kind: "agent", ...(isWatched && { sessionId }) });
  switch (message["type"]) {
    case "memory:search": {
      const query = carriedText(wordsOf(message["query"]) ?? "").slice(0, longestQuery);
      const filters = fieldsOf(message["filters"]) as RecallOptions;
      const limit = Math.min(typeof filters.limit === "number" ? filters.limit : maxResults, maxResults);
      return { of: "memory:search", report: await (await asking()).recallReport(query, { ...filters, limit }) };
    }
    case "memory:record": {
      const { sessionId: _session, ...entry } = fieldsOf(message["entry"]) as unknown as MemoryInput;
      return { of: "memory:record", kept: await (await asking()).remember(entry) };
    }
    case "memory:step-complete": {
      const { sessionId: _session, agentId: _agent, ...moment } = fieldsOf(message["moment"]);
      if (message["moment"] === undefined) return undefined;
      const asked = { ...moment, ...whose } as Moment;
      return {
        of: "memory:step-complete",
        injection: await (await asking()).inject(asked, fieldsOf(message["options"])),
      };
    }
    default:
      return undefined;
  }
}

/** What went wrong, in words that a worker can show. */
export function errorAnswer(error: unknown): Answer {
  const { code, message, hint } = fieldsOf(Object(error)) as { code?: unknown; message?: unknown; hint?: unknown };
  return {
    of: "error",
    error: {
      code: wordsOf(code) ?? "store-failed",
      message: wordsOf(message) ?? String(error),
      hint: wordsOf(hint) ?? "Go on without it.",
    },
  };
}
