import type { Reader } from "../../storage/storage.js";
import type { Marker, Turn } from "../conversation.js";
import { joinParts } from "../turns/split-turn.js";
import { listTurnRows, type ConversationRow } from "../turns/turn-queries.js";
import { countMessagesIn, listMarkers } from "./archive-queries.js";

/** A stretch of places: after the first, up to the second. */
interface Gap {
  after: number;
  upTo: number;
}

/**
 * The turns that no archive in force sums up, in runs that follow one another without an archived one between them. Mostly one
 * run, after the newest marker; where an archive was forgotten, its turns are one again.
 */
export async function listUnarchivedRuns(reader: Reader, conversation: ConversationRow, now: Date): Promise<Turn[][]> {
  const runs: Turn[][] = [];
  for (const gap of gapsBetween(await listMarkers(reader, conversation))) {
    const turns = joinParts(await listTurnRows(reader, conversation, gap, now));
    if (turns.length > 0) runs.push(turns);
  }
  return runs;
}

/** How many messages no archive in force sums up. */
export async function countUnarchived(reader: Reader, conversation: ConversationRow, now: Date): Promise<number> {
  let count = 0;
  for (const gap of gapsBetween(await listMarkers(reader, conversation))) {
    count += await countMessagesIn(reader, conversation, gap, now);
  }
  return count;
}

function gapsBetween(markers: readonly Pick<Marker, "first" | "last">[]): Gap[] {
  const gaps: Gap[] = [];
  let after = 0;
  for (const { first, last } of markers.toSorted((a, b) => a.first - b.first)) {
    if (first > after + 1) gaps.push({ after, upTo: first - 1 });
    after = Math.max(after, last);
  }
  return [...gaps, { after, upTo: Number.MAX_SAFE_INTEGER }];
}

/** Leaves so many messages at the end, and gives those before them, run by run, and those that stay. */
export function splitRuns(runs: readonly Turn[][], stays: number): { going: Turn[][]; staying: Turn[] } {
  let left = stays;
  const going: Turn[][] = [];
  const staying: Turn[] = [];
  for (const run of runs.toReversed()) {
    const cut = Math.max(0, run.length - left);
    left -= run.length - cut;
    staying.unshift(...run.slice(cut));
    if (cut > 0) going.unshift(run.slice(0, cut));
  }
  return { going, staying };
}
