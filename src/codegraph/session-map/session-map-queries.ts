import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

/** The map of a tree as it was drawn for the start of a session. */
export interface StoredMap {
  text: string;
  /** Of so many tokens at most. */
  budgetTokens: number;
  /** How often an indexing had written then. */
  writes: number;
  madeAt: string;
}

export async function findStoredMap(reader: Reader, tree: Tree): Promise<StoredMap | undefined> {
  const [row] = await reader.rows(
    "SELECT text, budget_tokens, writes, made_at FROM code_maps WHERE tree_number = :tree",
    { tree: tree.number },
  );
  if (!row) return undefined;
  return {
    text: String(row["text"]),
    budgetTokens: Number(row["budget_tokens"]),
    writes: Number(row["writes"]),
    madeAt: String(row["made_at"]),
  };
}

/** Keeps a map in the place of the one before. A tree that is gone has none. */
export async function storeMap(
  writer: Writer,
  tree: Tree,
  { text, budgetTokens, writes, madeAt }: StoredMap,
): Promise<void> {
  await writer.run(
    `INSERT INTO code_maps (tree_number, text, budget_tokens, writes, made_at)
     SELECT number, :text, :budgetTokens, :writes, :madeAt FROM code_trees WHERE number = :tree
     ON CONFLICT (tree_number) DO UPDATE SET text = excluded.text, budget_tokens = excluded.budget_tokens,
       writes = excluded.writes, made_at = excluded.made_at`,
    { tree: tree.number, text, budgetTokens, writes, madeAt },
  );
}
