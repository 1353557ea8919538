import type { ResultSet } from "@libsql/client";
import { MemoryError } from "../base/memory-error.js";

/** Refuses a database that holds anything and is not ours. An empty one may become ours. */
export async function refuseForeign(execute: (sql: string) => Promise<ResultSet>): Promise<void> {
  const { rows: things } = await execute("SELECT name FROM sqlite_master");
  if (things.length === 0) {
    // Some programs mark a database before they create their first table.
    for (const mark of ["application_id", "user_version"]) {
      const { rows } = await execute(`PRAGMA ${mark}`);
      if (Number(rows[0]?.[mark] ?? 0) !== 0) throw foreign();
    }
    return;
  }
  // Others have a table of this name too, with columns of their own.
  const { rows: columns } = await execute("SELECT name FROM pragma_table_info('schema_migrations') ORDER BY name");
  if (JSON.stringify(columns.map((row) => row["name"])) !== '["name","number"]') throw foreign();
}

function foreign(): MemoryError {
  return new MemoryError(
    "store-foreign",
    "This database belongs to another program.",
    "Nothing was changed. Name a file of its own for Tacit with --db.",
  );
}
