import { MemoryError } from "../../base/memory-error.js";
import { readProject, refuseWhenDisabled, writeProject } from "../../memory/project-store.js";
import { summariseTurns } from "../consolidation/summarise-turns.js";
import type { Compaction, ConversationPorts, Turn } from "../conversation.js";
import { joinParts } from "../turns/split-turn.js";
import { findConversation, listTurnRows, type ConversationRow } from "../turns/turn-queries.js";
import { findNewestMarker } from "./archive-queries.js";
import { prepareArchive, writeArchive } from "./write-archive.js";

export interface CompactOptions {
  /** How many messages stay as they are. Default: as the conversation or the settings say. */
  keepCount?: number;
  /** A summary of one's own. Default: what the turns themselves say of decisions, corrections, errors and files. */
  summary?: string;
}

/**
 * Sums up the beginning of a conversation, from the last marker on, as one archive; the last messages stay. Undefined where
 * there is no more than what stays. Any number of times.
 */
export async function compact(
  { from }: ConversationPorts,
  sessionId: string,
  options: CompactOptions = {},
): Promise<Compaction | undefined> {
  await refuseWhenDisabled(from);
  for (;;) {
    const open = await readOpen({ from }, sessionId, options.keepCount);
    if (!open) return undefined;
    const { conversation, turns } = open;
    const summary = summariseTurns(turns);
    const text = options.summary ?? summary.text;
    const prepared = await prepareArchive(from, sessionId, turns, { ...summary, text });
    const done = await writeProject(from, (writer, project) =>
      writeArchive(writer, project, conversation, prepared, from.now()),
    );
    // Another process was faster, and there is less to do now.
    if (done) return done;
  }
}

/** A conversation with the turns that no archive sums up, without those that stay. */
export interface OpenTurns {
  conversation: ConversationRow;
  turns: Turn[];
  /** Those that stay. */
  staying: Turn[];
}

/** Undefined where nothing is to be archived. */
export async function readOpen(
  { from }: Pick<ConversationPorts, "from">,
  sessionId: string,
  asked: number | undefined,
): Promise<OpenTurns | undefined> {
  checkKeepCount(asked);
  const { keepCount: usual } = await from.settings();
  return readProject(from, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const marker = await findNewestMarker(reader, conversation);
    const all = joinParts(await listTurnRows(reader, conversation, { after: marker?.last ?? 0 }, from.now()));
    const keepCount = asked ?? conversation.keepCount ?? usual;
    const cut = Math.max(0, all.length - keepCount);
    return cut === 0 ? undefined : { conversation, turns: all.slice(0, cut), staying: all.slice(cut) };
  });
}

export function checkKeepCount(keepCount: unknown): void {
  if (keepCount === undefined || (Number.isSafeInteger(keepCount) && (keepCount as number) >= 0)) return;
  throw new MemoryError("invalid-input", "keepCount must be a whole number from 0.", "Leave it out for the usual.");
}
