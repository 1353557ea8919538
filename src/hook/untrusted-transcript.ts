import type { AgentEvent } from "../observer/observer.js";

/**
 * The events without the transcript that they name where an agent is behind them: what an agent types to another agent, or
 * writes into a file and calls a transcript, no person has said, and what a person said becomes what is known.
 *
 * Who is behind them is asked only where there is a transcript: to find that out takes time, which a call of a tool has not.
 */
export function withoutUntrustedTranscript(events: AgentEvent[], isByAgent: () => boolean): AgentEvent[] {
  if (!events.some(namesTranscript) || !isByAgent()) return events;
  return events.map((event) => {
    if (!namesTranscript(event)) return event;
    const { transcript: _, ...rest } = event;
    return rest;
  });
}

function namesTranscript(event: AgentEvent): event is AgentEvent & { transcript: string } {
  return "transcript" in event && event.transcript !== undefined;
}
