import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import type { ChunkType } from "../chunks/cut-chunks.js";

/** The chunks of a tree that are of these types and in these files. */
export async function listFitting(
  reader: Reader,
  tree: Tree,
  { types, files }: { types?: readonly ChunkType[] | undefined; files?: readonly string[] | undefined },
): Promise<ReadonlySet<number>> {
  const conditions = ["f.tree_number = :tree"];
  if (types) conditions.push("c.type IN (SELECT value FROM json_each(:types))");
  if (files) {
    conditions.push(`EXISTS (SELECT 1 FROM json_each(:files) AS p
      WHERE p.value IN ('', f.path) OR substr(f.path, 1, length(p.value) + 1) = p.value || '/')`);
  }
  const [row] = await reader.rows(
    `SELECT json_group_array(c.number) AS numbers FROM code_files AS f CROSS JOIN code_chunks AS c ON c.file_number = f.number
     WHERE ${conditions.join(" AND ")}`,
    {
      tree: tree.number,
      ...(types && { types: JSON.stringify(types) }),
      ...(files && { files: JSON.stringify(files.map(withoutEnds)) }),
    },
  );
  return new Set(JSON.parse(String(row?.["numbers"] ?? "[]")) as number[]);
}

/** `./src/` is `src`, and `.` everything. */
function withoutEnds(path: string): string {
  return path
    .replaceAll("\\", "/")
    .replace(/^(?:\.(?:\/|$))+/, "")
    .replace(/\/+$/, "");
}

/** A chunk and where it is. */
export interface FoundChunk {
  file: string;
  startLine: number;
  endLine: number;
  type: ChunkType;
  name: string;
}

export async function listHits(reader: Reader, numbers: readonly number[]): Promise<Map<number, FoundChunk>> {
  const rows = await reader.rows(
    `SELECT c.number, f.path, c.start_line, c.end_line, c.type, c.name
     FROM json_each(:numbers) AS n CROSS JOIN code_chunks AS c ON c.number = n.value
     CROSS JOIN code_files AS f ON f.number = c.file_number`,
    { numbers: JSON.stringify(numbers) },
  );
  return new Map(
    rows.map((row) => [
      Number(row["number"]),
      {
        file: String(row["path"]),
        startLine: Number(row["start_line"]),
        endLine: Number(row["end_line"]),
        type: String(row["type"]) as ChunkType,
        name: String(row["name"]),
      },
    ]),
  );
}
