import { closeSync, constants, existsSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { shortId } from "../../base/ids/ids.js";
import { syncFolder } from "../../base/files/files.js";
import type { Memory } from "../../memory/memory.js";
import { readProject, writeProject, type ProjectContext } from "../../project/project.js";
import { memoryFileUnwritable, withFolderLock } from "./folder-lock.js";
import { ensureNoted } from "./ensure-noted.js";
import { beginningOf, cutOff, entryTime, renderEntry, type HistoryEntry } from "./history-entries.js";
import {
  isAnyNotedIn,
  listStillUnnoted,
  listUnnoted,
  markLost,
  markNoted,
  type UnnotedArchive,
} from "./memory-file-queries.js";

export interface HistoryPorts {
  /** Everything that was said in the stretch of an archive that sums it up badly: `data.fallback`. */
  raw: (archive: Memory) => Promise<string>;
}

// One transaction and one flush to disk for so many: an import may bring hundreds.
const notedAtOnce = 20;

/**
 * Appends every archive that was not noted in this folder yet to its HISTORY.md and to the file of its month, oldest first,
 * and tells how many. Each is there once and whole, however many processes do this at once and wherever one is killed: what
 * was appended and not marked is found again, and half an entry is closed and written anew. Where HISTORY.md is gone, or
 * another folder was set, it is written anew from every archive.
 */
export async function noteHistory(context: ProjectContext, folder: string, ports: HistoryPorts): Promise<number> {
  await findLost(context, folder);
  for (let noted = 0; ;) {
    const batch = await readProject(context, [], (reader, project) =>
      listUnnoted(reader, project, { folder, limit: notedAtOnce }, context.now()),
    );
    if (batch.length === 0) return noted;
    // Before any lock: what was said is read from the store.
    const entries: NotedEntry[] = [];
    for (const unnoted of batch) entries.push({ ...unnoted, entry: await entryOf(unnoted, ports) });
    await ensureNoted(context, folder);
    noted += await withFolderLock(folder, () =>
      // In the transaction: nobody who shares the store appends at the same time, and what fails stays to be noted.
      writeProject(context, async (writer, project) => {
        const keys = entries.map(({ key }) => key);
        const still = await listStillUnnoted(writer, project, { folder, keys });
        const due = entries.filter(({ key }) => still.has(key));
        append(join(folder, historyFileName), due);
        for (const month of new Set(due.map(({ entry }) => entry.at.slice(0, 7)))) {
          append(
            join(folder, `HISTORY-${month}.md`),
            due.filter(({ entry }) => entry.at.startsWith(month)),
          );
        }
        await markNoted(writer, keys, folder, context.now());
        return due.length;
      }),
    );
  }
}

const historyFileName = "HISTORY.md";

/** Somebody took the file away: what it told is to be told again. */
async function findLost(context: ProjectContext, folder: string): Promise<void> {
  const isGone = () => !existsSync(join(folder, historyFileName));
  if (!isGone() || !(await readProject(context, false, (reader, project) => isAnyNotedIn(reader, project, folder))))
    return;
  // In the transaction in which others append to it: one that is there by now tells what was marked.
  await writeProject(context, async (writer, project) => {
    if (isGone()) await markLost(writer, project, folder);
  });
}

interface NotedEntry extends Pick<UnnotedArchive, "key" | "isAgain"> {
  entry: HistoryEntry;
}

async function entryOf({ archive, archivedAt }: UnnotedArchive, { raw }: HistoryPorts): Promise<HistoryEntry> {
  return {
    at: entryTime(archivedAt, archive.createdAt),
    name: archive.name ?? shortId(archive.id),
    text: archive.data?.["fallback"] === true ? await raw(archive) : archive.content,
  };
}

/** Appends what is not there, each with one write, and waits until it is on disk. */
function append(file: string, entries: readonly NotedEntry[]): void {
  if (entries.length === 0) return;
  try {
    const descriptor = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT, 0o600);
    try {
      const isNew = fstatSync(descriptor).size === 0;
      const texts = entries.map(({ entry }) => ({ entry, text: renderEntry(entry) }));
      const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
      let end = readEnd(descriptor, entries.some(({ isAgain }) => isAgain) ? Infinity : 2 * bytes);
      for (const { entry, text } of texts) {
        if (isThere(end, entry, text)) continue;
        const written = `${closing(end, entry, text)}${text}`;
        writeWhole(descriptor, Buffer.from(written));
        end += written;
      }
      fsyncSync(descriptor);
      if (isNew) syncFolder(dirname(file));
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw memoryFileUnwritable(file, error);
  }
}

// What a process left behind that was killed before it had marked it is at the end, with what was closed there.
const leastEnd = 1_048_576;

/** The end of the file, at least so many bytes of it; with a line end before the first line. */
function readEnd(descriptor: number, bytes: number): string {
  const { size } = fstatSync(descriptor);
  const length = Math.min(size, Math.max(leastEnd, bytes));
  const buffer = Buffer.alloc(length);
  const read = readSync(descriptor, buffer, 0, length, size - length);
  return `\n${buffer.toString("utf8", 0, read)}`;
}

/** Whether the entry stands there whole. One that says something else by now is not written again. */
function isThere(end: string, entry: HistoryEntry, text: string): boolean {
  const beginning = `\n${beginningOf(entry)}`;
  for (let at = end.indexOf(beginning); at !== -1; at = end.indexOf(beginning, at + 1)) {
    if (end.startsWith(text, at + 1)) return true;
    const next = end.indexOf("\n## ", at + 1);
    const piece = end.slice(at + 1, next === -1 ? undefined : next + 1);
    const isHalf = text.startsWith(piece.trimEnd()) || piece.trimEnd().endsWith(cutOff) || !piece.endsWith("\n\n");
    if (!isHalf) return true;
  }
  return false;
}

/** What goes before an entry: nothing after a whole one; half of it, from an attempt that failed, is ended first. */
function closing(end: string, entry: HistoryEntry, text: string): string {
  const last = end.lastIndexOf("\n## ");
  const half = last === -1 ? end.slice(1) : end.slice(last + 1);
  const isHalf = half !== "" && (text.startsWith(half) || half.startsWith(beginningOf(entry)));
  if (!end.endsWith("\n")) return `\n${cutOff}\n\n`;
  if (isHalf) return `${cutOff}\n\n`;
  return end === "\n" || end.endsWith("\n\n") ? "" : "\n";
}

function writeWhole(descriptor: number, bytes: Buffer): void {
  const written = writeSync(descriptor, bytes);
  if (written === bytes.length) return;
  throw Object.assign(new Error(`${written} of ${bytes.length} bytes were written.`), { code: "ENOSPC" });
}
