import type { InjectOptions } from "../../index.js";
import type { AgentMemory } from "../agent-memory.js";
import { openPromptContext } from "./prompt-context.js";
import { checkMemory, reachMemory } from "./reach-memory.js";
import type { SdkMessage } from "./sdk-messages.js";

export interface MiddlewareOptions extends InjectOptions {
  /** Open, or being opened; a worker's end will do. */
  memory: AgentMemory | PromiseLike<AgentMemory>;
  /** Of the first conversation; default: one of its own. Every other has one of its own, and nothing is told twice in one. */
  sessionId?: string;
}

/** As `wrapLanguageModel` of both versions takes it. */
export interface MemoryMiddleware {
  /** What version 6 asks for; 7 takes any. */
  readonly specificationVersion: "v3";
  transformParams: <P extends { prompt: unknown }>(options: { params: P }) => Promise<P>;
}

/**
 * Memory for a model instead of a loop: what should be known at the start and with a prompt comes with the prompt, and
 * nothing else is done: nobody watches. A prompt that is sent again, as in each step of a loop, has the same text in the same
 * place. One is enough for a whole process: each conversation is told by itself.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai("gpt-6"), middleware: memoryMiddleware({ memory }) });
 */
export function memoryMiddleware(options: MiddlewareOptions): MemoryMiddleware {
  const { memory, sessionId = crypto.randomUUID(), ...how } = Object(options) as MiddlewareOptions;
  const reached = reachMemory(checkMemory(memory));
  const telling = openPromptContext(reached, { sessionId, isEndless: true, ...how });
  return {
    specificationVersion: "v3",
    transformParams: async ({ params }) => {
      try {
        if (!Array.isArray(params.prompt)) return params;
        const messages = params.prompt as SdkMessage[];
        await telling.hear(messages);
        const prompt = telling.place(messages);
        return prompt === messages ? params : { ...params, prompt };
      } catch (error) {
        reached.complain(error);
        return params;
      }
    },
  };
}
