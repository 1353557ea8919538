import { openSourceTrust, type SourceTrust } from "../../observer/trust/trust.js";
import type { ProjectContext } from "../../project/project.js";
import { openSessionNotes, type SessionNotes } from "./open-session-notes.js";
import { openWatching, type SessionPlace, type Watching } from "./open-watching.js";

/** What is noted of sessions, and what that says about whose words may be trusted. */
export interface WatchedSessions extends SessionNotes, SourceTrust {
  watching: Watching;
}

/** The first of the rooms that a session needs: all others ask it. Loads next to nothing before the first event. */
export function openWatchedSessions(context: ProjectContext, where: SessionPlace): WatchedSessions {
  const watching = openWatching(context, where);
  const notes = openSessionNotes(context, watching);
  const trust = openSourceTrust(context, {
    root: where.root,
    watching: async () => {
      const observer = await watching.opened();
      return watching.isOn() ? observer : undefined;
    },
    notedOf: notes.notedOf,
    underWay: notes.underWay,
  });
  return { watching, ...notes, ...trust };
}
