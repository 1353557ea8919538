import type { Moment } from "../../hooks.js";
import type { ContextEntry } from "./context-collector.js";
import type { LazyMemory } from "./lazy-memory.js";
import type { Spoken } from "./sessions.js";
import { toolMoment, type CalledTool } from "./tool-moment.js";

/** What an agent of opencode is told, and when. */
export interface Telling {
  /** With a message: what it is about, and with the first of a session what somebody who begins should know. */
  atMessage(whose: Whose, said: { prompt: string | undefined; continues: Spoken | undefined }): Promise<ContextEntry[]>;
  /** After a call of a tool. Empty most of the time. */
  afterTool(called: CalledTool): Promise<string>;
}

type Whose = Pick<Moment, "sessionId" | "agentId">;

// The first design: of what a prompt brings to mind, the best three that answer it well.
const relevant = { mostMemories: 3, minScore: 0.4 };
// Texts of files would stay in the session for good.
const prefetch = "names";

export function openTelling(memory: LazyMemory, place: { root: string; directory: string }): Telling {
  const tell = async (moment: Moment, options = {}): Promise<string> =>
    (await (await memory.get()).inject(moment, options)).text;
  return {
    atMessage: async (whose, { prompt, continues }) => {
      const entries: ContextEntry[] = [];
      if (continues?.isFirst) {
        const goesOn = continues.how === undefined ? {} : { continues: continues.how };
        const content = await tell({ ...whose, point: "session-start", ...goesOn });
        if (content !== "") entries.push({ id: "session-start", source: "tacit", content, priority: "normal" });
      }
      if (prompt !== undefined) {
        const content = await tell({ ...whose, point: "prompt", prompt, prefetch }, relevant);
        if (content !== "") entries.push({ id: "relevant-memories", source: "tacit", content, priority: "high" });
      }
      return entries;
    },
    afterTool: async (called) => tell(toolMoment(called, place)),
  };
}
