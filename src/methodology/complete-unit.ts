import type { MemoryInput, Source, WorkUnit } from "../memory/memory.js";
import type { Methodologies, PluginMemory, WorkContext, WorkUnitResult } from "./methodology.js";

/** A piece of work as an agent tells of it: an `AgentEvent` of the kind `unit` is one. */
export interface CompletedUnit {
  sessionId: string;
  agentId?: string;
  unit: WorkUnit;
  state: "started" | "succeeded" | "failed";
  plannedSteps?: number;
  summary?: string;
}

/**
 * Tells the methodology of a unit that it has succeeded or failed; one that was only started, or belongs to no known
 * methodology, concerns nobody. Never throws, whatever the plug-in or the event is like, and does not wait for ever.
 *
 * What the plug-in remembers belongs to the session that did the work: if that has read from outside, it waits for a person
 * like everything else that the session says.
 */
export async function completeUnit(
  methodologies: Methodologies,
  told: CompletedUnit,
  memory: PluginMemory,
): Promise<void> {
  try {
    const { sessionId, agentId, unit, state, plannedSteps, summary } = told;
    if (state === "started") return;
    const plugin = methodologies.find(unit.methodology);
    if (!plugin?.onWorkUnitComplete) return;
    const context: WorkContext = { sessionId, unit, ...(agentId !== undefined && { agentId }) };
    const result: WorkUnitResult = {
      state,
      ...(plannedSteps !== undefined && { plannedSteps }),
      ...(summary !== undefined && { summary }),
    };
    await plugin.onWorkUnitComplete(context, result, {
      remember: (input) =>
        memory.remember({ methodology: plugin.id, workUnit: unit, ...input, sessionId, source: sourceOf(input) }),
      list: (query) => memory.list(query),
      recall: (question, options) => memory.recall(question, options),
    });
  } catch {
    // An agent must not break because of its memory, whatever it hands over.
  }
}

/** Only a person teaches. */
function sourceOf({ source }: MemoryInput): Source {
  return source === undefined || source === "user_taught" ? "agent_explicit" : source;
}
