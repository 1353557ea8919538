import type { Note } from "../observer.js";
import { appendNotes, type AppendOptions } from "./append-notes.js";
import type { SpoolPlace } from "./spool-place.js";

/** A note with whose it is. */
export interface OwnedNote {
  sessionId: string;
  /** Undefined: the main agent. */
  agentId: string | undefined;
  note: Note;
}

/** Appends notes of several sessions and agents, one write for each agent. Like `appendNotes`, for each of them. */
export function appendAll(place: SpoolPlace, notes: readonly OwnedNote[], options: AppendOptions): Promise<void>[] {
  const files = new Map<string, OwnedNote[]>();
  for (const one of notes) {
    const key = JSON.stringify([one.sessionId, one.agentId]);
    const known = files.get(key);
    if (known) known.push(one);
    else files.set(key, [one]);
  }
  return [...files.values()].map((own) => {
    const [{ sessionId, agentId }] = own as [OwnedNote];
    return appendNotes(
      place,
      sessionId,
      agentId,
      own.map(({ note }) => note),
      options,
    );
  });
}
