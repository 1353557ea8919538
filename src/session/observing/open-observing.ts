import type { TranscriptImport } from "../../conversation/import-session-transcript.js";
import type { AgentEvent } from "../../observer/observer.js";
import { cleanId, markMemoryFile } from "../../observer/spool/spool.js";
import type { Observer } from "../../observer/watch/watch.js";
import { readProject, refuseWhenDisabled, type ProjectContext } from "../../project/project.js";
import type { Finishing } from "../finishing/open-finishing.js";
import type { Learning } from "../finishing/open-learning.js";
import type { Effect } from "../machine/machine.js";
import type { WatchedSessions } from "../noting/open-watched-sessions.js";
import type { Observing } from "../session.js";

/** What agents do, and what is made of it; to be closed. */
export interface OpenObserving extends Observing {
  close: () => Promise<void>;
}

export interface ObservingParts {
  context: ProjectContext;
  watched: WatchedSessions;
  learning: Learning;
  finishing: Finishing;
  /** What is done with what was said. */
  said: TranscriptImport;
  /** What follows a piece of work that has ended. */
  completeUnit: (event: UnitEvent) => Promise<void>;
}

export type UnitEvent = Extract<AgentEvent, { kind: "unit" }>;

/** Drives sessions in a process that stays: takes what agents do, and does what follows from it. */
export function openObserving(parts: ObservingParts): OpenObserving {
  const { watched, finishing } = parts;
  const { watching } = watched;
  const pending = new Set<Promise<unknown>>();
  const inBackground = (work: Promise<unknown>): void => {
    const quiet = work.catch(() => undefined).finally(() => pending.delete(quiet));
    pending.add(quiet);
  };
  const carryOut = (effect: Effect, event: AgentEvent, observer: Observer): void => {
    const { sessionId } = event;
    switch (effect.do) {
      case "begin":
        return watching.begin(observer, event);
      case "note":
        observer.observe(event);
        return markMemoryFile(watching.where.home, event);
      case "catch-up":
        return inBackground(finishing.catchUpAgain());
      case "complete-unit":
        return inBackground(parts.completeUnit(event as UnitEvent));
      case "promote":
        return inBackground(finishing.promoteIfLong(sessionId));
      case "import-transcript":
        return inBackground(
          parts.said.importSession({ sessionId, transcript: effect.transcript, reason: "compacted" }),
        );
      case "learn":
        return inBackground(finishing.learn(sessionId));
      case "join":
      case "learn-next":
      case "wait":
      case "choose":
        // What an event never leads to.
        return undefined;
    }
  };
  const take = (given: AgentEvent, observer: Observer): void => {
    watching.lookAround(given.kind);
    const sessionId = cleanId(given.sessionId);
    if (sessionId === undefined) return;
    // Not refused where it is not believed: an agent must not break because of its memory.
    const event = watched.believe({ ...given, sessionId });
    if (!event) return;
    // What is not noted still comes from an agent, and so does what it starts.
    if (!watching.isOn()) return observer.leave(event);
    for (const effect of watching.states.advance(event)) carryOut(effect, event, observer);
  };
  return {
    ...verbsOf(parts),
    observe: (event) => watching.use((observer) => take(event, observer)),
    close: async () => {
      await watching.opened();
      while (pending.size > 0) await Promise.all(pending);
      await finishing.close();
      await watching.close();
    },
  };
}

/** What else can be asked of sessions. Each loads its part with its first use. */
function verbsOf({ context, watched, learning, finishing }: ObservingParts): Omit<Observing, "observe"> {
  const { root } = watched.watching.where;
  const crossing = () => import("../../observer/cross-session/cross-session.js");
  return {
    finishSession: finishing.finishSession,
    finishSessions: finishing.finishSessions,
    promoteSession: finishing.promote,
    replay: async (source, options = {}, by) => {
      await refuseWhenDisabled(context);
      const { replayTranscript } = await import("./replay-transcript.js");
      const { sessions, ...report } = await replayTranscript(learning.ports(false), root, source, {
        type: (await context.settings()).sessionType,
        ...options,
        running: await watched.listNoted(),
        // Whatever it says of a person, an agent has handed it over.
        ...(by?.kind === "agent" && { outside: { from: "made-up", what: "replay" } as const }),
      });
      return { sessions: await learning.learned(sessions, false), ...report };
    },
    transcripts: async () => {
      const { findTranscripts } = await import("../../observer/transcripts/transcripts.js");
      const { findSession } = await crossing();
      const found = await findTranscripts(root);
      const isKnown = (sessionId: string) =>
        readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId));
      const known = await Promise.all(found.map(({ sessionId }) => isKnown(sessionId)));
      const running = await watched.listNoted();
      return found.filter(({ sessionId }, index) => known[index] === undefined && !running.has(sessionId));
    },
    acute: async (sessionId) => {
      const { findAcute } = await import("../../observer/scratchpad/scratchpad.js");
      return (await watched.notedOf(sessionId)).pads
        .flatMap((pad) => findAcute(pad))
        .toSorted((a, b) => b.priority - a.priority);
    },
    sessions: async ({ limit = 20 } = {}) => {
      const { listSessions } = await crossing();
      return readProject(context, [], (reader, project) => listSessions(reader, project, limit));
    },
    synthesize: async (options) => learning.lookOver(false, options),
  };
}
