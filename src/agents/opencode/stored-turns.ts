import { openRepeatedWords, type RepeatedWords } from "../../base/text/text.js";
import type { AgentEvent, TurnInput } from "../../index.js";
import type { LazyMemory } from "./lazy-memory.js";

/** Keeps what a person and their agent say to each other, as the conversation of the session. */
export interface StoredTurns {
  /** Takes what an event says; what a sub-agent says and what an agent thinks is left out. */
  take(event: AgentEvent): void;
  /** Writes down what was said in a session since the last time, each once. Nothing where the settings say so. */
  flush(sessionId: string): Promise<void>;
  /** The same, and sums it up; `end` and `new` also take what is worth keeping from it. Gives the archive, if one was made. */
  sumUp(sessionId: string, why: "compacted" | "end" | "new"): Promise<SummedUp>;
}

type SummedUp = Awaited<ReturnType<ReturnType<Awaited<ReturnType<LazyMemory["get"]>>["conversation"]>["compact"]>>;

// What cannot be written stays to be written, up to here: a store that is full must not fill this process.
const maxTurns = 200;
const maxTools = 100;

export function openStoredTurns(memory: LazyMemory): StoredTurns {
  const said = new Map<string, TurnInput[]>();
  const used = new Map<string, Set<string>>();
  const shown = new Map<string, RepeatedWords>();
  const writing = new Map<string, Promise<void>>();

  const add = (sessionId: string, turn: TurnInput): void => {
    const turns = said.get(sessionId) ?? [];
    if (turns.length < maxTurns) turns.push(turn);
    said.set(sessionId, turns);
  };
  const write = async (sessionId: string): Promise<void> => {
    if (!said.has(sessionId)) return;
    const isWanted = await isKept(memory);
    const turns = said.get(sessionId) ?? [];
    said.delete(sessionId);
    if (!isWanted) return;
    try {
      await (await memory.get()).conversation(sessionId).append(turns);
    } catch (error) {
      said.set(sessionId, [...turns, ...(said.get(sessionId) ?? [])].slice(-maxTurns));
      throw error;
    }
  };
  /** One after the other, so that turns stay in their order. */
  const flush = async (sessionId: string): Promise<void> => {
    const work = (writing.get(sessionId) ?? Promise.resolve()).catch(() => undefined).then(() => write(sessionId));
    writing.set(sessionId, work);
    try {
      await work;
    } finally {
      if (writing.get(sessionId) === work) writing.delete(sessionId);
    }
  };

  return {
    flush,
    take: ({ sessionId, agentId, at, ...event }) => {
      const words = shown.get(sessionId) ?? openRepeatedWords();
      shown.set(sessionId, words);
      if (event.kind === "result") words.add(event.text);
      if (event.kind === "end" && agentId === undefined) shown.delete(sessionId);
      if (agentId !== undefined) return;
      const timestamp = new Date(at ?? Date.now()).toISOString();
      if (event.kind === "prompt" && event.text.trim() !== "") {
        const isPasted = words.repeats(event.text);
        add(sessionId, { role: "user", content: event.text, timestamp, ...(isPasted && { isPasted }) });
      } else if (event.kind === "reasoning" && event.thought !== true && event.text.trim() !== "") {
        const toolsUsed = [...(used.get(sessionId) ?? [])];
        used.delete(sessionId);
        add(sessionId, { role: "assistant", content: event.text, timestamp, toolsUsed });
      } else if (event.kind === "call") {
        const tools = used.get(sessionId) ?? new Set();
        if (tools.size < maxTools) used.set(sessionId, tools.add(event.tool));
      }
    },
    sumUp: async (sessionId, why) => {
      await flush(sessionId);
      if (!(await isKept(memory))) return undefined;
      const conversation = (await memory.get()).conversation(sessionId);
      if ((await conversation.state()) === undefined) return undefined;
      if (why === "compacted") return conversation.compact({ keepCount: 0 });
      const done = why === "new" ? conversation.startNew() : conversation.consolidate({ reason: why, isQuick: true });
      return (await done).compaction;
    },
  };
}

async function isKept(memory: LazyMemory): Promise<boolean> {
  const { enabled = false, keepTurns = false } = (await memory.settings()) ?? {};
  return enabled && keepTurns;
}
