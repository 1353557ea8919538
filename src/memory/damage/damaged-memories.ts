import { findUnreadable, quarantineText, type DamagedText, type FoundText } from "../../storage/damaged-texts.js";
import { findDamage } from "../../storage/integrity.js";
import type { Reader, Store } from "../../storage/storage.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { hashOf } from "../record/hash-of.js";
import { noteChanges } from "../history/note-changes.js";
import { listByKeys } from "../read/memory-queries.js";
import { columnKinds, fieldOfColumn } from "../record/record-columns.js";
import { cite } from "../record/cite.js";
import { enumerated, fallbackJson, readJson } from "../record/sound-json.js";

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
  return (await list(reader)).map(toDamaged);
}

/** Whether a repair has more to do than to rebuild what is derived. */
export async function hasDamage(store: Store): Promise<boolean> {
  return (await findDamage(store)).length > 0 || (await store.snapshot(findDamagedTexts)).length > 0;
}

/**
 * Puts the bytes of damaged texts into quarantine and what is readable in their place. A memory that this happened to is
 * flagged: nobody is told of it until a person has looked at it.
 */
export async function quarantineDamage(writer: MemoryWriter, now: Date): Promise<DamagedMemoryText[]> {
  // An index still has the text as it was, and SQLite changes no row that its indexes do not know.
  await writer.run("REINDEX");
  const found = await list(writer);
  for (const text of found) {
    const whose = text.key === undefined ? {} : { memoryKey: text.key };
    await quarantineText(writer, text, { at: now.toISOString(), keepRow: text.table === "memories", ...whose });
  }
  for (const [key, columns] of columnsByMemory(found)) await flagDamaged(writer, key, columns, now);
  return found.map(toDamaged);
}

/** What was damaged of each memory itself, but for what its content gives again. */
function columnsByMemory(found: readonly FoundMemoryText[]): Map<number, string[]> {
  const columns = new Map<number, string[]>();
  for (const { table, key, column } of found) {
    if (key !== undefined && table === "memories" && column !== "citation_text")
      columns.set(key, [...(columns.get(key) ?? []), column]);
  }
  return columns;
}

function toDamaged({ table, row, column, memory }: FoundMemoryText): DamagedMemoryText {
  return { table, row, column, ...(memory !== undefined && { memory }) };
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

/**
 * A list with a damaged word in it is still a list, a citation is made of the content again, and what decides about trust becomes
 * what allows least.
 */
async function readableIn(reader: Reader, found: FoundText): Promise<string | undefined> {
  const { table, column, where, args, readable = "" } = found;
  if (table === "memory_changes" && column === "fields") return JSON.stringify(readJson(column, readable));
  if (table !== "memories") return readable;
  // Where a damaged id leads to, nobody knows.
  if (column === "superseded_by") return undefined;
  if (columnKinds[column] === "json") return withoutNull(JSON.stringify(readJson(column, readable)));
  const known = enumerated[column];
  if (known !== undefined) return known.includes(readable) ? readable : known[0];
  if (column !== "citation_text") return readable;
  const [row] = await reader.rows(`SELECT content FROM memories WHERE ${where}`, args);
  return cite(String(row?.["content"]));
}

async function ownerOf(reader: Reader, { table, where, args }: FoundText): Promise<{ memory?: string; key?: number }> {
  const [known] = await reader.rows(
    "SELECT json_group_array(name) AS names FROM pragma_table_info(:table) WHERE name IN ('memory_key', 'memory_id')",
    { table },
  );
  const [column = table === "memories" ? "key" : undefined] = JSON.parse(String(known?.["names"])) as string[];
  if (column === undefined) return {};
  const by = column === "memory_id" ? "id" : "key";
  const [row] = await reader.rows(
    `SELECT key, id FROM memories WHERE ${by} = (SELECT ${column} FROM ${table} WHERE ${where})`,
    args,
  );
  return row ? { memory: String(row["id"]), key: Number(row["key"]) } : {};
}

// A memory may hold 64 KiB.
const pageRows = 250;

/** Texts that decode, and yet are not what was written. */
async function listUntrue(reader: Reader): Promise<FoundMemoryText[]> {
  const jsonColumns = Object.keys(columnKinds).filter((column) => columnKinds[column] === "json");
  const unknown = Object.entries(enumerated).map(
    ([column, values]) => `iif(${column} IN (${values.map((value) => `'${value}'`).join(", ")}), NULL, '${column}')`,
  );
  const broken = [
    ...jsonColumns.map(
      (column) => `CASE WHEN ${column} IS NULL OR ${isOfItsKind(column)} THEN NULL ELSE '${column}' END`,
    ),
    ...unknown,
  ];
  const found: FoundMemoryText[] = await listBrokenSteps(reader);
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
        isKey: false,
      };
      const content = String(row["content"]);
      if (hashOf(content) !== row["content_hash"]) found.push({ ...place, column: "content", readable: content });
      for (const column of JSON.parse(String(row["broken"])) as (string | null)[]) {
        if (column !== null) found.push({ ...place, column, readable: instead(column) });
      }
    }
    const last = Number(rows.at(-1)?.["key"] ?? 0);
    // Keys that do not rise are damage of the pages, which SQLite finds itself.
    if (rows.length < pageRows || last <= after) return found;
    after = last;
  }
}

function instead(column: string): string | undefined {
  return enumerated[column]?.[0] ?? withoutNull(fallbackJson(column));
}

/** What a memory need not have is absent in its row, too. */
function withoutNull(json: string): string | undefined {
  return json === "null" ? undefined : json;
}

function isOfItsKind(column: string): string {
  const type = fallbackJson(column).startsWith("[") ? "array" : "object";
  return `(json_valid(${column}) AND json_type(${column}) = '${type}')`;
}

/** Steps of histories whose fields are no JSON any more. */
async function listBrokenSteps(reader: Reader): Promise<FoundMemoryText[]> {
  const rows = await reader.rows(
    `SELECT c.memory_key, c.number, m.id FROM memory_changes AS c JOIN memories AS m ON m.key = c.memory_key
     WHERE NOT json_valid(c.fields)`,
  );
  return rows.map((row) => ({
    table: "memory_changes",
    row: `${row["memory_key"]} ${row["number"]}`,
    column: "fields",
    where: "memory_key = :key AND number = :number",
    args: { key: BigInt(Number(row["memory_key"])), number: BigInt(Number(row["number"])) },
    readable: fallbackJson("fields"),
    isKey: false,
    memory: String(row["id"]),
    key: Number(row["memory_key"]),
  }));
}

async function flagDamaged(writer: MemoryWriter, key: number, columns: string[], now: Date): Promise<void> {
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
         uses_since_correction = 0, updated_at = :at
       WHERE key = :key`,
      {
        key: BigInt(key),
        hash: hashOf(String(row["content"])),
        reason: `The disk damaged its ${parts}. Correct it, or verify it as it is.`,
        at: now.toISOString(),
      },
    ),
  );
  // No step of history, since nobody wrote it; but what follows from a text follows from this one now.
  const damaged = columns.flatMap((column) => fieldOfColumn(column) ?? []);
  for (const { record } of await listByKeys(writer, project, [key], now)) {
    writer.changes.changed(project, key, record, damaged);
  }
}
