import { readProject } from "../../project/project.js";
import { listUnarchivedRuns, splitRuns } from "../archive/unarchived-turns.js";
import type { ConsolidationReason, ConversationPorts, Turn } from "../conversation.js";
import { joinParts } from "../turns/split-turn.js";
import { findConversation, listTurnRows, type ConversationRow } from "../turns/turn-queries.js";

/** What there is to consolidate. */
export interface Unconsolidated {
  conversation: ConversationRow;
  /** From which nothing was taken yet, archived or not. */
  unread: Turn[];
  /** What no archive sums up, run by run, without what stays. */
  going: Turn[][];
  staying: Turn[];
  /** Everything that a summary or a fact may come from: both, each once. */
  seen: Turn[];
  /** Up to where it goes. */
  last: number;
}

/** Undefined where there is nothing to do. Only an overflow leaves the last messages as they are, unless it is said. */
export async function readUnconsolidated(
  { context }: ConversationPorts,
  sessionId: string,
  { keepCount: asked, reason }: { keepCount?: number; reason?: ConsolidationReason },
): Promise<Unconsolidated | undefined> {
  const { keepCount: usual } = await context.settings();
  return readProject(context, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const now = context.now();
    const runs = await listUnarchivedRuns(reader, conversation, now);
    const stays = asked ?? (reason === "overflow" ? (conversation.keepCount ?? usual) : 0);
    const { going, staying } = splitRuns(runs, stays);
    const later = { after: conversation.consolidatedTo, upTo: (staying[0]?.sequence ?? Infinity) - 1 };
    const query = Number.isFinite(later.upTo) ? later : { after: later.after };
    const unread = joinParts(await listTurnRows(reader, conversation, query, now));
    const bySequence = new Map([...going.flat(), ...unread].map((turn) => [turn.sequence, turn]));
    const seen = [...bySequence.values()].toSorted((a, b) => a.sequence - b.sequence);
    const lastTurn = seen.at(-1);
    return lastTurn && { conversation, unread, going, staying, seen, last: lastTurn.lastSequence };
  });
}
