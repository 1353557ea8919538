import { openRepeatedWords, type RepeatedWords } from "../../base/text/text.js";
import type { AgentEvent } from "../../observer/observer.js";
import { openKeys, storable, toolNames, usedOnly, type SessionTurn } from "./keyed-turn.js";

export interface TurnsOptions {
  /** Nothing more comes of the sessions. Else tools that were used last may still be followed by what is said of them. */
  isOver?: boolean;
}

/**
 * What was said in sessions of an agent: prompts, and what the agent told the person, each with the tools that it used since
 * it spoke last. Where it used tools and said nothing before the next prompt, one short line stands for that. What it thought, and what its
 * sub-agents said, is left out.
 *
 * @example
 * for await (const { sessionId, turn } of turnsOf(readTranscript(createReadStream(file), report))) …
 */
export async function* turnsOf(
  events: AsyncIterable<AgentEvent>,
  { isOver = false }: TurnsOptions = {},
): AsyncGenerator<SessionTurn, void, undefined> {
  const keyed = openKeys();
  const used = new Map<string, { tools: Set<string>; at: number | undefined }>();
  const takeUsed = (sessionId: string) => {
    const { tools, at } = used.get(sessionId) ?? {};
    used.delete(sessionId);
    return { tools: toolNames(tools ?? []), at };
  };
  const shown = new Map<string, RepeatedWords>();
  const shownIn = (sessionId: string) => {
    const words = shown.get(sessionId) ?? openRepeatedWords();
    shown.set(sessionId, words);
    return words;
  };
  for await (const { sessionId, agentId, at, ...event } of events) {
    if (event.kind === "result") shownIn(sessionId).add(event.text);
    if (agentId !== undefined) continue;
    const turn = (role: "user" | "assistant", text: string, toolsUsed: string[] = [], when = at): SessionTurn => {
      const timestamp = timeOf(when);
      return {
        sessionId,
        turn: keyed(sessionId, {
          role,
          content: storable(text),
          ...(timestamp !== undefined && { timestamp }),
          ...(toolsUsed.length > 0 && { toolsUsed }),
          ...(role === "user" && shownIn(sessionId).repeats(text) && { isPasted: true }),
        }),
      };
    };
    const silent = (): SessionTurn[] => {
      const { tools, at: since } = takeUsed(sessionId);
      return tools.length === 0 ? [] : [turn("assistant", usedOnly(tools), tools, since)];
    };
    if (event.kind === "prompt") {
      yield* silent();
      if (event.text.trim() !== "") yield turn("user", event.text);
    } else if (event.kind === "reasoning") {
      if (event.thought !== true && event.text.trim() !== "") {
        yield turn("assistant", event.text, takeUsed(sessionId).tools);
      }
    } else if (event.kind === "call") {
      const soFar = used.get(sessionId) ?? { tools: new Set(), at };
      used.set(sessionId, soFar);
      if (soFar.tools.size < maxHeld) soFar.tools.add(event.tool);
    } else if (event.kind === "end") {
      if (isOver) yield* silent();
      used.delete(sessionId);
      shown.delete(sessionId);
    }
  }
}

// An agent without end of names must not fill the memory; a turn carries fewer.
const maxHeld = 100;

function timeOf(at: number | undefined): string | undefined {
  if (at === undefined || !Number.isFinite(at) || Math.abs(at) > 8.64e15) return undefined;
  return new Date(at).toISOString();
}
