import type { Answer } from "./client.js";
import type { Row, SqlArgs } from "./storage.js";

/** Runs one statement on a connection or in a transaction. */
export type Execute = (sql: string, args: SqlArgs) => Promise<Answer>;

/**
 * Reads rows of a local database as bytes, and decodes them here: libSQL ends the whole process where a text is not UTF-8
 * (tursodatabase/libsql 1223), and one flipped bit on a disk is enough for that. What cannot be decoded reads as U+FFFD;
 * `findUnreadable` names it.
 */
export async function readRows(execute: Execute, sql: string, args: SqlArgs): Promise<Row[]> {
  if (!isQuery(sql)) return rowsOf(await execute(sql, args));
  const { query, isWide } = safeQueries.get(sql) ?? (await prepare(execute, sql, args));
  const rows = rowsOf(await execute(query, args)) as Record<string, string | number | null | ArrayBuffer>[];
  if (isWide) return rows.map((row) => JSON.parse(decode(row["row"] as ArrayBuffer)) as Row);
  for (const row of rows) {
    for (const column in row) {
      const value = row[column];
      if (value instanceof ArrayBuffer) row[column] = decode(value);
    }
  }
  return rows as Row[];
}

/** No column of ours that is read holds anything but text, numbers and NULL. */
export function rowsOf(result: Answer): Row[] {
  return result.rows as unknown as Row[];
}

interface SafeQuery {
  query: string;
  /** The row arrives as one JSON object. */
  isWide: boolean;
}

const safeQueries = new Map<string, SafeQuery>();
// SQLite's functions take 127 arguments, and json_object() two for each column.
const maxJsonColumns = 63;
// The product has about 400 queries; some are put together of parts, and nobody should pay for those for ever.
const maxQueries = 2000;

// What returns rows and is no query writes, and returns numbers or what it was just given.
function isQuery(sql: string): boolean {
  return /^\s*(?:SELECT|WITH)\b/i.test(sql) && !/\bRETURNING\b/i.test(sql);
}

async function prepare(execute: Execute, sql: string, args: SqlArgs): Promise<SafeQuery> {
  const { columns } = await execute(`SELECT * FROM (${sql}\n) LIMIT 0`, args);
  // Wide rows are faster as one value than as many: 2,000 rows of 22 columns took 28 ms plain, 64 ms as a blob for each
  // text, and 21 ms as one JSON object; 1,000 memories of 8 columns, one of them long, 14.6 ms as blobs and 13.6 as
  // JSON. A long text alone is faster as it is, because JSON has to escape it (2026-11).
  const isWide = columns.length > 6 && columns.length <= maxJsonColumns;
  const selected = isWide
    ? `CAST(json_object(${columns.map((name) => `${quoted(name, "'")}, ${jsonValue(quoted(name, '"'))}`).join(", ")}) AS BLOB) AS row`
    : columns.map((name) => `${bytesOf(quoted(name, '"'))} AS ${quoted(name, '"')}`).join(", ");
  const safe = { query: `SELECT ${selected} FROM (${sql}\n)`, isWide };
  if (safeQueries.size >= maxQueries) safeQueries.clear();
  safeQueries.set(sql, safe);
  return safe;
}

// Damage can turn a text into a blob as well.
function bytesOf(column: string): string {
  return `iif(typeof(${column}) IN ('text', 'blob'), CAST(${column} AS BLOB), ${column})`;
}

// JSON has 15 digits of a REAL unless it is told all 17, and no infinity. A text that a JSON function made would become a
// part of the JSON; joined to nothing it is a text like any other.
function jsonValue(column: string): string {
  return `CASE typeof(${column}) WHEN 'text' THEN ${column} || ''
    WHEN 'real' THEN iif(abs(${column}) < 9e999, json(printf('%!.17g', ${column})), NULL)
    WHEN 'blob' THEN CAST(${column} AS TEXT) || '' ELSE ${column} END`;
}

function decode(bytes: ArrayBuffer): string {
  return Buffer.from(bytes).toString("utf8");
}

function quoted(name: string, quote: string): string {
  return `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}
