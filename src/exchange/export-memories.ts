import { createWriteStream } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { once } from "node:events";
import { MemoryError } from "../base/memory-error.js";
import { checkFilter } from "../memory/check-input.js";
import type { MemoryRecord } from "../memory/memory-record.js";
import type { MemoryFilter } from "../memory/memory.js";
import { findProject } from "../memory/projects.js";
import type { ProjectStore } from "../memory/project-store.js";
import { withRelativeFiles } from "../memory/related-file.js";
import type { ExportOptions, ExportReport } from "./exchange.js";
import { renderHeader, renderLine } from "./json-lines.js";
import { listRecords, type StoredRecord } from "./list-records.js";
import { fileNameOf, renderMarkdown } from "./markdown.js";
import { isForRules, mergeRules, renderRules } from "./rule-files.js";

/**
 * Writes memories out: every one, whatever its status, as JSON Lines or as Markdown files; those in force as a section
 * for CLAUDE.md. As of one moment, while others write. A file that Tacit did not write is not overwritten without `force`.
 */
export async function exportMemories(from: ProjectStore, options: ExportOptions): Promise<ExportReport> {
  const { format, output, force = false, ...filter } = options;
  checkFilter("export()", filter);
  if (!["jsonl", "md", "claude-md"].includes(format)) {
    throw refused(`There is no format ${JSON.stringify(format) ?? ""}.`, "The formats are jsonl, md and claude-md.");
  }
  const wanted: MemoryFilter = { status: format === "claude-md" ? "active" : "any", ...filter };
  const narrowed = await withRelativeFiles(from, wanted);
  const records = <T>(work: (records: AsyncIterable<StoredRecord>) => Promise<T>) => readRecords(from, narrowed, work);
  if (typeof output !== "string") {
    if (format === "md") throw refused("Markdown is one file a memory, and needs a folder.", "Name one with --output.");
    const memories = await records((all) => (format === "jsonl" ? writeLines(all, output) : writeRules(all, output)));
    return { format, memories };
  }
  const target = resolve(output);
  const exportAs = { jsonl: exportLines, md: exportFiles, "claude-md": exportRules }[format];
  return { format, output: target, memories: await records((all) => exportAs(all, target, force)) };
}

/** As of one moment. A project that is not there yet has no memories. */
async function readRecords<T>(
  from: ProjectStore,
  filter: MemoryFilter,
  work: (records: AsyncIterable<StoredRecord>) => Promise<T>,
): Promise<T> {
  return from.store.snapshot(async (reader) => {
    const { project } = await findProject(reader, from.project);
    return work(project ? listRecords(reader, project, filter, from.now()) : nothing());
  });
}

// oxlint-disable-next-line require-yield -- there is none
async function* nothing(): AsyncGenerator<StoredRecord> {}

async function exportLines(records: AsyncIterable<StoredRecord>, file: string, force: boolean): Promise<number> {
  if (!force) await refuseForeignFile(file);
  return replaceFile(file, (stream) => writeLines(records, stream));
}

async function writeLines(records: AsyncIterable<StoredRecord>, stream: NodeJS.WritableStream): Promise<number> {
  let count = 0;
  await write(stream, `${renderHeader()}\n`);
  for await (const { record, history } of records) {
    await write(stream, `${renderLine(record, history)}\n`);
    count += 1;
  }
  return count;
}

async function exportFiles(records: AsyncIterable<StoredRecord>, folder: string, force: boolean): Promise<number> {
  await mkdir(folder, { recursive: true });
  if (!force && (await readdir(folder)).length > 0) {
    throw refused(`${folder} is not empty.`, "Name a new folder, or write into this one with --force.");
  }
  let count = 0;
  for await (const { record } of records) {
    await writeFile(join(folder, fileNameOf(record)), renderMarkdown(record, "whole"));
    count += 1;
  }
  return count;
}

/** The section of an existing file is replaced; what stands around it stays. */
async function exportRules(records: AsyncIterable<StoredRecord>, file: string): Promise<number> {
  const chosen = await collect(records);
  const existing = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw refused(`${file} cannot be read (${error.code ?? error.message}).`, "Name another file.", error);
  });
  await replaceFile(file, async (stream) => write(stream, mergeRules(existing, renderRules(chosen))));
  return chosen.length;
}

async function writeRules(records: AsyncIterable<StoredRecord>, stream: NodeJS.WritableStream): Promise<number> {
  const chosen = await collect(records);
  await write(stream, mergeRules(undefined, renderRules(chosen)));
  return chosen.length;
}

/** What is worth telling every session; turns, work in progress and what nobody vouches for are not. */
async function collect(records: AsyncIterable<StoredRecord>): Promise<MemoryRecord[]> {
  const chosen: MemoryRecord[] = [];
  for await (const { record } of records) if (isForRules(record)) chosen.push(record);
  return chosen;
}

/** Written beside it first, so that a reader sees the old file or the new one, and a failure leaves the old. */
async function replaceFile<T>(file: string, work: (stream: NodeJS.WritableStream) => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  const stream = createWriteStream(temporary, { flags: "wx" });
  try {
    await once(stream, "open");
    const result = await work(stream);
    stream.end();
    await once(stream, "close");
    await rename(temporary, file);
    return result;
  } catch (error) {
    stream.destroy();
    await rm(temporary, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    throw error instanceof MemoryError || code === undefined
      ? error
      : refused(`${file} cannot be written (${code}).`, "Check the folder, and who may write there.", error);
  }
}

async function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, "drain");
}

async function refuseForeignFile(file: string): Promise<void> {
  const handle = await open(file).catch(() => undefined);
  if (!handle) return;
  try {
    const header = Buffer.from(renderHeader());
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), 0, header.length, 0);
    if (bytesRead === 0 || buffer.equals(header)) return;
  } finally {
    await handle.close();
  }
  throw refused(
    `${file} is there already, and is no export of Tacit.`,
    "Name another file, or overwrite it with --force.",
  );
}

function refused(message: string, hint: string, cause?: unknown): MemoryError {
  return new MemoryError("export-refused", message, hint, cause);
}
