import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { TacitMemory } from "../../index.js";

/** What every call gets. */
export interface CallContext {
  /** For a tool it is bound to the agent that calls: nothing that a tool does is a person's doing. */
  memory: () => Promise<TacitMemory>;
  /** Runs what uses the memory, which stays open meanwhile. Where it is absent, the memory always does. */
  heldFor?: <T>(work: () => Promise<T>) => Promise<T>;
  /** The agent's own id of the session, where it is known. */
  sessionId?: string;
  /** Where the agent stands: files that it names are seen from here. */
  directory: string;
}

/**
 * What a tool answers: for a model to read, and the same for programs. Memory texts stand in quoted blocks in both. Some
 * clients hand their model one of the two, so each says everything.
 */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
}

/** An answer whose text is what there is to say, by default the sentence, and the block where there is one. */
export function answer<Structured extends { said: string; quoted?: string }>(
  structured: Structured,
  say = structured.said,
): ToolAnswer {
  const { quoted = "" } = structured;
  const text = [say, quoted].filter((part) => part !== "").join("\n");
  return { text: text === "" ? structured.said : text, structured: { ...structured } };
}

/** A tool as a client sees it, and what it does. The texts are fixed: no memory ever shows in them. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  input: z.ZodObject;
  output: z.ZodObject;
  annotations: ToolAnnotations;
  call: (args: never, context: CallContext) => Promise<ToolAnswer>;
}

/** Ties what a tool takes to what its function gets. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, "input" | "call"> & {
    input: Input;
    call: (args: z.infer<Input>, context: CallContext) => Promise<ToolAnswer>;
  },
): Tool {
  return tool;
}

/** Asks and changes nothing. */
export const asks: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
