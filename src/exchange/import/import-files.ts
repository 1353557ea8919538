import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { importRefused } from "../formats/incoming.js";
import { recognise, type ImportKind } from "./recognise.js";

/** A file that can be imported, and what it is. */
export interface ImportFile {
  path: string;
  kind: ImportKind;
  /** A text without any sign of ours: a note in a folder of notes, any document in a project. */
  isPlain: boolean;
  chunks(): AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

// Enough to tell what a file is.
const beginningBytes = 64 * 1024;
// JSON Lines are read as a stream; anything else is a document that a person wrote, or a tool of moderate size.
const largestDocumentBytes = 32 * 1024 * 1024;
const skippedFolders = new Set(["node_modules", ".git", "dist", "build", "target", "vendor"]);

/** The files that a path means: one file, or those of a folder that Tacit knows how to read, in a stable order. */
export async function listImportFiles(path: string): Promise<ImportFile[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw importRefused(path, `it cannot be read (${error.code ?? error.message}).`, "Check the path.", error);
  });
  if (!found.isDirectory()) {
    const file = await findImportFile(path);
    if (file) return [file];
    throw importRefused(path, "Tacit does not know what this is.", whatItTakes);
  }
  const files: ImportFile[] = [];
  for (const name of await listFiles(path)) {
    const file = await findImportFile(name);
    if (file) files.push(file);
  }
  // In a project, README.md and other documents are no memories; in a folder of notes they are.
  const certain = files.filter(({ isPlain }) => !isPlain);
  if (files.length === 0) throw importRefused(path, "there is nothing in it that Tacit can import.", whatItTakes);
  return certain.length > 0 ? certain : files;
}

/** Standard input, as a file. */
export async function readImportStream(input: AsyncIterable<Uint8Array>): Promise<ImportFile> {
  const source = input[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < beginningBytes) {
    const { done, value } = await source.next();
    if (done) break;
    first.push(value);
    bytes += value.byteLength;
  }
  const name = "standard input";
  const kind = recognise(beginningOf(Buffer.concat(first)), name);
  if (!kind) throw importRefused(name, "Tacit does not know what this is.", whatItTakes);
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield* first;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  return { path: name, kind, isPlain: false, chunks, text: () => textOf(name, chunks()) };
}

const whatItTakes =
  "It takes JSON Lines, Markdown with one memory a file, CLAUDE.md, MEMORY.md and other rule files, HISTORY.md, or a memory.json.";

async function findImportFile(path: string): Promise<ImportFile | undefined> {
  if (!(await stat(path)).isFile()) {
    throw importRefused(path, "it is no regular file.", "Name a file or a folder.");
  }
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw importRefused(path, `it cannot be read (${error.code ?? error.message}).`, "Check who may read it.", error);
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(beginningBytes), 0, beginningBytes, 0);
    const beginning = beginningOf(buffer.subarray(0, bytesRead));
    const kind = recognise(beginning, path.split(sep).join("/"));
    if (!kind) return undefined;
    const chunks = () => createReadStream(path);
    const isPlain = kind === "markdown" && !/^\uFEFF?---\r?\n/.test(beginning);
    return { path, kind, isPlain, chunks, text: () => textOf(path, chunks()) };
  } finally {
    await handle.close();
  }
}

/** A character that is cut off at the end is left out. */
function beginningOf(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
}

async function textOf(path: string, chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > largestDocumentBytes) {
      throw importRefused(path, "it is larger than 32 MiB.", "Only JSON Lines may be of any size.");
    }
    parts.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch (error) {
    throw importRefused(path, "it is no UTF-8 text.", "Save it as UTF-8.", error);
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const files: string[] = [];
  const entries = (await readdir(folder, { withFileTypes: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !skippedFolders.has(entry.name)) files.push(...(await listFiles(path)));
    else if (entry.isFile() && mayBeImported(basename(path))) files.push(path);
  }
  return files;
}

function mayBeImported(name: string): boolean {
  return /\.(?:md|mdc|jsonl|ndjson)$/i.test(name) || /^(?:memory\.json|\.cursorrules|\.windsurfrules)$/.test(name);
}
