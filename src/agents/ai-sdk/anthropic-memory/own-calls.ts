import type { AgentEvent } from "../../../index.js";
import { isMemoryTool } from "./memory-tool.js";

/** The names under which an agent has a memory tool of ours, among all of its tools. */
export function listMemoryTools(tools: unknown): ReadonlySet<string> {
  const entries = Object.entries(Object(tools) as Record<string, unknown>);
  return new Set(entries.flatMap(([name, tool]) => (isMemoryTool(tool) ? [name] : [])));
}

/**
 * What an agent did, with the calls of our memory tool told as calls of Tacit. A tool that is only called `memory` may answer
 * with anything, so that whatever follows it would count as from outside; of ours the answer says whether it showed something
 * that nobody vouches for.
 */
export function asOwnCalls(events: readonly AgentEvent[], names: ReadonlySet<string>): AgentEvent[] {
  return events.map((event) => {
    if ((event.kind !== "call" && event.kind !== "result") || !names.has(event.tool ?? "")) return event;
    const isView = event.input?.["command"] === "view";
    // Without its path: that is no file of any disk, and would pass for one outside of the project.
    return { ...event, tool: isView ? "mcp__tacit__recall" : "mcp__tacit__remember", input: {} };
  });
}
