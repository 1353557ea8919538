import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { Client, InStatement, Transaction } from "./client.js";
import { connect } from "./connect.js";
import { eraseTraces, markErasure } from "./erasure.js";
import { findDamage } from "./integrity.js";
import { migrate } from "./migrate.js";
import { migrations } from "./migrations.js";
import { Store } from "./storage.js";

describe("migrate", () => {
  it("[S7] refuses a database of a newer Tacit, and changes nothing", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const client = await connect({ kind: "file", path }, 1000);
    await migrate(client);
    await client.execute("INSERT INTO schema_migrations (number, name) VALUES (9999, 'from the future')");
    client.close();
    const store = new Store({ db: path, timeoutMs: 1000 });

    const refusal = store.read(async (reader) => reader.rows("SELECT 1"));

    await expect(refusal).rejects.toMatchObject({
      code: "store-newer",
      message: expect.stringContaining("newer Tacit"),
    });
    await store.close();
  });

  it.each([
    ["a table", "CREATE TABLE invoices (id INTEGER)"],
    ["a table of migrations of its own", "CREATE TABLE schema_migrations (version TEXT)"],
    ["only a view", "CREATE VIEW answer AS SELECT 42"],
    ["only a mark", "PRAGMA application_id = 252006675"],
  ])("[S7] refuses a database of another program with %s, and changes not one byte", async (_what, sql) => {
    const path = join(temporaryFolder(), "other.db");
    const client = createClient({ url: pathToFileURL(path).href });
    await client.execute(sql);
    client.close();
    const before = readFileSync(path);
    const store = new Store({ db: path, timeoutMs: 1000 });

    for (const attempt of [() => store.read(async () => 1), () => store.write(async () => 1)]) {
      await expect(attempt()).rejects.toMatchObject({ code: "store-foreign" });
    }

    await store.close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("[S12] sends no local pragma to a server", async () => {
    const sent: string[] = [];
    const store = new Store({
      db: "libsql://memory.example.com",
      timeoutMs: 1000,
      connect: () => listeningClient(sent),
    });

    await store.write(async (writer) => markErasure(writer));
    const erased = await eraseTraces(store);
    await store.read(async (reader) => reader.rows("SELECT 1"));
    const damage = await findDamage(store);
    await store.close();

    expect(erased).toBe("server");
    expect(damage).toEqual([]);
    expect(sent.length).toBeGreaterThan(migrations.flatMap(({ statements }) => statements).length);
    expect(sent.filter((sql) => /\bPRAGMA\b|VACUUM|journal|secure_delete/i.test(sql))).toEqual([]);
  });
});

/** A real database that notes every statement on its way in. */
async function listeningClient(sent: string[]): Promise<Client> {
  const note = (statement: InStatement) => sent.push(typeof statement === "string" ? statement : statement.sql);
  const client = await connect({ kind: "memory" }, 1000);
  const listening = <T extends Client | Transaction>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        if (name === "execute") return (statement: InStatement) => (note(statement), target.execute(statement));
        if (name === "batch") {
          return (statements: InStatement[]) => (statements.forEach(note), (target as Transaction).batch(statements));
        }
        if (name === "transaction") return async () => listening(await (target as Client).transaction("write"));
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  return listening(client);
}
