import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { describe, expect, it } from "vitest";
import { compiled, ended, runProgram, startProgram } from "../../test/child-process.js";
import { temporaryFolder } from "../../test/temporary-folder.js";
import type { Client, InStatement, Transaction } from "./client.js";
import { connect } from "./connect.js";
import { eraseTraces, markErasure } from "./erasure.js";
import { findDamage } from "./integrity.js";
import { migrate } from "./migrate.js";
import { migrations } from "./migrations.js";
import { Store } from "./storage.js";

describe("migrate", () => {
  it("[S6] is done once when ten processes open a new file at the same moment", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const at = Date.now() + 1500;

    const codes = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        ended(
          runProgram(`
            import { Store } from ${JSON.stringify(compiled("storage/storage.js"))};
            const store = new Store({ db: ${JSON.stringify(path)}, timeoutMs: 20_000 });
            while (Date.now() < ${at});
            await store.write((writer) => writer.run("INSERT INTO store_state (name, value) VALUES ('p${n}', 'test')"));
            await store.close();
          `),
        ),
      ),
    );

    const client = await connect({ kind: "file", path }, 1000);
    const applied = await client.execute("SELECT number FROM schema_migrations ORDER BY number");
    const states = await client.execute("SELECT count(*) AS n FROM store_state WHERE value = 'test'");
    client.close();
    expect(codes).toEqual(Array.from({ length: 10 }, () => 0));
    expect(applied.rows.map((row) => row["number"])).toEqual(migrations.map(({ number }) => number));
    expect(states.rows[0]?.["n"]).toBe(10);
  });

  it.each(
    migrations.flatMap(({ number, statements }) =>
      [0, 1, 5, statements.length - 1].map((after) => ({ number, after })),
    ),
  )("[S6] recovers from a kill inside migration $number after statement $after", async ({ number, after }) => {
    const path = join(temporaryFolder(), "memory.db");
    const victim = await startProgram(`
        import { connect } from ${JSON.stringify(compiled("storage/connect.js"))};
        import { migrate } from ${JSON.stringify(compiled("storage/migrate.js"))};
        import { migrations } from ${JSON.stringify(compiled("storage/migrations.js"))};
        const client = await connect({ kind: "file", path: ${JSON.stringify(path)} }, 5000);
        await migrate(client, migrations.filter((migration) => migration.number < ${number}));
        const transaction = await client.transaction("write");
        for (const sql of migrations.find((migration) => migration.number === ${number}).statements.slice(0, ${after} + 1)) {
          await transaction.execute(sql);
        }
        console.log("inside");
        setTimeout(() => {}, 60_000);
      `);
    victim.kill("SIGKILL");
    await ended(victim);

    const store = new Store({ db: path, timeoutMs: 5000 });
    await store.write(async (writer) => writer.run("INSERT INTO store_state (name, value) VALUES ('alive', 'test')"));
    const check = await store.read(async (reader) => reader.rows("PRAGMA integrity_check"));
    await store.close();

    expect(check[0]?.["integrity_check"]).toBe("ok");
  });

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
