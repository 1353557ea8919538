import { keepRecords, type KeepReport } from "../memory/keep-records.js";
import { refuseWhenDisabled, type ProjectStore } from "../memory/project-store.js";
import type { ImportOptions, ImportReport } from "./exchange.js";
import { listImportFiles, readImportStream, type ImportFile } from "./import-files.js";
import type { IncomingMemory } from "./incoming.js";
import { parseJsonLines } from "./json-lines.js";
import { parseMarkdown } from "./markdown.js";
import { parseMemoryJson } from "./memory-json.js";
import { parseRules } from "./rule-files.js";

/**
 * Takes memories in from a file, a folder or a stream, whatever it is of what Tacit knows: all of them or none. Doing it
 * again changes nothing. The first error is told with its file and line.
 */
export async function importMemories(
  from: ProjectStore,
  source: string | AsyncIterable<Uint8Array>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  await refuseWhenDisabled(from);
  const files = typeof source === "string" ? await listImportFiles(source) : [await readImportStream(source)];
  const kept: KeepReport = await keepRecords(from, readAll(files), options);
  return { kinds: [...new Set(files.map(({ kind }) => kind))], files: files.length, ...kept };
}

async function* readAll(files: ImportFile[]): AsyncGenerator<IncomingMemory> {
  for (const file of files) yield* parse(file);
}

async function* parse(file: ImportFile): AsyncGenerator<IncomingMemory> {
  const { path, kind } = file;
  if (kind === "jsonl") yield* parseJsonLines(file.chunks(), path);
  else if (kind === "markdown") yield await parseMarkdown(await file.text(), path);
  else if (kind === "rules") yield* byPeople(await parseRules(await file.text(), path));
  else yield* parseMemoryJson(await file.text(), path);
}

/** Rules for agents are what people wrote for them. */
function byPeople(rules: IncomingMemory[]): IncomingMemory[] {
  return rules.map((rule) => ({ ...rule, record: { ...rule.record, source: "user_taught" } }));
}
