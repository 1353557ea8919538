import { listStoredChanges, type StoredChange } from "../../memory/history/history.js";
import { filterConditions } from "../../memory/read/read.js";
import { recordColumns, recordOf } from "../../memory/record/record.js";
import type { MemoryRecord, MemoryFilter } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

// Memory use stays flat, and a page of the largest memories (64 KiB) is still moderate.
const pageSize = 200;

export interface StoredRecord {
  record: MemoryRecord;
  history: StoredChange[];
}

/** The memories of a project as they are stored, page by page, in an order that is the same in every store. */
export async function* listRecords(
  reader: Reader,
  project: Project,
  filter: MemoryFilter,
  now: Date,
): AsyncGenerator<StoredRecord> {
  const { conditions, args } = filterConditions(filter, project, now);
  for (let after = ""; ;) {
    const rows = await reader.rows(
      `SELECT m.key, ${recordColumns} FROM memories AS m
       WHERE m.id > :after AND ${conditions.join(" AND ")} ORDER BY m.id LIMIT ${pageSize}`,
      { ...args, after },
    );
    const histories = await listStoredChanges(
      reader,
      rows.map((row) => Number(row["key"])),
    );
    for (const row of rows) yield { record: recordOf(row), history: histories.get(Number(row["key"])) ?? [] };
    const last = rows.at(-1);
    if (!last || rows.length < pageSize) return;
    after = String(last["id"]);
  }
}
