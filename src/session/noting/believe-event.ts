import type { AgentEvent } from "../../observer/observer.js";
import { agentsAbove, cleanId, openSpoolPlace, ownSessions } from "../../observer/spool/spool.js";
import type { SessionPlace } from "./open-watching.js";

/**
 * An event as it is believed of this process; undefined for one that is left out. A command of an agent does not end that agent's
 * session, and names no transcript: what stands in one counts as typed by a person.
 */
export function believeEvent(
  where: SessionPlace,
  event: AgentEvent,
  /** The sessions that are watched in this process. */
  watched: readonly string[],
): AgentEvent | undefined {
  // Finding out reads a folder, and most events say nothing of that.
  if (event.kind !== "end" && !("transcript" in event)) return event;
  const place = openSpoolPlace(where);
  if (!place || agentsAbove(place).length === 0) return event;
  if (event.kind === "end" && !mayEndSession(where, event.sessionId, watched)) return undefined;
  const { transcript: _, ...rest } = event as AgentEvent & { transcript?: string };
  return rest;
}

/**
 * Whether this process may say that a session is over. With its notes goes what it has read: a command of an agent that ends the
 * session of that agent would be believed from then on. Below an agent, only the process that has a session ends it.
 */
export function mayEndSession(where: SessionPlace, given: string, watched: readonly string[]): boolean {
  const place = openSpoolPlace(where);
  const agents = place ? agentsAbove(place) : [];
  if (!place || agents.length === 0) return true;
  const sessionId = cleanId(given);
  const isThatOne = (one: { sessionId: string }) => one.sessionId === sessionId;
  if (sessionId === undefined || agents.some(({ sessions }) => sessions.some(isThatOne))) return false;
  return watched.includes(sessionId) || ownSessions(place).some(isThatOne);
}
