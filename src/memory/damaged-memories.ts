import { findUnreadable, quarantineText, type DamagedText, type FoundText } from "../storage/damaged-texts.js";
import type { Reader, Writer } from "../storage/storage.js";
import { hashOf } from "./hash-of.js";
import { noteChanges } from "./history.js";
import { columnKinds } from "./memory-record.js";
import { cite } from "./prepare-memory.js";
import { jsonInstead, readJson } from "./sound-json.js";

/** A damaged text, and the memory that it belongs to. */
export interface DamagedMemoryText extends DamagedText {
  /** The memory's id. */
  memory?: string;
}

/**
 * Every text of the store that is not as it was written: what is not UTF-8, what should be JSON and is not, and contents
 * that do not fit their hash. A flipped bit that leaves another tag or name cannot be known.
 */
export async function findDamagedTexts(reader: Reader): Promise<DamagedMemoryText[]> {
  return (await list(reader)).map(({ table, row, column, memory }) => ({
    table,
    row,
    column,
    ...(memory !== undefined && { memory }),
  }));
}

/**
 * Puts the bytes of damaged texts into quarantine and what is readable in their place. A memory that this happened to is
 * flagged: nobody is told of it until a person has looked at it.
 */
export async function quarantineDamage(writer: Writer, now: Date): Promise<DamagedMemoryText[]> {
  // An index still has the text as it was, and SQLite changes no row that its indexes do not know.
  await writer.run("REINDEX");
  const found = await list(writer);
  for (const text of found) {
    const whose = text.key === undefined ? {} : { memoryKey: text.key };
    await quarantineText(writer, text, { at: now.toISOString(), ...whose });
  }
  for (const [key, columns] of columnsByMemory(found)) await flagDamaged(writer, key, columns, now);
  return found;
}

/** What was damaged of each memory, but for what its content gives again. */
function columnsByMemory(found: readonly FoundMemoryText[]): Map<number, string[]> {
  const columns = new Map<number, string[]>();
  for (const { key, column } of found) {
    if (key !== undefined && column !== "citation_text") columns.set(key, [...(columns.get(key) ?? []), column]);
  }
  return columns;
}

interface FoundMemoryText extends FoundText {
  memory?: string;
  /** Of the memory. */
  key?: number;
}

async function list(reader: Reader): Promise<FoundMemoryText[]> {
  const unreadable = await Promise.all(
    (await findUnreadable(reader)).map(async (text) => ({ ...text, ...(await ownerOf(reader, text)) })),
  );
  const known = new Set(unreadable.map(({ table, row, column }) => `${table} ${row} ${column}`));
  const untrue = await listUntrue(reader);
  return [
    ...(await Promise.all(unreadable.map(async (text) => ({ ...text, readable: await readableIn(reader, text) })))),
    ...untrue.filter(({ table, row, column }) => !known.has(`${table} ${row} ${column}`)),
  ];
}

/** A list with a damaged word in it is still a list, and a citation is made of the content again. */
async function readableIn(reader: Reader, { table, column, where, args, readable }: FoundText): Promise<string> {
  if (table !== "memories") return readable;
  if (columnKinds[column] === "json") return JSON.stringify(readJson(column, readable));
  if (column !== "citation_text") return readable;
  const [row] = await reader.rows(`SELECT content FROM memories WHERE ${where}`, args);
  return cite(String(row?.["content"]));
}

async function ownerOf(reader: Reader, { table, where, args }: FoundText): Promise<{ memory?: string; key?: number }> {
  const owner = owners[table];
  if (owner === undefined) return {};
  const [row] = await reader.rows(
    `SELECT key, id FROM memories WHERE key = (SELECT ${owner} FROM ${table} WHERE ${where})`,
    args,
  );
  return row ? { memory: String(row["id"]), key: Number(row["key"]) } : {};
}

const owners: Record<string, string> = {
  memories: "key",
  memory_names: "memory_key",
  memory_relations: "memory_key",
  memory_changes: "memory_key",
};

// A memory may hold 64 KiB.
const pageRows = 250;

/** Texts that decode, and yet are not what was written. */
async function listUntrue(reader: Reader): Promise<FoundMemoryText[]> {
  const jsonColumns = Object.keys(columnKinds).filter((column) => columnKinds[column] === "json");
  const broken = jsonColumns.map((column) => `iif(ifnull(json_valid(${column}), 1), NULL, '${column}')`);
  const found: FoundMemoryText[] = [];
  for (let after = 0; ;) {
    const rows = await reader.rows(
      `SELECT key, id, content, content_hash, json_array(${broken.join(", ")}) AS broken
       FROM memories WHERE key > :after ORDER BY key LIMIT ${pageRows}`,
      { after: BigInt(after) },
    );
    for (const row of rows) {
      const key = Number(row["key"]);
      const place = {
        table: "memories",
        row: String(key),
        where: "rowid = :key",
        args: { key: BigInt(key) },
        memory: String(row["id"]),
        key,
      };
      const content = String(row["content"]);
      if (hashOf(content) !== row["content_hash"]) found.push({ ...place, column: "content", readable: content });
      for (const column of JSON.parse(String(row["broken"])) as (string | null)[]) {
        if (column !== null) found.push({ ...place, column, readable: jsonInstead(column) });
      }
    }
    const last = Number(rows.at(-1)?.["key"] ?? 0);
    // Keys that do not rise are damage of the pages, which SQLite finds itself.
    if (rows.length < pageRows || last <= after) return found;
    after = last;
  }
}

async function flagDamaged(writer: Writer, key: number, columns: string[], now: Date): Promise<void> {
  const [row] = await writer.rows(
    `SELECT m.content, p.number, p.id, p.name FROM memories AS m JOIN projects AS p ON p.number = m.project_number
     WHERE m.key = :key`,
    { key: BigInt(key) },
  );
  if (!row) return;
  const project = { number: Number(row["number"]), id: String(row["id"]), name: String(row["name"]) };
  const parts = columns.map((column) => column.replaceAll("_", " ")).join(" and ");
  await noteChanges(writer, project, { verb: "flagged", keys: [key], now }, async () =>
    writer.run(
      `UPDATE memories SET content_hash = :hash, user_verified = 0, review_state = 'flagged', review_reason = :reason,
         updated_at = :at
       WHERE key = :key`,
      {
        key: BigInt(key),
        hash: hashOf(String(row["content"])),
        reason: `The disk damaged its ${parts}. Correct it, or verify it as it is.`,
        at: now.toISOString(),
      },
    ),
  );
}
