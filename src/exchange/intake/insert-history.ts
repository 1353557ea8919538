import type { StoredChange } from "../../memory/history/history.js";
import { keyRange } from "../../memory/read/read.js";
import { ownId } from "./identify-records.js";
import type { Intake } from "./begin-intake.js";

/** A change of the memory under a key. */
type KeyedChange = StoredChange & { key: number };

/** Writes the history that new memories bring, before anything of this import can be a further change of them. */
export async function insertHistory(keeping: Intake, changes: KeyedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const elsewhere = await listForeignOperations(
    keeping,
    changes.map(({ operation }) => operation),
  );
  const rows = changes.map(({ key, number, verb, at, operation, fields }) => [
    key,
    number,
    verb,
    at,
    elsewhere.has(operation) ? ownId(keeping, operation) : operation,
    JSON.stringify(fields),
  ]);
  await keeping.writer.run(
    `INSERT INTO memory_changes (memory_key, number, verb, changed_at, operation, fields)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:rows)`,
    { rows: JSON.stringify(rows) },
  );
}

/** What happened at once in another project did not happen at once with anything here. */
async function listForeignOperations({ writer, project }: Intake, operations: string[]): Promise<Set<string>> {
  const rows = await writer.rows(
    `SELECT DISTINCT c.operation FROM json_each(:operations) AS wanted
     CROSS JOIN memory_changes AS c ON c.operation = wanted.value
     WHERE c.memory_key NOT BETWEEN :first AND :last`,
    { operations: JSON.stringify([...new Set(operations)]), ...keyRange(project) },
  );
  return new Set(rows.map((row) => String(row["operation"])));
}

/** Tells changes anew, once it is known under which ids the project has what they lead to. */
export async function rewriteHistory({ writer }: Intake, changes: KeyedChange[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ key, number, fields }) => [key, number, JSON.stringify(fields)]);
  await writer.run(
    `UPDATE memory_changes SET fields = told.value ->> 2 FROM json_each(:rows) AS told
     WHERE memory_key = told.value ->> 0 AND number = told.value ->> 1`,
    { rows: JSON.stringify(rows) },
  );
}
