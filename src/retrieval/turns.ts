import type { Reader } from "../storage/storage.js";

/** The turns beside one, in its session: nearest first, at most two on each side. */
export interface Beside {
  before: number[];
  after: number[];
}

/** What was said just before and after each of these in the same session, by time. */
export async function listBeside(reader: Reader, keys: number[]): Promise<Map<number, Beside>> {
  const turn = (direction: "before" | "after", offset: number) => {
    const [compare, order] = direction === "before" ? ["<", "DESC"] : [">", "ASC"];
    return `(SELECT n.key FROM memories AS n
       WHERE n.project_number = m.project_number AND n.session_id = m.session_id
         AND (n.created_at, n.key) ${compare} (m.created_at, m.key) AND n.forgotten_at IS NULL
       ORDER BY n.created_at ${order}, n.key ${order} LIMIT 1 OFFSET ${offset})`;
  };
  const rows = await reader.rows(
    `SELECT m.key, json_array(${turn("before", 0)}, ${turn("before", 1)}) AS before,
       json_array(${turn("after", 0)}, ${turn("after", 1)}) AS after
     FROM json_each(:keys) AS k CROSS JOIN memories AS m ON m.key = k.value`,
    { keys: JSON.stringify(keys) },
  );
  const keysOf = (value: unknown) => (JSON.parse(String(value)) as (number | null)[]).filter((key) => key !== null);
  return new Map(
    rows.map((row) => [Number(row["key"]), { before: keysOf(row["before"]), after: keysOf(row["after"]) }]),
  );
}
