import type * as z from "zod";
import { agentTools } from "../agent-tools.js";
import type { AgentMemory } from "../agent-memory.js";
import type { ReachedMemory } from "./reach-memory.js";

export type SdkToolName = "remember" | "recall" | "forget";

/** A tool as `tools` of both versions takes it. */
export interface SdkTool {
  description: string;
  inputSchema: z.ZodObject;
  execute: (input: unknown) => Promise<string>;
}

// A first question may load a model, which takes seconds; an agent that waits longer is better told that it has none.
export const patienceMs = 10_000;

/** `remember`, `recall` and `forget`. What goes wrong is their answer. */
export function memoryTools(
  memory: ReachedMemory,
  { sessionId, directory }: { sessionId: string; directory?: string | undefined },
): Record<SdkToolName, SdkTool> {
  const tools = agentTools(() => memory.opened, { onError: memory.complain, attempts: 1 });
  const made = tools.map(({ name, description, input, call }): [SdkToolName, SdkTool] => [
    name,
    {
      description,
      inputSchema: input,
      execute: async (given) => {
        const work = async (opened: AgentMemory) => {
          const from = directory ?? opened.directory;
          return call(given, { sessionId, agent: "ai-sdk", ...(from !== undefined && { directory: from }) });
        };
        return memory.ask(late, work, patienceMs);
      },
    },
  ]);
  return Object.fromEntries(made) as Record<SdkToolName, SdkTool>;
}

/** What a model is told then. */
export const late = "Tacit does not answer. Go on without it.";
