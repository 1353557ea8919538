import type { AgentEvent } from "../../observer/observer.js";
import { openSourceTrust, type SourceTrust } from "../../observer/trust/trust.js";
import type { ProjectContext } from "../../project/project.js";
import { bringsModel } from "./brings-model.js";
import { believeEvent, mayEndSession } from "./believe-event.js";
import { openAsking, type Asking } from "./open-asking.js";
import { openStoreSessions, type StoreSessions } from "./open-store-sessions.js";
import { openSessionNotes, type SessionNotes } from "./open-session-notes.js";
import { openWatching, type SessionPlace, type Watching } from "./open-watching.js";

/** What is noted of sessions, and what that says about whose words may be trusted. */
export interface WatchedSessions extends SessionNotes, SourceTrust, StoreSessions {
  watching: Watching;
  asking: Asking;
  /** An event as far as this process is believed; undefined for one that is left out. */
  believe: (event: AgentEvent) => AgentEvent | undefined;
  /** Whether this process may say that a session is over: a command of an agent may not end the agent's own. */
  mayEnd: (sessionId: string) => boolean;
  /** Whether the model that is asked is one that a command of an agent brings, as an option of its own or otherwise. */
  bringsModel: (hasOwn: boolean) => boolean;
}

/** The first of the rooms that a session needs: all others ask it. Loads next to nothing before the first event. */
export function openWatchedSessions(context: ProjectContext, where: SessionPlace): WatchedSessions {
  const watching = openWatching(context, where);
  const notes = openSessionNotes(context, watching);
  const asking = openAsking(context, where);
  const ofStore = openStoreSessions(context, watching);
  const trust = openSourceTrust(context, {
    root: where.root,
    watching: async () => {
      const observer = await watching.opened();
      return watching.isOn() ? observer : undefined;
    },
    notedOf: notes.notedOf,
    underWay: notes.underWay,
    isProven: asking.isProven,
    checksElsewhere: ofStore.checksElsewhere,
    listReasonsAbove: asking.listReasonsAbove,
  });
  return {
    watching,
    asking,
    believe: (event) => believeEvent(where, event, watching.sessions()),
    mayEnd: (sessionId) => mayEndSession(where, sessionId, watching.sessions()),
    bringsModel: (hasOwn) => bringsModel(where, hasOwn),
    ...notes,
    ...trust,
    ...ofStore,
  };
}
