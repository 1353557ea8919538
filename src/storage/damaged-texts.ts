import { isUtf8 } from "node:buffer";
import type { Reader, Row, SqlArgs, Writer } from "./storage.js";

/** A stored text whose bytes are not what was written. */
export interface DamagedText {
  table: string;
  /** The row's number, or its primary key. */
  row: string;
  column: string;
}

/** Where a damaged text stands, and what of it can still be read. */
export interface FoundText extends DamagedText {
  /** The row as a condition of SQL, with the arguments that it names. */
  where: string;
  args: SqlArgs;
  /** Undefined where nothing can stand in its place. */
  readable: string | undefined;
  /** Others lead to it by this column, or it leads to others. */
  isKey: boolean;
}

/** Every text of every table that is not UTF-8 any more. What is derived from other rows is rebuilt from them, and not read. */
export async function findUnreadable(reader: Reader): Promise<FoundText[]> {
  const found: FoundText[] = [];
  for (const table of await listTables(reader)) {
    for await (const row of rowsWithDoubt(reader, table)) {
      for (const column of table.texts) found.push(...(await look(reader, table, row, column)));
    }
  }
  // Keys last: by them the others are found.
  return found.toSorted((a, b) => Number(a.isKey) - Number(b.isKey));
}

/**
 * Puts the bytes of a damaged text aside, and what is readable of it in their place. A name or a reference is of no use to anybody
 * if it is not whole: there the row goes. `keepRow` is for tables whose rows are worth more than that.
 */
export async function quarantineText(
  writer: Writer,
  { table, row, column, where, args, readable, isKey }: FoundText,
  found: { memoryKey?: number; at: string; keepRow: boolean },
): Promise<void> {
  await writer.run(
    `INSERT INTO quarantine (memory_key, table_name, row_name, column_name, bytes, found_at)
     SELECT :memory, :table, :row, :column, CAST(${column} AS BLOB), :at FROM ${table} WHERE ${where}`,
    { ...args, memory: found.memoryKey ?? null, table, row, column, at: found.at },
  );
  if (isKey && !found.keepRow) await writer.run(`DELETE FROM ${table} WHERE ${where}`, args);
  else
    await writer.run(`UPDATE OR IGNORE ${table} SET ${column} = :readable WHERE ${where}`, {
      ...args,
      readable: readable ?? null,
    });
}

interface Table {
  name: string;
  texts: string[];
  /** The columns of its primary key; of a table with row numbers, that number. */
  keys: string[];
  /** The columns by which its rows are told apart or lead to other rows. */
  references: string[];
}

async function listTables(reader: Reader): Promise<Table[]> {
  const rows = await reader.rows(
    `SELECT t.name, t.wr,
       (SELECT json_group_array(c.name) FROM pragma_table_info(t.name) AS c WHERE c.type = 'TEXT') AS texts,
       (SELECT json_group_array(k.name) FROM (SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 ORDER BY pk) AS k)
         AS keys,
       (SELECT json_group_array(f."from") FROM pragma_foreign_key_list(t.name) AS f) AS leading
     FROM pragma_table_list AS t
     WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%'
     ORDER BY t.name`,
  );
  return rows
    .map((row) => {
      const [texts = [], keys = [], leading = []] = ["texts", "keys", "leading"].map(
        (column) => JSON.parse(String(row[column])) as string[],
      );
      const references = [...keys, ...leading];
      return { name: String(row["name"]), texts, keys: row["wr"] === 1 ? keys : ["rowid"], references };
    })
    .filter(({ texts }) => texts.length > 0);
}

// A memory may hold 64 KiB. Rows without a number are short, and each page of them walks past those before it.
const pageRows = { numbered: 250, others: 5000 };

/** The rows in which something did not decode, is a blob, or did hold U+FFFD from the beginning. */
async function* rowsWithDoubt(reader: Reader, { name, texts, keys }: Table): AsyncGenerator<Row> {
  // By bytes and not by value: a damaged key cannot be bound as it is.
  const order = keys.join(", ");
  const named = keys.map((key, index) => `${key} AS key${index}, hex(CAST(${key} AS BLOB)) AS bytes${index}`);
  const isNumbered = order === "rowid";
  const limit = isNumbered ? pageRows.numbered : pageRows.others;
  const hasBlob = texts.map((text) => `typeof(${text}) = 'blob'`).join(" OR ");
  for (let from = 0; ;) {
    const rows = await reader.rows(
      `SELECT ${[...named, ...texts].join(", ")}, (${hasBlob}) AS has_blob FROM ${name} ${isNumbered ? "WHERE rowid > :from" : ""}
       ORDER BY ${order} LIMIT ${limit} ${isNumbered ? "" : "OFFSET :from"}`,
      { from: BigInt(from) },
    );
    yield* rows.filter(
      (row) => row["has_blob"] === 1 || texts.some((text) => String(row[text] ?? "").includes("\uFFFD")),
    );
    const next = isNumbered ? Number(rows.at(-1)?.["key0"]) : from + rows.length;
    // Numbers that do not rise are damage of the pages, which SQLite finds itself.
    if (rows.length < limit || next <= from) return;
    from = next;
  }
}

/** Asks for the bytes themselves: U+FFFD may be what somebody wrote. */
async function look(reader: Reader, table: Table, row: Row, column: string): Promise<FoundText[]> {
  const where = table.keys.map((key, index) => `hex(CAST(${key} AS BLOB)) = :bytes${index}`).join(" AND ");
  const args = Object.fromEntries(table.keys.map((_, index) => [`bytes${index}`, row[`bytes${index}`] ?? null]));
  const numbered = { where: "rowid = :key", args: { key: BigInt(Number(row["key0"])) } };
  const place = table.keys[0] === "rowid" ? numbered : { where, args };
  const [stored] = await reader.rows(
    `SELECT typeof(${column}) AS type, hex(CAST(${column} AS BLOB)) AS bytes FROM ${table.name} WHERE ${place.where}`,
    place.args,
  );
  const isSound = stored?.["type"] !== "blob" && isUtf8(Buffer.from(String(stored?.["bytes"] ?? ""), "hex"));
  if (isSound) return [];
  const name = table.keys.map((_, index) => String(row[`key${index}`])).join(" ");
  const isKey = table.references.includes(column);
  return [{ table: table.name, row: name, column, ...place, readable: String(row[column]), isKey }];
}
