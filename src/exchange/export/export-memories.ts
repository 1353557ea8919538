import { once } from "node:events";
import { open, readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkFilter, withRelativeFiles } from "../../memory/read/read.js";
import type { MemoryRecord, MemoryFilter } from "../../memory/memory.js";
import { findProject, type ProjectContext } from "../../project/project.js";
import { makeFolder } from "../../base/files/files.js";
import type { ExportOptions, ExportReport } from "../exchange.js";
import { longestFrontMatter } from "../formats/front-matter.js";
import { renderHeader, renderLine } from "../formats/json-lines.js";
import { listRecords, type StoredRecord } from "./list-records.js";
import { fileNameOf, renderMarkdown } from "../formats/markdown.js";
import { isForRules, mergeRules, outsideSection, renderRules } from "../rules/rule-section.js";
import { aboutFile, exportRefused, findFile, forAll, forOwner, replaceFile, type Write } from "./replace-file.js";

/**
 * Writes memories out: every one, whatever its status, as JSON Lines or as Markdown files; those in force as a section
 * for CLAUDE.md. As of one moment, while others write. A file that Tacit did not write is not overwritten without `force`.
 */
export async function exportMemories(context: ProjectContext, options: ExportOptions): Promise<ExportReport> {
  const { format, output, force = false, ...filter } = options ?? {};
  checkFilter("export()", filter);
  if (!["jsonl", "md", "claude-md"].includes(format)) {
    throw exportRefused(`export() knows no format ${format}.`, "The formats are jsonl, md and claude-md.");
  }
  const wanted: MemoryFilter = { status: format === "claude-md" ? "active" : "any", ...filter };
  const narrowed = await withRelativeFiles(context, wanted);
  const records = <T>(work: (records: AsyncIterable<StoredRecord>) => Promise<T>) =>
    readRecords(context, narrowed, work);
  if (typeof output !== "string") {
    if (format === "md")
      throw exportRefused("Markdown is one file a memory, and needs a folder.", "Name one with --output.");
    const writeAs = format === "jsonl" ? writeLines : writeRules;
    const memories = await records((all) => writeAs(all, writeTo(output)));
    return { format, memories };
  }
  const target = resolve(output);
  const exportAs = { jsonl: exportLines, md: exportFiles, "claude-md": exportRules }[format];
  return { format, output: target, memories: await records((all) => exportAs(all, target, force)) };
}

/** As of one moment. A project that is not there yet has no memories. */
async function readRecords<T>(
  context: ProjectContext,
  filter: MemoryFilter,
  work: (records: AsyncIterable<StoredRecord>) => Promise<T>,
): Promise<T> {
  return context.store.snapshot(async (reader) => {
    const { project } = await findProject(reader, context.project);
    return work(project ? listRecords(reader, project, filter, context.now()) : nothing());
  });
}

// oxlint-disable-next-line require-yield -- there is none
async function* nothing(): AsyncGenerator<StoredRecord> {}

async function exportLines(records: AsyncIterable<StoredRecord>, file: string, force: boolean): Promise<number> {
  const existing = await findFile(file);
  if (existing && !force) await aboutFile(file, () => refuseForeignFile(file));
  return replaceFile(file, forOwner, (write) => writeLines(records, write));
}

async function writeLines(records: AsyncIterable<StoredRecord>, write: Write): Promise<number> {
  let count = 0;
  await write(`${renderHeader()}\n`);
  for await (const { record, history } of records) {
    await write(`${renderLine(record, history)}\n`);
    count += 1;
  }
  return count;
}

async function refuseForeignFile(file: string): Promise<void> {
  const handle = await open(file);
  try {
    const header = Buffer.from(renderHeader());
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(header.length), 0, header.length, 0);
    if (bytesRead === 0 || buffer.equals(header)) return;
  } finally {
    await handle.close();
  }
  throw exportRefused(
    `${file} is there already, and is no export of Tacit.`,
    "Name another file, or overwrite it with --force.",
  );
}

async function exportFiles(records: AsyncIterable<StoredRecord>, folder: string, force: boolean): Promise<number> {
  const others = await aboutFile(folder, async () => {
    makeFolder(folder);
    return readdir(folder);
  });
  if (!force && others.length > 0) {
    throw exportRefused(`${folder} is not empty.`, "Name a new folder, or write into this one with --force.");
  }
  const names = new Set<string>();
  let count = 0;
  for await (const { record } of records) {
    const name = fileNameOf(record);
    // Of 10,000 memories, two have the same short id once in a hundred times.
    const file = join(folder, names.has(name) ? `${record.id}.md` : name);
    names.add(name);
    const text = renderMarkdown(record, "whole");
    if (text.length - record.content.length > longestFrontMatter) {
      throw exportRefused(`${record.id} has more fields than a Markdown file holds.`, "Export it as jsonl.");
    }
    await replaceFile(file, forOwner, (write) => write(text));
    count += 1;
  }
  return count;
}

/** The section of an existing file is replaced; what stands around it stays. */
async function exportRules(records: AsyncIterable<StoredRecord>, file: string): Promise<number> {
  const existing = await findFile(file);
  const text = existing && (await aboutFile(file, () => readFile(existing.path, "utf8")));
  // What the file says already, as when its rules were imported from it, needs no second bullet.
  const said = outsideSection(text ?? "");
  const chosen = (await collect(records)).filter(({ content }) => !said.includes(content.trim()));
  await replaceFile(file, forAll, (write) => write(mergeRules(text, renderRules(chosen))));
  return chosen.length;
}

async function writeRules(records: AsyncIterable<StoredRecord>, write: Write): Promise<number> {
  const chosen = await collect(records);
  await write(mergeRules(undefined, renderRules(chosen)));
  return chosen.length;
}

/** What is worth telling every session; turns, work in progress and what nobody vouches for are not. */
async function collect(records: AsyncIterable<StoredRecord>): Promise<MemoryRecord[]> {
  const chosen: MemoryRecord[] = [];
  for await (const { record } of records) if (isForRules(record)) chosen.push(record);
  return chosen;
}

function writeTo(stream: NodeJS.WritableStream): Write {
  return async (text) => {
    if (!stream.write(text)) await aboutFile("The output", () => once(stream, "drain"));
  };
}
