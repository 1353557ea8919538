import type { Store } from "./storage.js";

/** What SQLite finds wrong with the database, its links and its full text index; empty when all is well. */
export async function findDamage(store: Store): Promise<string[]> {
  return store.read(async (reader) => {
    const pages = await reader.rows("PRAGMA integrity_check(20)");
    const links = await reader.rows("PRAGMA foreign_key_check");
    return [
      ...pages.map((row) => String(row["integrity_check"])).filter((finding) => finding !== "ok"),
      ...links.map((row) => `a row of ${String(row["table"])} points to a missing row of ${String(row["parent"])}`),
    ];
  });
}
