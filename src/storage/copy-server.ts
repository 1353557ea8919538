import { closeSync, openSync } from "node:fs";
import type { Client, InStatement, InValue } from "./client.js";
import { endTransaction } from "./end-transaction.js";
import { openLocalClient } from "./local-client.js";
import { migrate } from "./migrate.js";
import type { Reader, Row, Store } from "./storage.js";

/** Copies all that a server holds, as of one moment, into a new local file, while others go on writing there. */
export async function copyServer(store: Store, file: string): Promise<void> {
  // Before SQLite does, which would let everybody read it.
  closeSync(openSync(file, "wx", 0o600));
  // The file is attached to a database in memory, because DETACH closes a file. close() leaves that to the garbage
  // collector (libsql-js 228, 230), and until then Windows gives the copy no other name.
  const client = openLocalClient(":memory:", store.timeoutMs);
  try {
    await migrate(client);
    await client.execute({ sql: "VACUUM INTO :file", args: { file } });
    await client.execute({ sql: "ATTACH :file AS copy", args: { file } });
    const tables = await listTables(client);
    await store.snapshot(async (reader) => fill(client, tables, reader));
  } finally {
    // Fails where nothing was attached; what went wrong before that is what counts.
    await client.execute("DETACH copy").catch(() => undefined);
    client.close();
  }
}

interface Table {
  name: string;
  columns: string[];
  order: string;
}

/** The tables whose rows are the store; what SQLite derives from them by itself is not among them. */
async function listTables(client: Client): Promise<Table[]> {
  const { rows } = await client.execute(
    `SELECT t.name,
       (SELECT json_group_array(c.name) FROM pragma_table_info(t.name) AS c) AS columns,
       (SELECT json_group_array(k.name) FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk) AS k)
         AS keys
     FROM pragma_table_list AS t JOIN sqlite_master AS m ON m.name = t.name
     WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') AND m.sql NOT LIKE '%USING fts5vocab%'`,
  );
  return (rows as unknown as { name: string; columns: string; keys: string }[]).map((row) => {
    const columns = JSON.parse(row.columns) as string[];
    const keys = JSON.parse(row.keys) as string[];
    return keys.length > 0
      ? { name: row.name, columns, order: keys.join(", ") }
      : { name: row.name, columns: ["rowid", ...columns], order: "rowid" };
  });
}

async function fill(client: Client, tables: Table[], reader: Reader): Promise<void> {
  const transaction = await client.transaction("write");
  try {
    // Tables come in any order, and refer to each other.
    await transaction.execute("PRAGMA defer_foreign_keys = ON");
    for (const table of tables) {
      // What the migrations put there is on the server too.
      await transaction.execute(`DELETE FROM copy.${table.name}`);
      for await (const rows of pagesOf(reader, table)) {
        await transaction.batch(rows.map((row) => insertion(table, row)));
      }
    }
    await transaction.commit();
  } finally {
    await endTransaction(transaction);
  }
}

// A server refuses to send more than 10 MB at once (sqld, unless told otherwise), counted after its encoding.
const pageBytes = 2_000_000;

async function* pagesOf(reader: Reader, { name, columns, order }: Table): AsyncGenerator<Row[]> {
  const length = columns.map((column) => `40 + ifnull(length(CAST(${column} AS BLOB)), 0)`).join(" + ");
  const [longest] = await reader.rows(`SELECT max(${length}) AS bytes FROM ${name}`);
  const count = Math.ceil(pageBytes / Number(longest?.["bytes"] ?? pageBytes));
  for (let from = 0; ; from += count) {
    const rows = await reader.rows(
      `SELECT ${columns.join(", ")} FROM ${name} ORDER BY ${order} LIMIT :count OFFSET :from`,
      { count, from },
    );
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
  }
}

function insertion({ name, columns }: Table, row: Row): InStatement {
  const values = columns.map((_, index) => `?${index + 1}`).join(", ");
  return {
    sql: `INSERT INTO copy.${name} (${columns.join(", ")}) VALUES (${values})`,
    args: columns.map((column) => valueOf(row[column] ?? null)),
  };
}

/** Full text tables take no floating point number for a row's key. */
function valueOf(value: string | number | null): InValue {
  return Number.isInteger(value) ? BigInt(value as number) : value;
}
