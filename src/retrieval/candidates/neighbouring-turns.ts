import type { Reader } from "../../storage/storage.js";

/** The turns beside one, in its session: nearest first, at most two on each side. */
export interface NeighbouringTurns {
  before: number[];
  after: number[];
}

/**
 * What was said just before and after each of these in the same session, by time. The answer has the neighbours, too, with
 * those of theirs that it knows.
 */
export async function listBeside(reader: Reader, keys: number[]): Promise<Map<number, NeighbouringTurns>> {
  const turn = (compare: "<" | ">", order: "DESC" | "ASC", offset: number) =>
    `(SELECT n.key FROM memories AS n
      WHERE n.project_number = m.project_number AND n.session_id = m.session_id
        AND (n.created_at, n.key) ${compare} (m.created_at, m.key)
        AND n.type = 'conversation' AND n.forgotten_at IS NULL
      ORDER BY n.created_at ${order}, n.key ${order} LIMIT 1 OFFSET ${offset})`;
  const stretch = [turn("<", "DESC", 1), turn("<", "DESC", 0), "m.key", turn(">", "ASC", 0), turn(">", "ASC", 1)];
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(${stretch.join(", ")})) AS stretches
     FROM json_each(:keys) AS k CROSS JOIN memories AS m ON m.key = k.value`,
    { keys: JSON.stringify(keys) },
  );
  return join(JSON.parse(String(row?.["stretches"] ?? "[]")) as (number | null)[][]);
}

/** Stretches of a session overlap: together they tell of every turn in them what stands next to it. */
function join(stretches: (number | null)[][]): Map<number, NeighbouringTurns> {
  const next = new Map<number, number>();
  const previous = new Map<number, number>();
  const turns = new Set<number>();
  for (const stretch of stretches) {
    const known = stretch.filter((key) => key !== null);
    known.forEach((key, index) => {
      turns.add(key);
      const following = known[index + 1];
      if (following === undefined) return;
      next.set(key, following);
      previous.set(following, key);
    });
  }
  const twoFrom = (key: number, step: ReadonlyMap<number, number>) => {
    const one = step.get(key);
    const two = one === undefined ? undefined : step.get(one);
    return [one, two].filter((other) => other !== undefined);
  };
  return new Map([...turns].map((key) => [key, { before: twoFrom(key, previous), after: twoFrom(key, next) }]));
}
