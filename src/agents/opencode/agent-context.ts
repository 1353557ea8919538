import type { Moment } from "../../hook/hook.js";
import type { InjectOptions, Injection } from "../../index.js";
import { toolMoment, type CalledTool } from "../tool-moment.js";
import type { ContextEntry, Priority } from "./context-collector.js";
import type { LazyMemory } from "./lazy-memory.js";
import { readsItself } from "./reads-itself.js";
import type { Continuation } from "./sessions.js";

/** What an agent of opencode is told, and when. */
export interface AgentContext {
  /** With a message: what it is about, and with the first of a session what somebody who begins should know. */
  atMessage(
    whose: Whose,
    said: { prompt: string | undefined; continues: Continuation | undefined },
  ): Promise<MessageContext>;
  /** After a call of a tool. Empty most of the time. */
  afterTool(called: CalledTool): Promise<string>;
}

export interface MessageContext {
  entries: ContextEntry[];
  /** True where there was no time to say what somebody who begins should know: it is still to be said. */
  isLate: boolean;
}

type Whose = Pick<Moment, "sessionId" | "agentId">;

// The first design: of what a prompt brings to mind, the best three that answer it well.
const relevant = { maxMemories: 3, minScore: 0.4 };
// Texts of files would stay in the session for good.
const prefetch = "names";
// The first time something is told at a point, what chooses it is loaded: on a busy machine with two cores the start of a session
// took over 500 ms then, and was told nothing (2026-11). Later the usual deadlines hold.
const coldMs: Record<Moment["point"], number> = { "session-start": 1500, prompt: 2000, "file-read": 300, step: 300 };

export function openAgentContext(memory: LazyMemory, place: { root: string; directory: string }): AgentContext {
  const warm = new Set<Moment["point"]>();
  const tell = async (moment: Moment, options: InjectOptions = {}): Promise<Injection> => {
    const opened = await memory.get();
    const deadline = warm.has(moment.point) ? {} : { deadlineMs: coldMs[moment.point] };
    warm.add(moment.point);
    return opened.inject(moment, { ...deadline, ...options });
  };
  return {
    atMessage: async (whose, { prompt, continues }) => {
      const told: MessageContext = { entries: [], isLate: false };
      const add = (id: string, priority: Priority, content: string): void => {
        if (content !== "") told.entries.push({ id, source: "tacit", content, priority });
      };
      const reads = readsItself(place);
      if (continues?.isFirst) {
        const goesOn = continues.how === undefined ? {} : { continues: continues.how };
        const { text, isLate } = await tell({ ...whose, point: "session-start", reads, ...goesOn });
        told.isLate = isLate;
        add("session-start", "normal", text);
      }
      if (prompt !== undefined) {
        const { text } = await tell({ ...whose, point: "prompt", prompt, prefetch, reads }, relevant);
        add("relevant-memories", "high", text);
      }
      return told;
    },
    afterTool: async (called) => (await tell(toolMoment(called, place))).text,
  };
}
