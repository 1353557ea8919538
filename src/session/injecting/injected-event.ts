import type { Injection, Moment } from "../../injection/injection.js";
import type { AgentEvent } from "../../observer/observer.js";

/** An injection as it is noted, at a time of its own: by that time it is found again. */
export function injectedEvent(
  { sessionId, agentId }: Pick<Moment, "sessionId" | "agentId">,
  { point, trigger, memories, files, tokens }: Injection,
  at: number,
): AgentEvent {
  return {
    sessionId,
    ...(agentId !== undefined && { agentId }),
    kind: "injected",
    at,
    point,
    ...(trigger && { trigger }),
    memories,
    ...(files.length > 0 && { files }),
    tokens,
  };
}
