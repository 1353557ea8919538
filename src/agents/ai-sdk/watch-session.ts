import type { LearnedReport, Outcome, SessionType } from "../../index.js";
import { fromAiSdkStep, type AgentEvent } from "../../observe.js";
import { noteAgentSeen } from "../../install/last-seen/agents-seen.js";
import type { ReachedMemory } from "./reach-memory.js";
import { openSessionTurns } from "./session-turns.js";
import { dropOldest } from "./injected-conversations.js";

/** Lets a memory see what an agent does. */
export interface SessionWatch {
  /** What the agent is to do; with the first one the session begins. */
  prompt: (text: string) => void;
  /**
   * A step that is over, in any of the SDK's forms; each counts once. Gives what was seen in it. Tools that are known to be
   * Tacit's own are told as such: any other may answer with something from outside, whatever it is called.
   */
  step: (step: unknown, ownTools?: ReadonlySet<string>) => AgentEvent[];
  /**
   * A call of a tool that the provider runs by itself, in a step that is not over: what it brings is in the model's mind when
   * that calls one of Tacit's tools in the same step.
   */
  called: (call: { toolName: string; toolCallId: string; input: unknown }) => void;
  /** How many steps the session has taken so far, in all of its calls. */
  steps: () => number;
  end: (outcome?: Outcome) => Promise<LearnedReport | undefined>;
}

export interface WatchOptions {
  sessionId: string;
  /** Which of several agents in the session; absent: the main one. */
  agentId?: string | undefined;
  /** Where it works; absent: where the memory was opened, if that is known. */
  directory?: string | undefined;
  type?: SessionType | undefined;
}

// Learning from a session takes a tenth of a second, and longer where a model is asked; then it goes on by itself.
const endPatienceMs = 30_000;
// An answer is short of tools that matter beyond these.
const maxTools = 50;
// Those of steps that never ended stay; far more than one step has.
const maxOpenCalls = 1000;

export function watchSession(memory: ReachedMemory, options: WatchOptions): SessionWatch {
  const { sessionId, agentId, directory, type } = options;
  const isMain = agentId === undefined;
  let hasBegun = false;
  let steps = 0;
  const seen = new WeakMap<object, AgentEvent[]>();
  const calledBefore = new Set<string>();
  let toolsUsed = new Set<string>();
  const turns = openSessionTurns(memory, sessionId);
  const whose = { sessionId, ...(!isMain && { agentId }) };

  const observe = (...events: AgentEvent[]): void =>
    memory.tell((opened) => {
      for (const event of events) opened.observe(event);
    });
  const begin = (task: string): void => {
    if (hasBegun) return;
    hasBegun = true;
    noteAgentSeen("ai-sdk");
    if (isMain) {
      memory.tell((opened) => {
        const from = directory ?? opened.directory;
        const where = from === undefined ? {} : { directory: from };
        opened.observe({ sessionId, kind: "start", agent: "ai-sdk", ...where, ...(type && { type }) });
      });
    } else observe({ sessionId, kind: "subagent", state: "started", childId: agentId, ...(task !== "" && { task }) });
  };
  const keepTurn: typeof turns.add = (...turn) => {
    if (isMain) turns.add(...turn);
  };

  return {
    steps: () => steps,
    prompt: (text) => {
      begin(text);
      if (isMain && text.trim() !== "") observe({ sessionId, kind: "prompt", text });
      toolsUsed = new Set();
      turns.rest(false);
      keepTurn("user", text);
    },
    called: (call) => {
      begin("");
      const part = { ...call, type: "tool-call", providerExecuted: true };
      const [event] = fromAiSdkStep({ content: [part] }, { ...whose, ownTools: new Set() });
      if (event?.kind !== "call" || calledBefore.has(event.callId)) return;
      calledBefore.add(event.callId);
      dropOldest(calledBefore, maxOpenCalls);
      observe(event);
    },
    step: (step, ownTools = new Set()) => {
      if (typeof step !== "object" || step === null) return [];
      const known = seen.get(step);
      if (known) return known;
      begin("");
      steps += 1;
      const told = fromAiSdkStep(step, { ...whose, ownTools });
      const events = told.map((event) => asOwn(event, ownTools));
      seen.set(step, events);
      observe(...events.filter((event) => event.kind !== "call" || !calledBefore.delete(event.callId)));
      for (const event of events) if (event.kind === "result") turns.shown(event.text);
      const calls = told.flatMap((event) => (event.kind === "call" ? [event.tool] : []));
      for (const tool of calls) if (toolsUsed.size < maxTools) toolsUsed.add(tool);
      // What calls a tool of the program goes on when that has answered.
      const isLast = calls.length === 0 || ("finishReason" in step && step.finishReason === "stop");
      if (isLast) keepTurn("assistant", saidIn(events), [...toolsUsed]);
      turns.rest(isLast);
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
            await turns.write();
            opened.observe({ sessionId, kind: "end", ...(outcome && { outcome }) });
            // At once: what finishes by itself in the background tells nobody what it has learned.
            give(await opened.finishSession?.(sessionId));
            // Where the store was held until then.
            await turns.write();
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
  if (command === undefined) return { ...event, tool: `mcp__tacit__${event.tool}`, own: true };
  return { ...event, tool: `mcp__tacit__${commands.get(command) ?? "remember"}`, input: {}, own: true };
}

const commands = new Map<unknown, string>([
  ["view", "recall"],
  ["delete", "forget"],
]);

function saidIn(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.kind === "reasoning" && !event.thought ? [event.text] : [])).join("\n");
}
