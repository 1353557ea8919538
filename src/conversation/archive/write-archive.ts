import type { Project } from "../../memory/projects.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare-memory.js";
import type { ProjectStore } from "../../memory/project-store.js";
import { keepNew } from "../../memory/remember.js";
import type { Writer } from "../../storage/storage.js";
import type { Compaction, Turn } from "../conversation.js";
import type { ConversationRow } from "../turns/turn-queries.js";
import { findNewestMarker, listTakenNames } from "./archive-queries.js";

/** An archive on its way into the store: checked and cleaned, without its name. */
export interface PreparedArchive {
  memory: PreparedMemory;
  first: number;
  last: number;
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
}

/** Prepares the archive of these turns, which follow one another, before the transaction that writes it. */
export async function prepareArchive(
  from: ProjectStore,
  sessionId: string,
  turns: readonly Turn[],
  { text, words, files = [], problem }: ArchiveText,
): Promise<PreparedArchive> {
  const first = turns[0]?.sequence ?? 0;
  const lastTurn = turns.at(-1);
  // The parts of a long turn have places of their own.
  const last = (lastTurn?.sequence ?? 0) + (lastTurn?.ids.length ?? 1) - 1;
  const archivedAt = from.now().toISOString();
  const data = { first, last, archivedAt, ...(problem !== undefined && { fallback: true, problem }) };
  const [memory] = (await prepareMemories(from, [
    { type: "archive", content: text, sessionId, data, relatedFiles: files.slice(0, mostFiles) },
  ])) as [PreparedMemory];
  const isTainted = turns.some((turn) => turn.isTainted);
  const trustFlags = isTainted ? [...new Set([...memory.trustFlags, "tainted" as const])].toSorted() : memory.trustFlags;
  return { memory: { ...memory, trustFlags }, first, last, turns: turns.length, words };
}

// What a summary names first; a whole work tree would be filed under everything.
const mostFiles = 20;

/**
 * Writes an archive under a name of its own: with it, and only with it, its turns leave the working context. Undefined where
 * somebody else has archived a part of them meanwhile.
 */
export async function writeArchive(
  writer: Writer,
  project: Project,
  conversation: ConversationRow,
  { memory, first, last, turns, words }: PreparedArchive,
  now: Date,
): Promise<Compaction | undefined> {
  const newest = await findNewestMarker(writer, conversation);
  if (newest && newest.last >= first) return undefined;
  const archivedAt = (memory.data as { archivedAt: string }).archivedAt;
  const name = await freeName(writer, project, `${archivedAt.slice(0, 10)}-${words.join("-") || "conversation"}`);
  const kept = await keepNew(writer, project, { ...memory, name }, now);
  return { marker: { archiveName: name, archivedAt, first, last }, archive: kept.memory, turns };
}

/** The name, or the first of its numbered ones that nobody has. */
async function freeName(writer: Writer, project: Project, name: string): Promise<string> {
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
