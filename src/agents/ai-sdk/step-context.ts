import { callOf } from "../../hook/hook.js";
import type { InjectOptions, Moment } from "../../index.js";
import { findRoot, type AgentEvent } from "../../observe.js";
import { patienceFor } from "./prompt-context.js";
import type { ReachedMemory } from "./reach-memory.js";
import { joined } from "./sdk-messages.js";

/** What an agent is told between two steps. */
export interface StepContext {
  /** What to tell now that a step has shown this, before the step of this number in the session, from 1. */
  afterStep: (events: readonly AgentEvent[], step: number) => Promise<string>;
  /** The files that the session has touched so far. */
  touched: () => string[];
}

// What a limit of steps goes by: more than the files of one piece of work.
const maxTouched = 200;

/** Tells beside a file that was read, and from the fifth step on what warns of a file or answers a search. */
export function openStepContext(
  memory: ReachedMemory,
  {
    sessionId,
    agentId,
    directory,
    ...how
  }: InjectOptions & { sessionId: string; agentId?: string | undefined; directory?: string | undefined },
): StepContext {
  const whose = { sessionId, ...(agentId !== undefined && { agentId }) };
  let known: { root: string; directory: string } | undefined;
  const all = new Set<string>();
  const ask = async (moment: Moment): Promise<string> =>
    memory.ask("", async (opened) => (await opened.inject(moment, how)).text, patienceFor(how));

  const findPlace = async () => {
    const opened = directory ?? (await memory.ask<string | undefined>(undefined, async (one) => one.directory));
    const from = opened ?? process.cwd();
    if (known?.directory !== from) known = { root: findRoot({ directory: from }), directory: from };
    return known;
  };

  return {
    touched: () => [...all],
    afterStep: async (events, step) => {
      const place = await findPlace();
      const read: string[] = [];
      const edited: string[] = [];
      const searches: string[] = [];
      for (const event of events) {
        // A file that could not be read is none that was read.
        if (event.kind !== "result" || event.isError || event.tool === undefined || isOwn(event.tool)) continue;
        const { does, files = [], search } = callOf({ tool: event.tool, input: event.input ?? {} }, place);
        if (does === "read") read.push(...files);
        if (does === "edit") edited.push(...files);
        if (search) searches.push(search.pattern);
      }
      for (const file of [...read, ...edited]) if (all.size < maxTouched) all.add(file);
      if (how.mode === "none" || how.mode === "passive") return "";
      const beside = read.length > 0 ? await ask({ ...whose, point: "file-read", files: read }) : "";
      const between = await ask({
        ...whose,
        point: "step",
        step,
        ...(edited.length > 0 && { touched: edited }),
        ...(searches.length > 0 && { searches }),
      });
      return joined(beside, between);
    },
  };
}

/** What the memory was asked itself, it need not answer once more. */
function isOwn(tool: string): boolean {
  return tool.startsWith("mcp__tacit__");
}
