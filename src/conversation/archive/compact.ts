import { changeMemories, type MemoryWriter } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import { type Project, readProject, refuseWhenDisabled } from "../../project/project.js";
import { summariseTurns } from "../summary/summarise-turns.js";
import type { Compaction, ConversationPorts, Turn } from "../conversation.js";
import { findConversation, type ConversationRow } from "../turns/turn-queries.js";
import { listUnarchivedRuns, splitRuns } from "./unarchived-turns.js";
import {
  areUnarchived,
  prepareArchive,
  writeArchive,
  type ArchiveText,
  type PreparedArchive,
} from "./write-archive.js";

export interface CompactOptions {
  /** How many messages stay as they are. Default: as the conversation or the settings say. */
  keepCount?: number;
  /** A summary of one's own. Default: what the turns themselves say of decisions, corrections, errors and files. */
  summary?: string;
}

/**
 * Sums up what no archive sums up yet as one; the last messages stay. Where an older archive was forgotten, what it had summed up
 * becomes one again too; the newest is told. Undefined where there is no more than what stays. Any number of times.
 */
export async function compact(
  { context }: ConversationPorts,
  sessionId: string,
  options: CompactOptions & Pick<ArchiveText, "isTainted"> = {},
): Promise<Compaction | undefined> {
  checkKeepCount(options.keepCount);
  await refuseWhenDisabled(context);
  for (let attempt = 1; ; attempt += 1) {
    const open = await readOpen({ context }, sessionId, options.keepCount);
    if (!open) return undefined;
    const prepared: PreparedArchive[] = [];
    for (const turns of open.going) {
      const { text, ...summary } = summariseTurns(turns);
      const isNewest = turns === open.going.at(-1);
      const said = { ...summary, text: isNewest ? (options.summary ?? text) : text };
      const doubtful = isNewest && options.isTainted === true ? { isTainted: true } : {};
      prepared.push(await prepareArchive(context, sessionId, turns, { ...said, ...doubtful }));
    }
    const done = await changeMemories(context, (writer, project) =>
      writeAll(writer, project, open.conversation, prepared, context.now()),
    );
    if (done) return done;
    // Another process was faster, and there is less to do now.
    if (attempt === maxAttempts) throw overtaken();
  }
}

const maxAttempts = 10;

export function overtaken(): MemoryError {
  return new MemoryError("store-locked", "Others keep changing this conversation.", "Nothing was changed. Try again.");
}

/** All of them, in their order, or none. Tells the last. */
async function writeAll(
  writer: MemoryWriter,
  project: Project,
  conversation: ConversationRow,
  prepared: readonly PreparedArchive[],
  now: Date,
): Promise<Compaction | undefined> {
  if (!(await areUnarchived(writer, project, conversation, prepared))) return undefined;
  let done: Compaction | undefined;
  for (const archive of prepared) done = await writeArchive(writer, project, archive, now);
  return done;
}

/** A conversation, what of it is to be archived, run by run, and what stays. */
export interface UnarchivedTurns {
  conversation: ConversationRow;
  going: Turn[][];
  staying: Turn[];
}

/** Undefined where nothing is to be archived. */
async function readOpen(
  { context }: Pick<ConversationPorts, "context">,
  sessionId: string,
  asked: number | undefined,
): Promise<UnarchivedTurns | undefined> {
  const { keepCount: usual } = await context.settings();
  return readProject(context, undefined, async (reader, project) => {
    const conversation = await findConversation(reader, project, sessionId);
    if (!conversation) return undefined;
    const runs = await listUnarchivedRuns(reader, conversation, context.now());
    const split = splitRuns(runs, asked ?? conversation.keepCount ?? usual);
    return split.going.length === 0 ? undefined : { conversation, ...split };
  });
}

export function checkKeepCount(keepCount: unknown): void {
  if (keepCount === undefined || (Number.isSafeInteger(keepCount) && (keepCount as number) >= 0)) return;
  throw new MemoryError("invalid-input", "keepCount must be a whole number from 0.", "Leave it out for the usual.");
}
