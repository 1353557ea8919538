import { readSpool } from "./read-spool.js";

/** From when to when a session went on that nobody has learned from, and whether it asked for a merge. */
export interface SpoolSpan {
  /** Milliseconds since 1970. */
  from: number;
  until: number;
  asksForMerge: boolean;
}

/** Undefined where nothing is noted, or somebody takes the spool away meanwhile. */
export async function readSpan(folder: string): Promise<SpoolSpan | undefined> {
  const span: SpoolSpan = { from: Infinity, until: -Infinity, asksForMerge: false };
  try {
    for await (const { notes } of readSpool(folder)) {
      for (const note of notes) {
        [span.from, span.until] = [Math.min(span.from, note.at), Math.max(span.until, note.at)];
        if (note.kind === "call" && note.merges) span.asksForMerge = true;
      }
    }
  } catch {
    return undefined;
  }
  return span.from <= span.until ? span : undefined;
}
