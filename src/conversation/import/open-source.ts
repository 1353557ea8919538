import { createReadStream } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { importRefused } from "./import-refused.js";

/** What is imported, to be read more than once: a first time to see whether all of it can be. */
export interface Source {
  /** For errors. */
  name: string;
  /** The real path of a file; absent for a pipe. */
  path?: string;
  open: () => AsyncIterable<Uint8Array>;
  /** What Claude Code has put beside a transcript: those of the session's sub-agents. */
  beside: () => AsyncIterable<Uint8Array>;
}

// A pipe can be read once, and what it says is held meanwhile. A file has no such limit.
const maxHeld = 64 * 1024 * 1024;

/** Opens a file, or holds what a stream says. What is added to a file from now on is not seen. */
export async function openSource(given: string | AsyncIterable<Uint8Array>): Promise<Source> {
  if (typeof given !== "string") return hold("standard input", given);
  const info = await stat(given).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(given, error);
  });
  if (info.isDirectory()) throw importRefused(given, "it is a folder.", hint);
  if (!info.isFile()) return hold(given, readFile(given));
  const { size } = info;
  return {
    name: given,
    path: await realpath(given),
    open: () => (size === 0 ? nothing() : readFile(given, size - 1)),
    beside: () => readBeside(given),
  };
}

const hint = "Name a transcript of Claude Code, or a file with one message a line, or - for standard input.";
const reasons: Record<string, string> = { ENOENT: "there is no such file", EACCES: "it may not be read" };

function unreadable(path: string, error: NodeJS.ErrnoException): Error {
  const { code } = error;
  return code === undefined ? error : importRefused(path, `${reasons[code] ?? code}.`, hint, error);
}

async function hold(name: string, stream: AsyncIterable<Uint8Array>): Promise<Source> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxHeld) {
      throw importRefused(name, "it says more than 64 MB.", "Write it to a file, and name that.");
    }
    // A copy: a stream may use its buffer again.
    chunks.push(new Uint8Array(chunk));
  }
  return { name, open: () => each(chunks), beside: nothing };
}

async function* each(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void, undefined> {
  yield* chunks;
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  // There is none.
}

async function* readFile(path: string, end?: number): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* createReadStream(path, end === undefined ? {} : { end }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

async function* readBeside(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const folder = join(path.replace(/\.jsonl$/, ""), "subagents");
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".jsonl")).map(({ name }) => name);
  for (const name of names.toSorted()) {
    yield* createReadStream(join(folder, name)) as AsyncIterable<Uint8Array>;
    // The last line may have been cut before its end.
    yield Buffer.from("\n");
  }
}
