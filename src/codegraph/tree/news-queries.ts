import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import type { SymbolKey } from "../history/find-moved-symbols.js";

/** What is called or lies otherwise now: files by path, symbols by id. */
export interface Moves {
  files: { from: string; to: string }[];
  symbols: { from: string; to: string }[];
}

/** What an indexing has done, for whatever hangs on the code: it is to follow. */
export interface News extends Moves {
  /** Files whose symbols may be others now; absent: none. */
  changed?: string[] | "all";
  removed?: string[];
}

/** What an indexing has seen so far, for telling what has moved. */
export interface Sightings {
  goneFiles: { path: string; hash: string }[];
  newFiles: { path: string; hash: string }[];
  goneSymbols: SymbolKey[];
  newSymbols: SymbolKey[];
  changed: string[];
}

/** Keeps what a part of an indexing has seen, for the part that tells what has moved. */
export async function storeSightings(writer: Writer, tree: Tree, seen: Sightings): Promise<void> {
  await writer.run("INSERT INTO code_sightings (tree_number, seen) VALUES (:tree, :seen)", {
    tree: tree.number,
    seen: JSON.stringify(seen),
  });
}

/** Everything that was seen since somebody last took it, also by an indexing that was stopped. */
export async function takeSightings(writer: Writer, tree: Tree): Promise<Sightings> {
  const rows = await writer.rows("SELECT seen FROM code_sightings WHERE tree_number = :tree ORDER BY number", {
    tree: tree.number,
  });
  await writer.run("DELETE FROM code_sightings WHERE tree_number = :tree", { tree: tree.number });
  const parts = rows.map((row) => JSON.parse(String(row["seen"])) as Sightings);
  return {
    goneFiles: parts.flatMap(({ goneFiles }) => goneFiles),
    newFiles: parts.flatMap(({ newFiles }) => newFiles),
    goneSymbols: parts.flatMap(({ goneSymbols }) => goneSymbols),
    newSymbols: parts.flatMap(({ newSymbols }) => newSymbols),
    changed: parts.flatMap(({ changed }) => changed),
  };
}

/** Notes news in the transaction that makes them: a process that is killed then leaves them for the next. */
export async function noteNews(writer: Writer, tree: Tree, news: News): Promise<void> {
  await writer.run("INSERT INTO code_news (tree_number, news) VALUES (:tree, :news)", {
    tree: tree.number,
    news: JSON.stringify(news),
  });
}

/** The news that nobody has followed yet, oldest first. */
export async function listNews(reader: Reader, tree: Tree): Promise<{ number: number; news: News }[]> {
  const rows = await reader.rows("SELECT number, news FROM code_news WHERE tree_number = :tree ORDER BY number", {
    tree: tree.number,
  });
  return rows.map((row) => ({ number: Number(row["number"]), news: JSON.parse(String(row["news"])) as News }));
}

/** Tells whether they were still there: of two that follow the same news, one takes them away. */
export async function removeNews(writer: Writer, number: number): Promise<boolean> {
  return (await writer.run("DELETE FROM code_news WHERE number = :number", { number })) > 0;
}
