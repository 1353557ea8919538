import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

/** What is called or lies otherwise now: files by path, symbols by id. */
export interface Moves {
  files: { from: string; to: string }[];
  symbols: { from: string; to: string }[];
}

/** Notes moves in the transaction that saw them: a process that is killed then leaves them for the next. */
export async function noteMoves(writer: Writer, tree: Tree, moves: Moves): Promise<void> {
  await writer.run("INSERT INTO code_moves (tree_number, moves) VALUES (:tree, :moves)", {
    tree: tree.number,
    moves: JSON.stringify(moves),
  });
}

/** The moves that were not followed yet, oldest first. */
export async function listMoves(reader: Reader, tree: Tree): Promise<{ number: number; moves: Moves }[]> {
  const rows = await reader.rows("SELECT number, moves FROM code_moves WHERE tree_number = :tree ORDER BY number", {
    tree: tree.number,
  });
  return rows.map((row) => ({ number: Number(row["number"]), moves: JSON.parse(String(row["moves"])) as Moves }));
}

export async function removeMoves(writer: Writer, number: number): Promise<void> {
  await writer.run("DELETE FROM code_moves WHERE number = :number", { number });
}
