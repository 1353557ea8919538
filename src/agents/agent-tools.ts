import * as z from "zod";
import { quote } from "../mcp/tools/quote.js";
import { recall } from "../mcp/tools/recall-tool.js";
import { rememberForAgent } from "../mcp/tools/remember-tool.js";
import { runTool } from "../mcp/tools/run-tool.js";
import { countOf } from "../base/count-of.js";
import { resolveNamedFile } from "../base/files/files.js";
import { answer, type ToolAnswer } from "../mcp/tools/tool.js";
import { asAgent, type AgentMemory } from "./agent-memory.js";

/** A tool that an agent in this process may call. */
export interface AgentTool {
  name: "remember" | "recall" | "forget";
  /** A fixed text: no memory ever shows in it. */
  description: string;
  input: z.ZodObject;
  /** Answers in text for a model. Never throws: what goes wrong is said in the text. */
  call: (input: unknown, session: ToolSession) => Promise<string>;
}

/** Who calls, as far as the agent's host knows. */
export interface ToolSession {
  /** The session that is observed: what it has read decides how far what it wants kept is trusted. */
  sessionId?: string;
  agent?: string;
  /** Where the agent stands: files that it names are seen from here. */
  directory?: string;
}

export interface AgentToolsOptions {
  /** False where the memory cannot forget, as a worker's end: then there is no such tool. Default true. */
  canForget?: boolean;
  /** Told of what went wrong beside the answer. */
  onError?: (error: unknown) => void;
  /** How often a store that others hold is tried. 1 where to wait for it holds up the whole program. Default 4. */
  attempts?: number;
}

/**
 * The three tools for agents that run in the same process as their memory. The memory is asked for by the first call that
 * needs it; one that cannot be opened is that call's answer, and the next one asks again.
 *
 * @example
 * const [remember] = agentTools(async () => memory);
 * await remember.call({ type: "decision", content: "We deploy on Fridays." }, { sessionId: "s1" });
 */
export function agentTools(
  memory: () => Promise<AgentMemory>,
  { canForget = true, onError = () => {}, attempts }: AgentToolsOptions = {},
): AgentTool[] {
  const own: OwnTool[] = [rememberTool, recallTool, ...(canForget ? [forgetTool] : [])];
  return own.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input: tool.input,
    call: async (input, session) => {
      const context: Context = { ...session, memory: async () => asAgent(await memory(), session) };
      return (await runTool(tool, input, context, onError, attempts)).text;
    },
  }));
}

interface Context extends ToolSession {
  memory: () => Promise<AgentMemory>;
}

interface OwnTool {
  name: AgentTool["name"];
  description: string;
  input: z.ZodObject;
  call: (args: never, context: Context) => Promise<ToolAnswer>;
}

/** Those of the first design, and the others that an agent has reason to state. */
const types = [
  "preference",
  "pattern",
  "decision",
  "convention",
  "context",
  "fact",
  "gotcha",
  "requirement",
  "error_pattern",
  "dead_end",
  "module_insight",
  "work_state",
  "note",
] as const;

// The first design: as sure as somebody who says so, and five results.
const usualConfidence = 0.8;
const usualLimit = 5;
const maxResults = 50;
// What an agent looks through before it names those that are to go.
const maxToForget = 10;

const rememberInput = z.object({
  type: z.enum(types).describe("What kind of thing it is"),
  content: z.string().describe("One fact in full sentences that can be understood later, without this conversation"),
  tags: z.array(z.string()).optional().describe("Words to file it under"),
  files: z
    .array(z.string())
    .optional()
    .describe("The files it is about; also pattern:NAME or decision:NAME, where it belongs to one"),
  confidence: z.number().min(0).max(1).optional().describe(`How sure you are, 0 to 1; default ${usualConfidence}`),
  scope: z
    .enum(["project", "session"])
    .optional()
    .describe("project (the default): for every later session; session: for this one only"),
});

const rememberTool = {
  name: "remember",
  description:
    "Keep one thing worth knowing in later sessions: a preference of the user, a decision and its reason, a convention of the project, a trap, a fix that was hard to find. Not what the code says by itself.",
  input: rememberInput,
  call: async (given: z.infer<typeof rememberInput>, { memory, agent, directory }: Context) => {
    const { type, content, tags, files, confidence, scope } = given;
    const kept = await rememberForAgent(await memory(), {
      type,
      content,
      confidence: confidence ?? usualConfidence,
      scope: scope === "session" ? "session" : "global",
      ...(tags && { tags }),
      ...(files && { relatedFiles: files.map((file) => resolveNamedFile(file, directory)) }),
      ...(agent !== undefined && { agent }),
    });
    return { text: kept.text, structured: {} };
  },
} satisfies OwnTool;

const recallInput = z.object({
  query: z.string().describe("A question or some words"),
  types: z.array(z.string()).optional().describe("Only these types, such as gotcha or decision"),
  limit: z.number().int().min(1).max(maxResults).optional().describe(`Default ${usualLimit}`),
});

const recallTool = {
  name: "recall",
  description:
    "Find what is remembered about a question, best first: decisions, traps, fixes, conventions and preferences. Ask before you start, and when something puzzles you.",
  input: recallInput,
  call: async ({ query, types: wanted, limit = usualLimit }: z.infer<typeof recallInput>, { memory }: Context) =>
    recall({ memory }, query, { limit, ...(wanted && { types: wanted }) }),
} satisfies OwnTool;

const forgetInput = z.object({
  id: z.string().optional().describe("Its id, the last 8 characters of it, or its name"),
  query: z.string().optional().describe("Words of the memory, where you do not know its id"),
});

const forgetTool = {
  name: "forget",
  description:
    "Take away one memory that is wrong or no longer wanted, by its id. It can be brought back for 30 days. With a query instead it lists what could be meant and takes nothing away.",
  input: forgetInput,
  call: async ({ id, query }: z.infer<typeof forgetInput>, { memory }: Context) => {
    const [reference, words] = [id?.trim() ?? "", query?.trim() ?? ""];
    if ((reference === "") === (words === "")) {
      return answer({
        said: "Give either the id of the memory that is to go, or a query that lists which it could be.",
      });
    }
    return reference === "" ? listToForget(await memory(), words) : forgetOne(await memory(), reference);
  },
} satisfies OwnTool;

async function forgetOne(memory: AgentMemory, reference: string): Promise<ToolAnswer> {
  if (!memory.forget) return answer({ said: "This memory cannot forget from here: tacit forget does it." });
  const short = (await memory.forget(reference)).id.slice(-8);
  return answer({ said: `Forgot ${short}. A person can bring it back for 30 days: tacit restore ${short}` });
}

async function listToForget(memory: AgentMemory, query: string): Promise<ToolAnswer> {
  const { searchToForget } = await import("../index.js");
  const { results } = await memory.recallReport(query, { ...searchToForget, limit: maxToForget });
  if (results.length === 0) return answer({ said: "Nothing is remembered about this; nothing was forgotten." });
  const { text, included } = await quote(results, { point: "forget" });
  const found = countOf(included.length, "memory");
  const ids = included.map((id) => id.slice(-8)).join(", ");
  return answer({
    said: `Nothing is forgotten yet. ${found} could be meant: ${ids}. Call forget again with the id of each that is to go.`,
    quoted: text,
  });
}
