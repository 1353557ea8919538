import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import type { Seen } from "./apply-files.js";

/** What is called or lies otherwise now: files by path, symbols by id. */
export interface Moves {
  files: { from: string; to: string }[];
  symbols: { from: string; to: string }[];
}

/** Keeps what a part of an indexing has seen, for the part that tells what has moved. */
export async function keepSeen(writer: Writer, tree: Tree, seen: Seen): Promise<void> {
  await writer.run("INSERT INTO code_sightings (tree_number, seen) VALUES (:tree, :seen)", {
    tree: tree.number,
    seen: JSON.stringify(seen),
  });
}

/** Everything that was seen since somebody last took it, also by an indexing that was stopped. */
export async function takeSeen(writer: Writer, tree: Tree): Promise<Seen> {
  const rows = await writer.rows("SELECT seen FROM code_sightings WHERE tree_number = :tree ORDER BY number", {
    tree: tree.number,
  });
  await writer.run("DELETE FROM code_sightings WHERE tree_number = :tree", { tree: tree.number });
  const parts = rows.map((row) => JSON.parse(String(row["seen"])) as Seen);
  return {
    goneFiles: parts.flatMap(({ goneFiles }) => goneFiles),
    newFiles: parts.flatMap(({ newFiles }) => newFiles),
    goneSymbols: parts.flatMap(({ goneSymbols }) => goneSymbols),
    newSymbols: parts.flatMap(({ newSymbols }) => newSymbols),
  };
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
