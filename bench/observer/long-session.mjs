import { eventsOf } from "./as-recorded.mjs";
import { generateSessions } from "./generate.mjs";

/** So many events of one session, mixed as agents mix them, and the files of the project that it is about. */
export function longSession({ root, id, count = 5000, seed = 1 }) {
  const { sessions, project } = generateSessions({ seed, mix: "noisy", sessions: 100, root });
  const [start, ...events] = sessions.flatMap(({ session }) => eventsOf(session, root, { by: "start" }));
  const rest = events.filter(({ kind }) => kind !== "start").slice(0, count - 1);
  return { files: project.files, events: [start, ...rest].map((event) => ({ ...event, sessionId: id })) };
}
