import type { LearnedReport, Outcome, SessionType } from "../../index.js";
import { fromAiSdkStep, type AgentEvent } from "../../observe-agents.js";
import { noteSpoken } from "../../spoken.js";
import type { AgentMemory } from "../agent-memory.js";
import type { ReachedMemory } from "./reach-memory.js";

/** Lets a memory see what an agent does. */
export interface SessionWatch {
  /** What the agent is to do; with the first one the session begins. */
  prompt: (text: string) => void;
  /**
   * A step that is over, in any of the SDK's forms; each counts once. Gives what was seen in it. Tools that are known to be
   * Tacit's own are told as such: any other may answer with something from outside.
   */
  step: (step: unknown, ownTools?: ReadonlySet<string>) => AgentEvent[];
  /** How many steps the session has taken so far, in all of its calls. */
  steps: () => number;
  end: (outcome?: Outcome) => Promise<LearnedReport | undefined>;
}

export interface WatchOptions {
  sessionId: string;
  /** Which of several agents in the session; absent: the main one. */
  agentId?: string | undefined;
  directory: string;
  type?: SessionType | undefined;
}

// Learning from a session takes a tenth of a second, and longer where a model is asked; then it goes on by itself.
const endPatienceMs = 30_000;
// An answer is short of tools that matter beyond these.
const mostTools = 50;

export function watchSession(memory: ReachedMemory, options: WatchOptions): SessionWatch {
  const { sessionId, agentId, directory, type } = options;
  const isMain = agentId === undefined;
  let hasBegun = false;
  let steps = 0;
  const seen = new WeakMap<object, AgentEvent[]>();
  let toolsUsed = new Set<string>();
  let talk: Promise<unknown> = Promise.resolve();

  const observe = (...events: AgentEvent[]): void =>
    memory.tell((opened) => {
      for (const event of events) opened.observe(event);
    });
  const begin = (task: string): void => {
    if (hasBegun) return;
    hasBegun = true;
    noteSpoken("ai-sdk");
    if (isMain) observe({ sessionId, kind: "start", agent: "ai-sdk", directory, ...(type && { type }) });
    else observe({ sessionId, kind: "subagent", state: "started", childId: agentId, ...(task !== "" && { task }) });
  };
  /** What is said is kept one after the other, where it is to be kept at all. */
  const keepTurn = (role: "user" | "assistant", content: string, tools: string[] = []): void => {
    if (!isMain || content.trim() === "") return;
    memory.tell((opened) => {
      talk = talk.then(() => appendTurn(opened, sessionId, { role, content, toolsUsed: tools })).catch(memory.complain);
    });
  };

  return {
    steps: () => steps,
    prompt: (text) => {
      begin(text);
      if (isMain && text.trim() !== "") observe({ sessionId, kind: "prompt", text });
      toolsUsed = new Set();
      keepTurn("user", text);
    },
    step: (step, ownTools = new Set()) => {
      if (typeof step !== "object" || step === null) return [];
      const known = seen.get(step);
      if (known) return known;
      begin("");
      steps += 1;
      const told = fromAiSdkStep(step, { sessionId, ...(!isMain && { agentId }) });
      const events = told.map((event) => asOwn(event, ownTools));
      seen.set(step, events);
      observe(...events);
      const calls = told.flatMap((event) => (event.kind === "call" ? [event.tool] : []));
      for (const tool of calls) if (toolsUsed.size < mostTools) toolsUsed.add(tool);
      // Who calls no tool has the last word.
      if (calls.length === 0) keepTurn("assistant", saidIn(events), [...toolsUsed]);
      return events;
    },
    end: async (outcome) => {
      if (!hasBegun) return undefined;
      hasBegun = false;
      if (!isMain) {
        observe({ sessionId, kind: "subagent", state: "ended", childId: agentId });
        return undefined;
      }
      const learning = new Promise<LearnedReport | undefined>((give) =>
        memory.tell(async (opened) => {
          try {
            await talk;
            opened.observe({ sessionId, kind: "end", ...(outcome && { outcome }) });
            // At once: what finishes by itself in the background tells nobody what it has learned.
            give(await opened.finishSession?.(sessionId));
          } finally {
            give(undefined);
          }
        }),
      );
      return memory.ask<LearnedReport | undefined>(undefined, () => learning, endPatienceMs);
    },
  };
}

/** By the names that the observer knows. Anthropic's memory tool is one for all of them, and its paths are of no file. */
function asOwn(event: AgentEvent, ownTools: ReadonlySet<string>): AgentEvent {
  if ((event.kind !== "call" && event.kind !== "result") || !event.tool || !ownTools.has(event.tool)) return event;
  const { command } = event.input ?? {};
  if (command === undefined) return { ...event, tool: `mcp__tacit__${event.tool}` };
  return { ...event, tool: `mcp__tacit__${commands.get(command) ?? "remember"}`, input: {} };
}

const commands = new Map<unknown, string>([
  ["view", "recall"],
  ["delete", "forget"],
]);

function saidIn(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.kind === "reasoning" && !event.thought ? [event.text] : [])).join("\n");
}

async function appendTurn(
  memory: AgentMemory,
  sessionId: string,
  turn: { role: "user" | "assistant"; content: string; toolsUsed: string[] },
): Promise<void> {
  if (!memory.conversation || !memory.config) return;
  const { enabled, keepTurns } = (await memory.config()).settings;
  if (enabled && keepTurns) await memory.conversation(sessionId).append(turn);
}
