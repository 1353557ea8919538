import type { Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { pagesOf } from "../tree/pages-of.js";
import type { ChunkRow } from "./chunks-of.js";

/** A file and all that it consists of now. */
export interface FileChunks {
  /** Of its row in code_files. */
  number: number;
  chunks: readonly ChunkRow[];
}

/** The first and the last number that a chunk of this tree can have. */
export function numbersOf({ number }: Tree): { first: bigint; last: bigint } {
  const first = BigInt(number) << 32n;
  return { first, last: first + 0xffffffffn };
}

/**
 * Puts the chunks of files in the place of those they had, in the caller's transaction. A chunk that says what it said, be
 * it on other lines, keeps its number and its vector.
 *
 * Many files at once: one statement a table, because the driver takes longer for a statement than SQLite for a row. 1,700
 * chunks of 312 files take 0.09 s of CPU, most of it for their words; file by file 0.22, row by row 0.17 (2026-11).
 */
export async function writeChunks(writer: Writer, tree: Tree, files: readonly FileChunks[]): Promise<void> {
  if (files.length === 0) return;
  const { gone, moved, added } = compare(await listKept(writer, files), files);
  await remove(writer, gone);
  await move(writer, moved);
  let number = await nextNumber(writer, tree);
  for (const page of pagesOf(added, ({ chunk }) => chunk.words[0].length)) {
    await insert(writer, page, number);
    number += page.length;
  }
}

interface KeptRow {
  number: number;
  start: number;
  end: number;
}

/** What the store has of these files, by file and text. In order, so that the first of two that are alike stays the first. */
async function listKept(writer: Writer, files: readonly FileChunks[]): Promise<Map<string, KeptRow[]>> {
  const [row] = await writer.rows(
    `SELECT json_group_array(json_array(file_number, text_hash, number, start_line, end_line)) AS kept
     FROM (SELECT c.file_number, c.text_hash, c.number, c.start_line, c.end_line
       FROM json_each(:files) AS f CROSS JOIN code_chunks AS c ON c.file_number = f.value
       ORDER BY c.file_number, c.start_line)`,
    { files: JSON.stringify(files.map(({ number }) => number)) },
  );
  const kept = new Map<string, KeptRow[]>();
  type Listed = [file: number, hash: string, number: number, start: number, end: number];
  for (const [file, hash, number, start, end] of JSON.parse(String(row?.["kept"] ?? "[]")) as Listed[]) {
    const key = keyOf(file, hash);
    const alike = kept.get(key);
    if (alike) alike.push({ number, start, end });
    else kept.set(key, [{ number, start, end }]);
  }
  return kept;
}

function keyOf(file: number, textHash: string): string {
  return `${file} ${textHash}`;
}

interface AddedChunk {
  file: number;
  chunk: ChunkRow;
}

interface Comparison {
  gone: number[];
  moved: [number: number, start: number, end: number][];
  added: AddedChunk[];
}

/** Takes from `kept` what stays; what is left of it is gone. */
function compare(kept: Map<string, KeptRow[]>, files: readonly FileChunks[]): Comparison {
  const moved: Comparison["moved"] = [];
  const added: AddedChunk[] = [];
  for (const { number: file, chunks } of files) {
    for (const chunk of chunks) {
      const known = kept.get(keyOf(file, chunk.textHash))?.shift();
      if (!known) added.push({ file, chunk });
      else if (known.start !== chunk.startLine || known.end !== chunk.endLine) {
        moved.push([known.number, chunk.startLine, chunk.endLine]);
      }
    }
  }
  return { gone: [...kept.values()].flat().map(({ number }) => number), moved, added };
}

/** A trigger takes their words, and a foreign key their vectors. */
async function remove(writer: Writer, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return;
  await writer.run("DELETE FROM code_chunks WHERE number IN (SELECT value FROM json_each(:numbers))", {
    numbers: JSON.stringify(numbers),
  });
}

async function move(writer: Writer, moved: Comparison["moved"]): Promise<void> {
  if (moved.length === 0) return;
  await writer.run(
    `UPDATE code_chunks SET start_line = moved.start_line, end_line = moved.end_line
     FROM (SELECT value ->> 0 AS number, value ->> 1 AS start_line, value ->> 2 AS end_line FROM json_each(:moved)) AS moved
     WHERE code_chunks.number = moved.number`,
    { moved: JSON.stringify(moved) },
  );
}

async function nextNumber(writer: Writer, tree: Tree): Promise<number> {
  const { first, last } = numbersOf(tree);
  const [row] = await writer.rows(
    "SELECT max(number) AS number FROM code_chunks WHERE number BETWEEN :first AND :last",
    {
      first,
      last,
    },
  );
  return Number(row?.["number"] ?? first) + 1;
}

async function insert(writer: Writer, added: readonly AddedChunk[], first: number): Promise<void> {
  await writer.run(
    `INSERT INTO code_chunks (number, file_number, type, name, start_line, end_line, text_hash)
     SELECT :first + key, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(:rows)`,
    {
      first: BigInt(first),
      rows: JSON.stringify(
        added.map(({ file, chunk: { type, name, startLine, endLine, textHash } }) => [
          file,
          type,
          name,
          startLine,
          endLine,
          textHash,
        ]),
      ),
    },
  );
  await writer.run(
    `INSERT INTO code_words (rowid, content, name, path)
     SELECT :first + key, value ->> 0, value ->> 1, value ->> 2 FROM json_each(:rows)`,
    { first: BigInt(first), rows: JSON.stringify(added.map(({ chunk }) => chunk.words)) },
  );
}
