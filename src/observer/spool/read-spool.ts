import { closeSync, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import type { Note } from "../observer.js";
import { validateNote } from "../notes/validate-note.js";
import { mainFile, type SpoolHeader } from "./append-notes.js";

/** Notes that follow each other, and which agent's they are; undefined is the main one. */
export interface SpooledNotes {
  agentId: string | undefined;
  notes: Note[];
}

const chunkBytes = 128 * 1024;
// A note has a few KB.
const longestLine = 1024 * 1024;
// A header stands at the beginning, which is looked at first, or after the first line that was cut.
const headBytes = [2048, 64 * 1024];

/**
 * Reads the notes of a spool, one agent after the other, the main one first, each in the order they were written, some
 * hundreds at a time. What is no note, such as the last line of a process that was killed, is skipped and counted in
 * `report`.
 *
 * @example for await (const { agentId, notes } of readSpool(folder)) console.log(agentId ?? "main", notes.length);
 */
export async function* readSpool(
  folder: string,
  report = { skipped: 0 },
): AsyncGenerator<SpooledNotes, void, undefined> {
  for (const name of listSpoolFiles(readdirSync(folder))) {
    let agentId = name === mainFile ? undefined : name.replace(/\.jsonl$/, "");
    let isNamed = false;
    for (const lines of readLines(join(folder, name))) {
      let notes: Note[] = [];
      for (const line of lines) {
        const value = line === undefined ? undefined : parseLine(line);
        const header = asHeader(value);
        const note = header ? undefined : validateNote(value);
        if (note) notes.push(note);
        else if (!header) report.skipped++;
        else if (!isNamed) {
          // What came before it was not known to be this one's.
          if (notes.length > 0) yield { agentId, notes };
          notes = [];
          if (name !== mainFile) agentId = header.agentId ?? agentId;
          isNamed = true;
        }
      }
      if (notes.length > 0) yield { agentId, notes };
    }
  }
}

/** What a spool says about itself; undefined where nothing of that is left. */
export async function readHeader(folder: string): Promise<SpoolHeader | undefined> {
  return headerIn(folder, readdirSync(folder));
}

/** The same where it is known what the folder holds, without giving way. */
export function headerIn(folder: string, names: readonly string[]): SpoolHeader | undefined {
  for (const name of listSpoolFiles(names)) {
    for (const bytes of headBytes) {
      for (const line of readPart(join(folder, name), 0, bytes).toString().split("\n")) {
        const header = asHeader(parseLine(line));
        if (header) return header;
      }
    }
  }
  return undefined;
}

/** The files of notes among all that a spool's folder holds, the main agent's first. */
export function listSpoolFiles(names: readonly string[]): string[] {
  const agents = names.filter((name) => /^agent-\w+\.jsonl$/.test(name)).toSorted();
  return names.includes(mainFile) ? [mainFile, ...agents] : agents;
}

/** So many bytes of a file from there on; from its end where `from` is negative. */
export function readPart(path: string, from: number, bytes: number): Buffer {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const start = from < 0 ? Math.max(0, size + from) : from;
    const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, size - start)));
    return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, start));
  } finally {
    closeSync(file);
  }
}

/**
 * The lines that are not empty, as many at once as a chunk holds; undefined for one that is too long to be held. Without
 * waiting: a session of thirty agents has thirty small files, and waiting four times for each took longer than all else.
 */
function* readLines(path: string): Generator<(string | undefined)[], void, undefined> {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let rest: Buffer = Buffer.alloc(0);
    let isTooLong = false;
    for (;;) {
      const bytesRead = readSync(file, chunk, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      // A copy, because the next chunk is read into the same place.
      const bytes = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      const end = bytes.lastIndexOf(0x0a) + 1;
      rest = bytes.subarray(end);
      if (end > 0) {
        // All at once: a thousand small texts take longer to decode than one large one.
        const [first = "", ...lines] = bytes.toString("utf8", 0, end).split("\n");
        yield [isTooLong ? undefined : first, ...lines].filter((line) => line !== "");
        isTooLong = false;
      }
      if (isTooLong || rest.length > longestLine) {
        isTooLong = true;
        rest = Buffer.alloc(0);
      }
    }
    if (isTooLong) yield [undefined];
    else if (rest.length > 0) yield [rest.toString()];
  } finally {
    closeSync(file);
  }
}

/** What a line says; undefined for a damaged one. */
export function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function asHeader(value: unknown): SpoolHeader | undefined {
  if (typeof value !== "object" || value === null || !("spool" in value)) return undefined;
  const header = value as Record<keyof SpoolHeader, unknown>;
  const must = [header.spool, header.sessionId, header.db, header.root];
  const may = [header.project, header.agentId];
  const isHeader =
    must.every((text) => typeof text === "string" && text !== "") &&
    may.every((text) => text === undefined || typeof text === "string");
  return isHeader ? (header as SpoolHeader) : undefined;
}
