import type { MemoryContext } from "../../src/memory/change/change.js";
import { inject, onTestFinished } from "vitest";
import { defaultSettings } from "../../src/config/settings.js";
import { identifyFolder } from "../../src/project/folder/identify-folder.js";
import { listStoredChanges, type StoredChange } from "../../src/memory/history/stored-changes.js";
import type { ArrivingRecord, IntakeOptions, IntakeReport } from "../../src/exchange/intake/intake.js";
import { storeRecords } from "../../src/exchange/intake/store-records.js";
import { recordColumns, recordOf } from "../../src/memory/record/record-columns.js";
import type { MemoryRecord } from "../../src/memory/memory.js";
import { Store } from "../../src/storage/storage.js";
import { startServer } from "../remote/start-server.js";
import { sampleRecord } from "./sample-record.js";
import { temporaryFolder } from "./temporary-folder.js";
import { unfollowed } from "./unfollowed.js";

export const noon = "2026-11-15T12:00:00.000Z";

/**
 * A project at noon, in a store of the running test's own or in one that is given: in memory unless a file is named, and
 * in `npm run test:remote` on a server of its own.
 */
export async function projectContext(
  options: { store?: Store; db?: string; project?: string; now?: string } = {},
): Promise<MemoryContext> {
  const { project = "test", now = noon } = options;
  const store = options.store ?? new Store({ db: options.db ?? (await emptyDatabase()), timeoutMs: 5000 });
  if (!options.store) onTestFinished(() => store.close());
  const directory = temporaryFolder();
  return {
    store,
    project: { id: project },
    folder: () => identifyFolder(directory),
    settings: async () => defaultSettings(),
    ...unfollowed,
    now: () => new Date(now),
  };
}

async function emptyDatabase(): Promise<string> {
  return inject("sqld") ? (await startServer()).url : ":memory:";
}

/** A record with an id and times, as a store has it. */
export function stored(fields: Partial<MemoryRecord> & { content: string }): MemoryRecord {
  return sampleRecord({ id: idOf(1), type: "note", createdAt: "2026-01-01T00:00:00.000Z", ...fields });
}

/** The nth of some ids. */
export function idOf(n: number): string {
  return `0193a0c2-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
}

type Brought = (Partial<MemoryRecord> & { content: string }) | Omit<ArrivingRecord, "origin">;

/** Keeps records as if they stood in the lines of a file. */
export async function keep(
  context: MemoryContext,
  brought: Brought[],
  options: IntakeOptions = {},
): Promise<IntakeReport> {
  async function* lines(): AsyncGenerator<ArrivingRecord> {
    for (const [index, one] of brought.entries()) {
      const origin = `memories.jsonl:${index + 1}`;
      yield "record" in one ? { ...one, origin } : { record: one, origin };
    }
  }
  return storeRecords(context, lines(), options);
}

/** Every record of the store with its history, in the order of their keys. */
export async function recordsOf({
  store,
}: MemoryContext): Promise<{ record: MemoryRecord; history: StoredChange[] }[]> {
  return store.read(async (reader) => {
    const rows = await reader.rows(`SELECT m.key, ${recordColumns} FROM memories AS m ORDER BY m.key`);
    const histories = await listStoredChanges(
      reader,
      rows.map((row) => Number(row["key"])),
    );
    return rows.map((row) => ({ record: recordOf(row), history: histories.get(Number(row["key"])) ?? [] }));
  });
}

/** Everything that the store holds, table by table. */
export async function contentsOf({ store }: MemoryContext): Promise<Record<string, unknown[]>> {
  const tables = ["projects", "memories", "memory_names", "memory_relations", "memory_facets", "memory_changes"];
  const words = "SELECT rowid, content, name, tags, files FROM memory_words ORDER BY rowid";
  return store.read(async (reader) => {
    const contents: Record<string, unknown[]> = { memory_words: (await reader.rows(words)).map((row) => ({ ...row })) };
    for (const table of tables)
      contents[table] = (await reader.rows(`SELECT * FROM ${table}`)).map((row) => ({ ...row }));
    return contents;
  });
}
