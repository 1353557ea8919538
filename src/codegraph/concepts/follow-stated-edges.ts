import { parseNodeId } from "../../base/ids/ids.js";
import type { Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import type { Moves } from "../tree/news-queries.js";

/**
 * Lets what was stated of code follow it where it went, both ends of each edge. What another work tree still has where it was
 * is in both places. Every end is looked up as it was before all moves, so that two files may change places.
 */
export async function followStatedEdges(
  writer: Writer,
  tree: Tree,
  { files, symbols }: Moves,
  keepOld: (place: string) => boolean,
): Promise<void> {
  const moves = new Map([...files, ...symbols].filter(({ from, to }) => from !== to).map(({ from, to }) => [from, to]));
  if (moves.size === 0) return;
  const rows = await writer.rows(
    `SELECT m.project_number, m.from_id, m.kind, m.to_id, m.source, m.confidence, m.made_at
     FROM code_trees AS t CROSS JOIN code_meanings AS m ON m.project_number = t.project_number
     WHERE t.number = :tree`,
    { tree: tree.number },
  );
  const [gone, come]: [unknown[], unknown[]] = [[], []];
  for (const row of rows) {
    const [from, to] = [whereIs(String(row["from_id"]), moves), whereIs(String(row["to_id"]), moves)];
    if (!from.moved && !to.moved) continue;
    const { kind, source, confidence, made_at: madeAt } = row;
    if (![from, to].some(({ moved }) => moved !== undefined && keepOld(moved))) {
      gone.push([row["from_id"], kind, row["to_id"]]);
    }
    come.push([from.now, kind, to.now, source, confidence, madeAt]);
  }
  if (come.length === 0) return;
  const project = Number(rows[0]?.["project_number"]);
  await writer.run(
    `DELETE FROM code_meanings WHERE project_number = :project AND (from_id, kind, to_id) IN
       (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(:gone))`,
    { project, gone: JSON.stringify(gone) },
  );
  await writer.run(
    `INSERT INTO code_meanings (project_number, from_id, kind, to_id, source, confidence, made_at)
     SELECT :project, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5
     FROM json_each(:come) WHERE true
     ON CONFLICT DO NOTHING`,
    { project, come: JSON.stringify(come) },
  );
}

/** Where a node is now, and what moved to take it there: the method by itself, then its class, then the file. */
function whereIs(id: string, moves: ReadonlyMap<string, string>): { now: string; moved?: string } {
  const { file, symbol } = parseNodeId(id);
  for (let end = symbol.length; end > 0; end = symbol.lastIndexOf(".", end - 1)) {
    const moved = `${file}#${symbol.slice(0, end)}`;
    const to = moves.get(moved);
    if (to !== undefined) return { now: to + symbol.slice(end), moved };
  }
  const to = moves.get(file);
  if (to === undefined) return { now: id };
  return { now: symbol === "" ? to : `${to}#${symbol}`, moved: file };
}
