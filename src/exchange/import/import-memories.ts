import { callerOf } from "../../base/actor.js";
import { changeMemories, forImport, type MemoryContext, refuseAgent } from "../../memory/change/change.js";
import { idFrom } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { cleanJson } from "../../hygiene/hygiene.js";
import type { ArrivalRules } from "../intake/intake.js";
import { storeRecords } from "../intake/store-records.js";
import { refuseRebinding } from "../../memory/remember/remember.js";
import { forgetRows, listLeastWorth } from "../../memory/retention/retention.js";
import { memoryType } from "../../memory/type-registry/type-registry.js";
import type { MemoryRecord, Memory } from "../../memory/memory.js";
import { refuseWhenDisabled } from "../../project/project.js";
import type { ImportOptions, ImportReport } from "../exchange.js";
import { parseHistory } from "../formats/history-file.js";
import { listImportFiles, readImportStream, type ImportFile } from "./import-files.js";
import type { IncomingMemory } from "../formats/incoming.js";
import { parseJsonLines } from "../formats/json-lines.js";
import { parseMarkdown } from "../formats/markdown.js";
import { parseMemoryFile } from "../rules/parse-memory-file.js";
import { parseMemoryJson } from "../formats/memory-json.js";
import { settleKnownClaims } from "./settle-known-claims.js";
import { isMemoryFile, type ImportKind } from "./recognise.js";
import { writtenFields } from "../formats/record-fields.js";
import { parseRules } from "../rules/parse-rules.js";

/**
 * Takes memories in from a file, a folder or a stream, whatever it is of what Tacit knows: all of them or none. Doing it
 * again changes nothing, unless it is trusted only now. The first error is told with its file and line. Where the configuration allows so many memories
 * and no more, those least worth keeping are forgotten then; `evicted` tells which.
 */
export async function importMemories(
  context: MemoryContext,
  source: string | AsyncIterable<Uint8Array>,
  { trust = false, ...options }: ImportOptions = {},
  judged: Pick<ArrivalRules, "doubt" | "unverified"> = {},
): Promise<ImportReport> {
  const isByAgent = callerOf(context.actor).kind === "agent";
  if (trust) refuseAgent(context, "tacit import PATH --trust");
  if (isByAgent) refuseRebinding(options);
  await refuseWhenDisabled(context);
  const importing = forImport(context, source);
  const files = typeof source === "string" ? await listImportFiles(source) : [await readImportStream(source)];
  const rules: ArrivalRules = { keepsClaims: trust, isByAgent, ...judged };
  const kept = await storeRecords(importing, settleKnownClaims(importing, readAll(files), trust), {
    ...options,
    rules,
  });
  const evicted = kept.added > 0 && !options.dryRun ? await evict(importing) : [];
  return {
    kinds: [...new Set(files.map(({ kind }) => kind))],
    files: files.length,
    ...kept,
    ...(evicted.length > 0 && { evicted }),
  };
}

async function* readAll(files: ImportFile[]): AsyncGenerator<IncomingMemory> {
  for (const file of files) {
    for await (const memory of parse(file)) yield identify(memory, file.kind);
  }
}

async function* parse(file: ImportFile): AsyncGenerator<IncomingMemory> {
  const { path, kind } = file;
  if (kind === "jsonl") yield* parseJsonLines(file.chunks(), path);
  else if (kind === "markdown") yield await parseMarkdown(await file.text(), path);
  else if (kind === "rules") {
    yield* byPeople(await (isMemoryFile(path) ? parseMemoryFile : parseRules)(await file.text(), path));
  } else if (kind === "history") yield* parseHistory(await file.text(), path);
  else yield* parseMemoryJson(await file.text(), path);
}

/** Rules for agents are what people wrote for them. */
function byPeople(rules: IncomingMemory[]): IncomingMemory[] {
  return rules.map((rule) => ({ ...rule, isOfPeople: true, record: { ...rule.record, source: "user_taught" } }));
}

/**
 * Gives what has no id one that follows from what it says, so that it is found again when it comes again: forgotten, it
 * stays forgotten, and edited, it stays edited. The headings above a rule, which become its tags, and the files that it
 * names may change. Where each memory counts, two that say the same are two.
 */
async function identify(memory: IncomingMemory, kind: ImportKind): Promise<IncomingMemory> {
  const { record } = memory;
  if (record.id !== undefined || (record.type !== undefined && memoryType(record.type).everyOneCounts)) return memory;
  const passing = kind === "rules" ? ["tags", "relatedFiles"] : [];
  const said = writtenFields(record as MemoryRecord).filter(([field]) => !passing.includes(field));
  try {
    // Cleaned, because an id goes where a secret must not, and who has it could try out what it was made from.
    const { value } = await cleanJson(
      said.map(([, entry]) => entry),
      "content",
    );
    const id = idFrom("imported", ...said.map(([field]) => field), JSON.stringify(value));
    // Not spread: V8 takes 30 µs to spread into a literal what it assigns in 2 (Node 20).
    return { ...memory, record: Object.assign({}, record, { id }) };
  } catch (error) {
    // It will be refused where it stood.
    if (error instanceof MemoryError) return memory;
    throw error;
  }
}

// Others wait for the lock meanwhile: 0.3 s at 1.7 ms to forget one memory.
const evictedAtOnce = 200;

export async function evict(context: MemoryContext): Promise<Memory[]> {
  const { maxEntries } = await context.settings();
  const evicted: Memory[] = [];
  if (maxEntries === null) return evicted;
  for (;;) {
    const portion = await changeMemories(context, async (writer, project) => {
      const now = context.now();
      const tooMany = await listLeastWorth(writer, project, maxEntries, now);
      return forgetRows(writer, project, tooMany.slice(0, evictedAtOnce), now, "evicted");
    });
    evicted.push(...portion);
    if (portion.length < evictedAtOnce) return evicted;
  }
}
