import { memoryTool, type MemoryCommand } from "../../src/agents/ai-sdk/anthropic-memory/memory-tool.js";
import type { TacitMemory } from "../../src/index.js";

export type Ask = (input: MemoryCommand) => Promise<string>;

export function asker(memory: TacitMemory, sessionId?: string): Ask {
  return memoryTool({ memory, ...(sessionId !== undefined && { sessionId }) }).execute;
}

/** A session that tells what it does. */
export function watched(memory: TacitMemory, sessionId: string): string {
  memory.observe({ kind: "start", sessionId, agent: "test" });
  return sessionId;
}

export async function textsIn(memory: TacitMemory): Promise<Record<string, string>> {
  const files = await memory.list({ type: "memory_file", status: ["active", "waiting"] });
  const named = files.map(({ metadata, content }) => [
    (metadata["path"] as string).slice(10),
    content.slice(content.indexOf("\n") + 1),
  ]);
  return Object.fromEntries(named.toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))) as Record<string, string>;
}
