import type { Clock } from "../../base/base.js";
import type { Ignoring } from "../../project/ignore/ignore.js";
import type { AgentEvent } from "../observer.js";
import { openDigest, type Digest } from "../notes/digest.js";
import { openScratchpad, type GrowingScratchpad } from "../scratchpad/open-scratchpad.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { markUntrusted, markUnwatched } from "../spool/append-notes.js";
import { beganInCall } from "../spool/began-in-call.js";
import { cleanId } from "../spool/clean-id.js";
import type { SpoolPlace } from "../spool/spool-place.js";
import { SpoolQueue } from "../spool/spool-queue.js";
import { agentsAbove, forgetResident, isUnwatched, recordResident, recordUnwatched } from "../processes/processes.js";

export interface ObserverOptions {
  /** The root of the work tree. */
  root: string;
  /** Where the notes are kept; undefined: in memory only. */
  place: SpoolPlace | undefined;
  now: Clock;
  /** The commit that a session begins at. */
  commit?: () => string | undefined;
  /** The branch that is checked out. */
  branch?: () => string | undefined;
  /** What must leave no trace. */
  ignoring?: Ignoring;
  /** Hears of what went wrong, since the agent does not. */
  onProblem?: (error: unknown) => void;
}

interface WatchedSession {
  id: string;
  digest: Digest;
  /** By agent; undefined is the main one. */
  pads: Map<string | undefined, GrowingScratchpad>;
}

// A server of agents may see any number of sessions that never end. Their spools stay.
const maxSessions = 100;
const maxAgents = 256;

interface IncomingEvent {
  event: AgentEvent;
  at: number;
}

// A process in which agents never pause must come to an end of a session, too.
const maxLooks = 20;

// Events are looked at between other work, and so long at a time that nobody notices.
const sliceMs = 2;

/**
 * Watches agents in a process that stays open. Taking an event costs a microsecond; it is looked at as soon as the
 * process has nothing better to do, and is on disk 50 ms later, so that a crash costs no more than that. An event is not
 * to be changed once it was handed over. Close it when done.
 *
 * @example
 * const observer = new Observer({ root, place, now: () => new Date() });
 * observer.observe({ sessionId: "s1", kind: "prompt", text: "Mend the parser." });
 * observer.pads("s1")[0]?.prompts.length; // 1
 */
export class Observer {
  readonly #options: ObserverOptions;
  readonly #queue: SpoolQueue | undefined;
  /** The one that was heard of last comes last. */
  readonly #sessions = new Map<string, WatchedSession>();
  #incoming: IncomingEvent[] = [];
  #isGoingToLook = false;
  #at = 0;
  /** Of which something was not noted. */
  readonly #unwatched = new Set<string>();

  constructor(options: ObserverOptions) {
    this.#options = options;
    this.#queue = options.place && new SpoolQueue(options.place, (error) => this.#tell(error));
  }

  /** Never throws, and gives back at once. */
  observe(event: AgentEvent): void {
    try {
      this.#incoming.push({ event, at: this.#options.now().getTime() });
      lookAtExit(this);
      // The end of a part of the work is to be on disk when the next begins.
      if (event.kind === "unit" || event.kind === "end") this.lookAtAll();
      this.#lookSoon();
    } catch (error) {
      this.#tell(error);
    }
  }

  /** Hears of an event that is not to be noted: what the session has read is not known from then on, and its process is. */
  leave({ sessionId, kind, agentId }: AgentEvent): void {
    if (!this.#unwatched.has(sessionId)) {
      this.#unwatched.add(sessionId);
      this.#record(sessionId, leaveSession);
      if (this.#sessions.has(sessionId)) this.#record(sessionId, markLeft);
    }
    const [oldest] = this.#unwatched;
    const over = kind === "end" && cleanId(agentId) === undefined ? sessionId : undefined;
    const gone = over ?? (this.#unwatched.size > maxSessions ? oldest : undefined);
    if (gone === undefined || !this.#unwatched.delete(gone)) return;
    if (!this.#sessions.has(gone)) this.#record(gone, forgetResident);
  }

  /** Looks at everything that has come, now. */
  lookAtAll(): void {
    this.#look(Infinity);
  }

  #lookSoon(): void {
    if (this.#isGoingToLook) return;
    this.#isGoingToLook = true;
    setImmediate(() => {
      this.#isGoingToLook = false;
      this.#look(performance.now() + sliceMs);
      if (this.#incoming.length > 0) this.#lookSoon();
      else unseen.delete(this);
    });
  }

  #look(until: number): void {
    let taken = 0;
    for (const incoming of this.#incoming) {
      if (taken > 0 && performance.now() > until) break;
      taken++;
      this.#take(incoming);
    }
    this.#incoming = this.#incoming.slice(taken);
  }

  #take({ event, at }: IncomingEvent): void {
    try {
      this.#at = at;
      const sessionId = cleanId(event.sessionId);
      if (sessionId !== undefined) this.#note(this.#session(sessionId), event);
    } catch (error) {
      this.#tell(error);
    }
  }

  #note(session: WatchedSession, event: AgentEvent): void {
    const { agentId, pad } = padOf(session, cleanId(event.agentId));
    for (const note of session.digest.digest(event)) {
      pad.add(note);
      this.#queue?.add(session.id, agentId, note);
    }
  }

  /** What each agent of a session did, the main one first; empty for a session that is not known. */
  pads(sessionId: string): Scratchpad[] {
    this.lookAtAll();
    const pads = this.#sessions.get(cleanId(sessionId) ?? "")?.pads;
    const main = pads?.get(undefined);
    const others = [...(pads?.values() ?? [])].filter((pad) => pad !== main);
    return main ? [main, ...others] : others;
  }

  /** Ids of the sessions that are held, the one heard of last at the end. */
  sessions(): string[] {
    this.lookAtAll();
    return [...this.#sessions.keys()];
  }

  /** Lets go of a session, whose spool stays. */
  forget(sessionId: string): void {
    this.lookAtAll();
    if (this.#sessions.delete(cleanId(sessionId) ?? "")) this.#record(sessionId, forgetResident);
  }

  /**
   * Gives what each agent of a session did, when all of it is on disk, and lets go of the session at that moment, of which
   * `onClosed` hears. What is observed of it from then on is written after `release`, to another spool.
   */
  async closePart(sessionId: string, onClosed: () => void): Promise<{ pads: Scratchpad[]; release: () => void }> {
    for (let look = 1; look <= maxLooks; look++) {
      await this.flush(sessionId);
      // Something may have come while the last write ended.
      if (this.#incoming.length === 0 && (this.#queue?.isIdle ?? true)) break;
    }
    const pads = this.pads(sessionId);
    this.forget(sessionId);
    const release = this.#queue?.hold(sessionId) ?? (() => {});
    onClosed();
    return { pads, release };
  }

  /** Resolves when all that was observed is on disk; of other sessions than the one that is named, what is held back may not be. */
  async flush(sessionId?: string): Promise<void> {
    this.lookAtAll();
    await this.#queue?.flush(sessionId);
  }

  async close(): Promise<void> {
    await this.flush();
    for (const id of new Set([...this.#sessions.keys(), ...this.#unwatched])) this.#record(id, forgetResident);
    this.#sessions.clear();
    this.#unwatched.clear();
  }

  #session(id: string): WatchedSession {
    const { root, commit: ask, branch, ignoring } = this.#options;
    const isNew = !this.#sessions.has(id);
    const commit = isNew ? ask?.() : undefined;
    // What this process starts from now on speaks for an agent.
    if (isNew) this.#record(id, beginSession);
    if (isNew && this.#unwatched.has(id)) this.#record(id, markLeft);
    const session = this.#sessions.get(id) ?? {
      id,
      digest: openDigest({
        root,
        now: () => this.#at,
        ...(commit !== undefined && { commit }),
        ...(branch && { branch }),
        ...(ignoring && { ignoring }),
      }),
      pads: new Map(),
    };
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > maxSessions && oldest !== undefined) {
      this.#sessions.delete(oldest);
      this.#record(oldest, forgetResident);
    }
    return session;
  }

  #record(id: string, how: typeof beginSession): void {
    try {
      if (this.#options.place) how(this.#options.place, id);
    } catch {
      // What the agent does is noted all the same.
    }
  }

  #tell(error: unknown): void {
    try {
      this.#options.onProblem?.(error);
    } catch {
      // The agent is not to hear of it, whoever fails.
    }
  }
}

function padOf(
  { pads }: WatchedSession,
  given: string | undefined,
): { agentId: string | undefined; pad: GrowingScratchpad } {
  const agentId = pads.has(given) || pads.size < maxAgents ? given : "others";
  let pad = pads.get(agentId);
  if (!pad) pads.set(agentId, (pad = openScratchpad(agentId)));
  return { agentId, pad };
}

/** What a command of another agent watches, that agent may have made up. */
function beginSession(place: SpoolPlace, sessionId: string): void {
  if (agentsAbove(place).some((one) => beganInCall(one))) {
    markUntrusted(place, sessionId, { from: "made-up", what: "events" });
  }
  recordResident(place, sessionId);
  if (isUnwatched(place, sessionId)) markLeft(place, sessionId);
}

function leaveSession(place: SpoolPlace, sessionId: string): void {
  recordResident(place, sessionId);
  recordUnwatched(place, sessionId);
  markUnwatched(place, sessionId);
}

function markLeft(place: SpoolPlace, sessionId: string): void {
  markUntrusted(place, sessionId, { from: "unwatched", what: "" });
}

const unseen = new Set<Observer>();
let isExitWatched = false;

/** For a process that ends by itself before it has had time to look. Before the queue's own, which writes what was seen. */
function lookAtExit(observer: Observer): void {
  unseen.add(observer);
  if (isExitWatched) return;
  isExitWatched = true;
  process.prependListener("exit", () => {
    for (const each of unseen) each.lookAtAll();
  });
}
