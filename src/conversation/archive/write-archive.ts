import type { MemoryWriter } from "../../memory/change/change.js";
import type { Project, ProjectContext } from "../../project/project.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { insertMemory } from "../../memory/remember/remember.js";
import type { Compaction, Turn } from "../conversation.js";
import type { ConversationRow } from "../turns/turn-queries.js";
import { countInForce, isCovered, listTakenNames } from "./archive-queries.js";

/** An archive on its way into the store: checked and cleaned, without its name. */
export interface PreparedArchive {
  memory: PreparedMemory;
  first: number;
  last: number;
  /** Of everything that it sums up. */
  ids: string[];
  turns: number;
  /** What its name is made of. */
  words: readonly string[];
}

export interface ArchiveText {
  text: string;
  words: readonly string[];
  files?: readonly string[];
  /** Why a model was asked in vain: every message is in HISTORY.md whole then. */
  problem?: string | undefined;
  /** Whether what is worth keeping was taken from these turns too. */
  isConsolidated?: boolean;
  /** It may say what came from outside, whatever its own turns are. */
  isTainted?: boolean;
}

/** Prepares the archive of these turns, which follow one another, before the transaction that writes it. */
export async function prepareArchive(
  context: ProjectContext,
  sessionId: string,
  turns: readonly Turn[],
  {
    text,
    words,
    files = [],
    problem,
    isConsolidated = false,
    isTainted = turns.some((turn) => turn.isTainted),
  }: ArchiveText,
): Promise<PreparedArchive> {
  const first = turns[0]?.sequence ?? 0;
  const last = turns.at(-1)?.lastSequence ?? 0;
  const archivedAt = context.now().toISOString();
  const data = {
    first,
    last,
    archivedAt,
    ...(isConsolidated && { consolidated: true }),
    ...(problem !== undefined && { fallback: true, problem }),
  };
  const [memory] = (await prepareMemories(context, [
    { type: "archive", content: text, sessionId, data, relatedFiles: files.slice(0, maxFiles) },
  ])) as [PreparedMemory];
  const trustFlags = isTainted
    ? [...new Set([...memory.trustFlags, "tainted" as const])].toSorted()
    : memory.trustFlags;
  const ids = turns.flatMap((turn) => turn.ids);
  return { memory: { ...memory, trustFlags }, first, last, ids, turns: turns.length, words };
}

// What a summary names first; a whole work tree would be filed under everything.
const maxFiles = 20;

/** False where somebody has archived, forgotten or purged a part of their turns meanwhile. */
export async function areUnarchived(
  writer: MemoryWriter,
  project: Project,
  conversation: ConversationRow,
  archives: readonly PreparedArchive[],
): Promise<boolean> {
  for (const { first, last, ids } of archives) {
    if (await isCovered(writer, conversation, { first, last })) return false;
    if ((await countInForce(writer, project.number, ids)) !== ids.length) return false;
  }
  return true;
}

/**
 * Writes an archive under a name of its own: with it, and only with it, its turns leave the working context. Whether they are
 * still open is asked before, in the same transaction.
 */
export async function writeArchive(
  writer: MemoryWriter,
  project: Project,
  { memory, first, last, turns, words }: PreparedArchive,
  now: Date,
): Promise<Compaction> {
  const archivedAt = (memory.data as { archivedAt: string }).archivedAt;
  const name = await freeName(writer, project, `${archivedAt.slice(0, 10)}-${words.join("-") || "conversation"}`);
  const kept = await insertMemory(writer, project, { ...memory, name }, now);
  return { marker: { archiveName: name, archivedAt, first, last }, archive: kept.memory, turns };
}

/** The name, or the first of its numbered ones that nobody has. */
async function freeName(writer: MemoryWriter, project: Project, name: string): Promise<string> {
  for (let tried = 0; ; tried += namesAtOnce) {
    const names = Array.from({ length: namesAtOnce }, (_, index) => {
      const number = tried + index + 1;
      return number === 1 ? name : `${name}-${number}`;
    });
    const taken = await listTakenNames(writer, project.number, names);
    const free = names.find((one) => !taken.has(one));
    if (free !== undefined) return free;
  }
}

const namesAtOnce = 50;
