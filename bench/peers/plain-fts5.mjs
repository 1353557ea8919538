import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";

/** What one writes in an afternoon: a table of FTS5, all words of the question joined with OR, its own BM25. */
export async function openPlainFts5(folder, collection) {
  const client = createClient({ url: pathToFileURL(join(folder, `${collection}.db`)).href });
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute(
    `CREATE VIRTUAL TABLE IF NOT EXISTS plain USING fts5 (content, id UNINDEXED, tokenize = "porter unicode61")`,
  );
  return {
    async add(items) {
      const transaction = await client.transaction("write");
      for (const { id, text } of items) {
        await transaction.execute({
          sql: "INSERT INTO plain (content, id) VALUES (?, ?)",
          args: [text, JSON.stringify(id)],
        });
      }
      await transaction.commit();
    },
    async search(question, limit) {
      const match = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ");
      const sql = "SELECT id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?";
      return (await client.execute({ sql, args: [match, limit] })).rows.map((row) => JSON.parse(row.id));
    },
    close: async () => client.close(),
  };
}
