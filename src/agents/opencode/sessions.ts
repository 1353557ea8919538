import { archiveLine, recordOf, textOf } from "../../hook/hook.js";
import type { AgentEvent } from "../../index.js";
import type { StoredTurns } from "./stored-turns.js";
import type { LazyMemory } from "./lazy-memory.js";

/** How a message stands to what its agent has in mind. */
export interface Continuation {
  /** Nothing that was told before is in mind. */
  isFirst: boolean;
  /** The session goes on, all the same. */
  how?: "resumed" | "compacted";
}

/**
 * The sessions that a person has in this opencode: when each begins, goes on, is summed up and is over. opencode does not say
 * that one is over: it is when its person has begun another one, when it is deleted, and when opencode ends.
 */
export interface Sessions {
  take(event: AgentEvent): void;
  /** What the bus says and no event tells. */
  takeBus(event: unknown): Promise<void>;
  /** A person says something. */
  speaks(sessionId: string): Continuation;
  /** There was no time to tell what belongs to this message; it is told with the next. */
  isToBeTold(sessionId: string, spoken: Continuation): void;
  /** Archives what was said, before opencode sums it up; gives the line that tells where. */
  sumUp(sessionId: string): Promise<string | undefined>;
  /** Whether what is asked of a model now is to sum up this session. True once for each time. */
  isSummingUp(sessionId: string | undefined): boolean;
  endAll(): Promise<void>;
}

export interface SessionsParts {
  memory: LazyMemory;
  turns: StoredTurns;
  directory: string;
  onError: (error: unknown) => void;
}

interface Session {
  /** Its person has begun it while this was running. */
  isNew: boolean;
  hasSpoken: boolean;
  isBusy: boolean;
  isSummingUp: boolean;
  next: Continuation;
}

// More than anybody has in one opencode.
const maxSessions = 1000;

export function openSessions({ memory, turns, directory, onError }: SessionsParts): Sessions {
  const sessions = new Map<string, Session>();
  const ending = new Set<Promise<void>>();

  const sessionOf = (id: string): Session => {
    const known = sessions.get(id);
    if (known) return known;
    const session: Session = {
      isNew: false,
      hasSpoken: false,
      isBusy: false,
      isSummingUp: false,
      next: { isFirst: true, how: "resumed" },
    };
    const [oldest] = sessions.keys();
    if (sessions.size >= maxSessions && oldest !== undefined) sessions.delete(oldest);
    sessions.set(id, session);
    return session;
  };
  /** What was said is kept first: how far it is trusted is told by the notes that learning from it removes. */
  const end = (sessionId: string, reason: "new" | "end" | "deleted"): void => {
    const session = sessions.get(sessionId);
    sessions.delete(sessionId);
    if (!session?.hasSpoken) return;
    const finish = async (): Promise<void> => {
      await turns.sumUp(sessionId, reason === "new" ? "new" : "end").catch(onError);
      if (reason !== "end") return memory.observe({ sessionId, kind: "end", outcome: "unknown", reason });
      // opencode ends, and somebody waits for that: no model is asked.
      await (await memory.get()).finishSession(sessionId, { isQuick: true });
    };
    const work = finish()
      .catch(onError)
      .finally(() => ending.delete(work));
    ending.add(work);
  };

  return {
    take: (event) => {
      if (event.agentId !== undefined) return;
      const { sessionId, kind } = event;
      if (kind === "start") Object.assign(sessionOf(sessionId), { isNew: true, next: { isFirst: true } });
      if (kind === "compacted") sessionOf(sessionId).next = { isFirst: true, how: "compacted" };
      if (kind === "end") end(sessionId, "deleted");
    },
    takeBus: async (event) => {
      const { type, properties } = recordOf(event);
      const sessionId = textOf(recordOf(properties)["sessionID"]);
      if (type !== "session.idle" || sessionId === undefined || !sessions.has(sessionId)) return;
      sessionOf(sessionId).isBusy = false;
      await turns.flush(sessionId);
    },
    speaks: (sessionId) => {
      const session = sessionOf(sessionId);
      if (session.isNew && !session.hasSpoken) {
        // With /new a person begins another session and leaves the one before; one that still works is not left.
        for (const [id, other] of sessions) if (id !== sessionId && !other.isBusy) end(id, "new");
      }
      // Nobody has said that it goes on.
      if (!session.isNew && !session.hasSpoken) {
        memory.observe({ sessionId, kind: "start", agent: "opencode", directory });
      }
      const { next } = session;
      Object.assign(session, { hasSpoken: true, isBusy: true, next: { isFirst: false } });
      return next;
    },
    isToBeTold: (sessionId, spoken) => void (sessionOf(sessionId).next = spoken),
    sumUp: async (sessionId) => {
      sessionOf(sessionId).isSummingUp = true;
      const done = await turns.sumUp(sessionId, "compacted");
      return done && archiveLine(done.marker, done.archive);
    },
    isSummingUp: (sessionId) => {
      const session = sessionId === undefined ? undefined : sessions.get(sessionId);
      const isSummingUp = session?.isSummingUp ?? false;
      if (session) session.isSummingUp = false;
      return isSummingUp;
    },
    endAll: async () => {
      for (const id of sessions.keys()) end(id, "end");
      await Promise.all(ending);
    },
  };
}
