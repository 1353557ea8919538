import type { AgentEvent } from "../observer/observer.js";
import {
  agentsAbove,
  beganInCall,
  cleanId,
  isUnwatched,
  markUntrusted,
  markUnwatched,
  recordHook,
  recordUnwatched,
  type SpoolPlace,
} from "../observer/spool/spool.js";
import { withoutUntrustedTranscript } from "./untrusted-transcript.js";

/** What is believed of the events that a process tells. */
export interface Believed {
  events: AgentEvent[];
  /** Sessions of which nothing is to be trusted, each with the kind of event that says why. */
  doubted: Map<string, string>;
}

/**
 * Judges events by the process that they come from. What a command of an agent tells is no word of a person: neither what was typed nor
 * how a session began or ended. What it tells of a session that the agent has not begun itself is noted, and rests on nothing that may
 * be trusted. What tools did is noted as it comes: agents work side by side.
 */
export function believe(place: SpoolPlace, events: readonly AgentEvent[]): Believed {
  const believed: Believed = { events: [], doubted: new Map() };
  const above = agentsAbove(place);
  let ofCall: boolean | undefined;
  const isOfCall = () => (ofCall ??= above.some((one) => beganInCall(one)));
  for (const event of events) {
    const sessionId = cleanId(event?.sessionId);
    const isKnown = above.some(({ sessions }) => sessions.some((session) => session.sessionId === sessionId));
    const isOfPerson = personal.has(event?.kind);
    if (above.length === 0 || sessionId === undefined || (isKnown && !isOfPerson)) {
      // A call is over when it is over: who says so from within may not choose the time.
      const isTimed = event?.kind === "result" && event.at !== undefined;
      believed.events.push(above.length > 0 && isTimed && isOfCall() ? withoutTime(event) : event);
      continue;
    }
    if (!isOfCall()) {
      believed.events.push(event);
      continue;
    }
    // Who made up the end of a session wants to be rid of what it has read, and a transcript of its own says what nobody said.
    if (!isKnown && event.kind !== "prompt") believed.events.push(...withoutUntrustedTranscript([event], () => true));
    if (!isKnown || event.kind === "prompt") believed.doubted.set(sessionId, event.kind);
  }
  return believed;
}

function withoutTime(event: AgentEvent): AgentEvent {
  const { at: _, ...rest } = event;
  return rest;
}

const personal: ReadonlySet<string> = new Set(["start", "prompt", "compacted", "end"]);

/** Writes down which process the agent is. Before any settings are read: whoever wrote those does not decide who is known. */
export function recordSessions(place: SpoolPlace, { events }: Believed, { isOneEvent }: { isOneEvent: boolean }): void {
  for (const [sessionId, own] of bySession(events)) {
    const has = (kind: AgentEvent["kind"]) =>
      own.some((event) => event.kind === kind && cleanId(event.agentId) === undefined);
    quietly(() => recordHook(place, { sessionId, isStart: has("start"), isEnd: has("end") }, { isOneEvent }));
  }
}

/** Writes down which sessions are not to be trusted. Throws what the disk says. */
export function markDoubted(place: SpoolPlace, { events, doubted }: Believed): void {
  for (const [sessionId, kind] of doubted) markUntrusted(place, sessionId, { from: "made-up", what: kind });
  for (const sessionId of bySession(events).keys()) {
    if (isUnwatched(place, sessionId)) markUntrusted(place, sessionId, { from: "unwatched", what: "" });
  }
}

/** Writes down that what these sessions do is not noted: only beside the process, and with the notes where there are any. */
export function leaveUnwatched(place: SpoolPlace, { events }: Believed): void {
  for (const sessionId of bySession(events).keys()) {
    quietly(() => recordUnwatched(place, sessionId));
    quietly(() => markUnwatched(place, sessionId));
  }
}

function bySession(events: readonly AgentEvent[]): Map<string, AgentEvent[]> {
  const sessions = new Map<string, AgentEvent[]>();
  for (const event of events) {
    const sessionId = cleanId(event?.sessionId);
    if (sessionId !== undefined) sessions.set(sessionId, [...(sessions.get(sessionId) ?? []), event]);
  }
  return sessions;
}

/** Where the disk refuses it, what the agent does is noted all the same. */
function quietly(record: () => void): void {
  try {
    record();
  } catch {
    // Nor does the agent hear of it.
  }
}
