import type { ToolAnnotations } from "@modelcontextprotocol/server";
import type * as z from "zod";
import type { TacitMemory } from "../index.js";

/** What every call gets. */
export interface CallContext {
  memory: () => Promise<TacitMemory>;
  /** The agent's own id of the session, where it is known. */
  sessionId?: string;
  /** Where the agent stands: files that it names are seen from here. */
  directory: string;
}

/** What a tool answers: for a model to read, and the same for programs. Memory texts stand in quoted blocks in both. */
export interface ToolAnswer {
  text: string;
  structured: Record<string, unknown>;
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
