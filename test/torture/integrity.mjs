// Looks at a database past Tacit, in a process of its own: runs the statements of `schema`, if any, then says whether
// SQLite finds it sound, and what it holds of memories by their ids.
import { createClient } from "@libsql/client/sqlite3";
import { pathToFileURL } from "node:url";
import { say, settings } from "./speak.mjs";

const { db, schema = [], ids = [] } = settings;
const client = createClient({ url: pathToFileURL(db).href });
for (const sql of schema) await client.execute(sql);
try {
  const { rows } = await client.execute("PRAGMA integrity_check");
  const findings = rows.map((row) => row.integrity_check);
  say({ sound: findings.length === 1 && findings[0] === "ok", findings });
} catch (error) {
  say({ sound: false, findings: [error.message] });
}
for (const id of ids) {
  try {
    const { rows } = await client.execute({ sql: "SELECT content FROM memories WHERE id = ?", args: [id] });
    say({ id, content: rows[0]?.content });
  } catch {
    // It lies in the damaged page.
  }
}
client.close();
