import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { Client, InValue } from "./client.js";
import { openLocalClient } from "./local-client.js";

describe("a local database", () => {
  it.each<[string, InValue, unknown]>([
    ["a text", "ä 😀", "ä 😀"],
    ["a whole number", 2 ** 53 - 1, 2 ** 53 - 1],
    ["a part of a number", 0.1 + 0.2, 0.1 + 0.2],
    ["a bigint", 12n, 12],
    ["a boolean", true, 1],
    ["nothing", null, null],
    ["bytes", new Uint8Array([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer],
    ["a buffer", new Uint8Array([4, 5]).buffer, new Uint8Array([4, 5]).buffer],
    ["no bytes", new Uint8Array(), new ArrayBuffer()],
  ])("gives back %s as it took it", async (_what, given, expected) => {
    const client = opened(":memory:");

    const named = await client.execute({ sql: "SELECT :value AS value", args: { value: given } });
    const numbered = await client.execute({ sql: "SELECT ?1 AS value", args: [given] });

    expect(named).toEqual({ columns: ["value"], rows: [{ value: expected }], rowsAffected: 0 });
    expect(numbered.rows).toEqual([{ value: expected }]);
  });

  it.each<[unknown]>([[Number.NaN], [Number.POSITIVE_INFINITY], [2n ** 63n], [undefined]])(
    "refuses %s",
    async (value) => {
      const asked = opened(":memory:").execute({ sql: "SELECT :value", args: { value: value as InValue } });

      await expect(asked).rejects.toThrow(/no value|64 bits/);
    },
  );

  it("gives no number that is not exact", async () => {
    const client = opened(":memory:");

    await expect(client.execute("SELECT 9007199254740993 AS number")).rejects.toThrow(RangeError);
  });

  it("says how many rows a statement changed, and gives those it returns", async () => {
    const client = await withTable(":memory:");

    const changed = await client.execute("INSERT INTO things VALUES (1, 'a'), (2, 'b')");
    const returned = await client.execute("UPDATE things SET name = 'c' RETURNING number");

    expect(changed.rowsAffected).toBe(2);
    expect(returned.rows).toEqual([{ number: 1 }, { number: 2 }]);
  });

  it("has the first of two columns with one name", async () => {
    const { columns, rows } = await opened(":memory:").execute("SELECT 1 AS a, 2 AS a, 3 AS b");

    expect({ columns, rows }).toEqual({ columns: ["a", "a", "b"], rows: [{ a: 1, b: 3 }] });
  });

  it.each([
    ["SELECT size FROM things", "SQLITE_ERROR", /^SQLITE_ERROR: no such column: size/],
    ["INSERT INTO things VALUES (1, x'00')", "SQLITE_CONSTRAINT", /^SQLITE_CONSTRAINT: cannot store BLOB/],
    ["SELECT json('{')", "SQLITE_ERROR", /malformed JSON/],
  ])("fails as a server does: %s", async (sql, code, message) => {
    const client = await withTable(":memory:");

    const failing = client.execute(sql);

    await expect(failing).rejects.toMatchObject({ name: "LibsqlError", code, message: expect.stringMatching(message) });
  });

  it("asks again with other values, and with fewer", async () => {
    const client = opened(":memory:");
    const ask = async (args: Record<string, InValue>) =>
      (await client.execute({ sql: "SELECT :a AS a, :b AS b", args })).rows[0];

    expect(await ask({ a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
    expect(await ask({ a: 3 })).toEqual({ a: 3, b: null });
    expect(await ask({ b: "x", a: "y" })).toEqual({ a: "y", b: "x" });
  });

  it("asks again after the table has changed", async () => {
    const client = await withTable(":memory:");
    const ask = () => client.execute("SELECT * FROM things");
    await client.execute("INSERT INTO things VALUES (1, 'a')");
    await ask();

    await client.execute("ALTER TABLE things RENAME COLUMN name TO title");
    await client.execute("ALTER TABLE things ADD COLUMN size INTEGER DEFAULT 5");

    expect((await ask()).rows).toEqual([{ number: 1, title: "a", size: 5 }]);
  });

  it("asks again after a query that failed half-way", async () => {
    const client = await withTable(":memory:");
    await client.execute("INSERT INTO things VALUES (1, '[]'), (2, '[')");
    const sql = "SELECT json(name) AS list FROM things ORDER BY number";
    await expect(client.execute(sql)).rejects.toThrow("malformed JSON");

    await client.execute("UPDATE things SET name = '[]'");

    expect((await client.execute(sql)).rows).toEqual([{ list: "[]" }, { list: "[]" }]);
  });

  it("answers more different statements than it remembers", async () => {
    const client = opened(":memory:");

    for (let round = 0; round < 2; round += 1) {
      for (let n = 0; n < 250; n += 1) expect((await client.execute(`SELECT ${n} AS n`)).rows).toEqual([{ n }]);
    }
  });

  it("keeps no lock once a query was answered", async () => {
    const path = join(temporaryFolder(), "one.db");
    const client = await withTable(path);
    await client.execute("PRAGMA journal_mode = WAL");
    await client.execute("INSERT INTO things VALUES (1, 'a'), (2, 'b')");
    await client.execute("SELECT * FROM things LIMIT 1");
    await client.execute("SELECT number FROM things WHERE number = 1");

    const checkpoint = await opened(path).execute("PRAGMA wal_checkpoint(TRUNCATE)");

    expect(checkpoint.rows).toMatchObject([{ busy: 0 }]);
  });

  it("does nothing once it was closed", async () => {
    const client = opened(":memory:");
    client.close();

    await expect(client.execute("SELECT 1")).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
  });
});

describe("a transaction on a local database", () => {
  it("is seen by others when it is committed, and by nobody when it is not", async () => {
    const client = await withTable(join(temporaryFolder(), "one.db"), "WAL");
    const count = async () => (await client.execute("SELECT count(*) AS n FROM things")).rows[0]?.["n"];
    const committed = await client.transaction("write");
    await committed.batch([
      "INSERT INTO things VALUES (1, 'a')",
      { sql: "INSERT INTO things VALUES (?1, ?2)", args: [2n, "b"] },
    ]);
    const before = await count();
    await committed.commit();
    const after = await count();
    for (const end of ["rollback", "close"] as const) {
      const dropped = await client.transaction("write");
      await dropped.execute("DELETE FROM things");
      await dropped[end]();
    }

    expect({ before, after, atLast: await count(), closed: committed.closed }).toEqual({
      before: 0,
      after: 2,
      atLast: 2,
      closed: true,
    });
  });

  it("takes nothing after its end", async () => {
    const transaction = await (await withTable(":memory:")).transaction("write");
    await transaction.commit();

    await expect(transaction.execute("SELECT 1")).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
    await expect(transaction.commit()).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
  });

  it("is over when SQLite gave it up by itself", async () => {
    const client = await withTable(":memory:");
    const transaction = await client.transaction("write");
    await transaction.execute("INSERT INTO things VALUES (1, 'a')");

    await expect(transaction.execute("INSERT OR ROLLBACK INTO things VALUES (1, 'b')")).rejects.toThrow("UNIQUE");

    expect(transaction.closed).toBe(true);
    transaction.close();
    expect((await client.execute("SELECT * FROM things")).rows).toEqual([]);
  });

  it("is over, and ends no process, when its client is closed", async () => {
    const client = await withTable(join(temporaryFolder(), "one.db"));
    const transaction = await client.transaction("write");

    client.close();

    expect(transaction.closed).toBe(true);
    await expect(transaction.execute("SELECT 1")).rejects.toMatchObject({ code: "TRANSACTION_CLOSED" });
    await transaction.rollback();
    transaction.close();
  });

  it("waits for the lock as long as it was told, and says that it is busy", async () => {
    const path = join(temporaryFolder(), "one.db");
    const holding = await (await withTable(path)).transaction("write");
    const start = performance.now();

    const waiting = opened(path, 200).transaction("write");

    await expect(waiting).rejects.toMatchObject({
      code: "SQLITE_BUSY",
      message: expect.stringContaining("SQLITE_BUSY"),
    });
    expect(performance.now() - start).toBeGreaterThan(150);
    await holding.rollback();
  });

  it("writes for everybody to see after a lock was refused", async () => {
    const path = join(temporaryFolder(), "a.db");
    const holder = await withTable(path, "WAL");
    const client = opened(path, 20);
    const holding = await holder.transaction("write");
    await expect(client.transaction("write")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
    await expect(client.execute("INSERT INTO things (name) VALUES ('a')")).rejects.toMatchObject({
      code: "SQLITE_BUSY",
    });
    await holding.rollback();

    await client.execute("INSERT INTO things (name) VALUES ('b')");

    expect((await holder.execute("SELECT name FROM things")).rows).toEqual([{ name: "b" }]);
    await (await holder.transaction("write")).rollback();
  });

  it("has a database in memory to itself", async () => {
    const client = await withTable(":memory:");
    const transaction = await client.transaction("write");

    await expect(client.execute("SELECT 1")).rejects.toMatchObject({ code: "TRANSACTION_ACTIVE" });

    await transaction.rollback();
    expect((await client.execute("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
  });
});

function opened(path: string, timeoutMs = 1000): Client {
  const client = openLocalClient(path, timeoutMs);
  onTestFinished(() => client.close());
  return client;
}

async function withTable(path: string, journal = "DELETE"): Promise<Client> {
  const client = opened(path);
  await client.execute(`PRAGMA journal_mode = ${journal}`);
  await client.execute("CREATE TABLE things (number INTEGER PRIMARY KEY, name TEXT) STRICT");
  return client;
}
