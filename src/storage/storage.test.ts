import { existsSync, linkSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LibsqlError } from "@libsql/client";
import { describe, expect, it } from "vitest";
import { ended, holdLock } from "../../test/support/child-process.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { Client } from "./client.js";
import { connect } from "./connect.js";
import { migrate } from "./migrate.js";
import { Store, type Reader } from "./storage.js";

describe("Store", () => {
  it("[S5] creates no file by opening or reading, and one that only its owner can read by the first write", async () => {
    const folder = temporaryFolder();
    const store = storeIn(join(folder, "new", "memory.db"));

    const read = await store.read(async (reader) => reader.rows("SELECT count(*) AS n FROM memories"));
    const before = readdirSync(folder);
    await store.write(async (writer) => writer.run(insertState("a")));
    await store.close();

    expect(read[0]?.["n"]).toBe(0);
    expect(before).toEqual([]);
    expect(existsSync(join(folder, "new", "memory.db"))).toBe(true);
    expect(statSync(join(folder, "new")).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "new", "memory.db")).mode & 0o077).toBe(0);
  });

  it("[TR18] refuses a file that has a second name, by either, and says how to find it", async () => {
    const folder = temporaryFolder();
    const [own, other] = [join(folder, "memory.db"), join(folder, "other.db")];
    const first = storeIn(own);
    await first.write(async (writer) => writer.run(insertState("a")));
    await first.close();
    linkSync(own, other);
    const count = async (path: string) => {
      const store = storeIn(path);
      try {
        return await store.read(async (reader) => reader.rows("SELECT count(*) AS n FROM memories"));
      } finally {
        await store.close();
      }
    };

    for (const path of [own, other]) {
      await expect(count(path)).rejects.toMatchObject({
        code: "store-unfit",
        message: expect.stringContaining("2 names"),
        hint: expect.stringContaining("-samefile"),
      });
    }
    rmSync(other);
    await expect(count(own)).resolves.toHaveLength(1);
  });

  it.each([
    ["a write", {}],
    ["a hurried write", { timeoutMs: 5 }],
  ])("lets others go on reading when %s finds the store locked", async (_what, options) => {
    const db = join(temporaryFolder(), "memory.db");
    const store = new Store({ db, timeoutMs: 50 });
    await store.write(async () => undefined);
    const other = await connect({ kind: "file", path: db }, 5000);
    const lock = await other.transaction("write");
    let goOn = (): void => {};
    const waiting = new Promise<void>((resolve) => (goOn = resolve));

    const reading = store.read(async (reader) => {
      await reader.rows("SELECT 1");
      await waiting;
      return reader.rows("SELECT 2 AS two");
    });
    await expect(store.write(async () => undefined, options)).rejects.toMatchObject({ code: "store-locked" });
    goOn();

    await expect(reading).resolves.toEqual([expect.objectContaining({ two: 2 })]);
    await lock.rollback();
    other.close();
    await store.close();
  });

  it("[S2] keeps its pragmas inside a transaction, after a reconnect, and beside an open transaction", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const store = storeIn(path, 200);
    const inTransaction = await store.write(pragmas);
    let beside: Pragmas | undefined;
    await store.write(async (writer) => {
      await writer.run(insertState("open"));
      beside = await store.read(pragmas);
    });
    const holder = await holdLock(path);
    await store.write(async (writer) => writer.run(insertState("refused"))).catch(() => undefined);
    holder.kill();
    await ended(holder);
    const afterReconnect = await store.write(pragmas);
    await store.close();

    const expected = { journal_mode: "wal", synchronous: 2, foreign_keys: 1 };
    expect(inTransaction).toEqual({ ...expected, secure_delete: 1 });
    expect(beside).toMatchObject(expected);
    expect(afterReconnect).toEqual({ ...expected, secure_delete: 1 });
  });

  it("[S3] queues the writes of one process instead of timing out against itself", async () => {
    const store = storeIn(join(temporaryFolder(), "memory.db"), 300);

    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        store.write(async (writer) => {
          await writer.run(insertState(`n${n}`));
          await sleep(20);
        }),
      ),
    );

    expect(await countStates(store)).toBe(20);
    await store.close();
  });

  it("[S3] lets reads go on beside the first write, which creates the file", async () => {
    for (let round = 0; round < 20; round += 1) {
      const store = storeIn(join(temporaryFolder(), "memory.db"));

      const work = [
        store.write(async (writer) => writer.run(insertState("first"))),
        ...Array.from({ length: 10 }, async (_, n) => {
          await sleep(n / 2);
          return countStates(store);
        }),
        store.write(async (writer) => writer.run(insertState("second"))),
      ];
      await Promise.all(work);

      expect(await countStates(store)).toBe(2);
      await store.close();
    }
  });

  it("[S1] keeps nothing of a write that throws, and goes on", async () => {
    const store = storeIn(join(temporaryFolder(), "memory.db"));

    const failure = store.write(async (writer) => {
      await writer.run(insertState("half"));
      throw new Error("second thoughts");
    });
    await expect(failure).rejects.toThrow("second thoughts");
    await store.write(async (writer) => writer.run(insertState("whole")));

    expect(await countStates(store)).toBe(1);
    await store.close();
  });

  it("[S1] keeps nothing of a write in which a statement failed, even if its writer goes on", async () => {
    const store = storeIn(join(temporaryFolder(), "memory.db"));
    await store.write(async (writer) => writer.run(insertState("taken")));

    const failure = store.write(async (writer) => {
      await writer.run(insertState("before"));
      await writer.run(insertState("taken")).catch(() => undefined);
      await writer.run(insertState("after")).catch(() => undefined);
      return "done";
    });

    await expect(failure).rejects.toMatchObject({ code: "store-failed", message: expect.stringContaining("UNIQUE") });
    expect(await countStates(store)).toBe(1);
    await store.close();
  });

  it("[S17] says that it is unsure when no answer came to the last word of a write", async () => {
    const lost = new LibsqlError("No answer arrived", "ECONNRESET");
    const store = new Store({ db: "libsql://memory.example.com", timeoutMs: 1000, connect: () => deafClient(lost) });

    const unsure = store.write(async (writer) => writer.run(insertState("who knows")));

    await expect(unsure).rejects.toMatchObject({
      code: "store-unsure",
      message: expect.stringContaining("may be saved, or not"),
    });
    await store.close();
  });

  it("[S4] says store-locked when another process holds the lock too long, and the next write is really there", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const store = storeIn(path, 200);
    await store.write(async (writer) => writer.run(insertState("first")));
    const holder = await holdLock(path);

    const refused = store.write(async (writer) => writer.run(insertState("refused")));
    await expect(refused).rejects.toMatchObject({
      name: "MemoryError",
      code: "store-locked",
      hint: expect.any(String),
    });
    holder.kill();
    await ended(holder);
    for (let n = 0; n < 5; n += 1) await store.write(async (writer) => writer.run(insertState(`after ${n}`)));
    await store.close();

    const other = storeIn(path);
    expect(await countStates(other)).toBe(6);
    await other.close();
  });

  it("[S4] waits no longer than it is told for a write that may be dropped", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const store = storeIn(path, 10_000);
    await store.write(async (writer) => writer.run(insertState("first")));
    const holder = await holdLock(path);

    const started = Date.now();
    const refused = store.write(async (writer) => writer.run(insertState("refused")), { timeoutMs: 50 });
    await expect(refused).rejects.toMatchObject({ code: "store-locked" });
    const waitedMs = Date.now() - started;
    holder.kill();
    await ended(holder);
    await store.close();

    expect(waitedMs).toBeLessThan(5000);
  });

  it("[S13] notices that its file was removed, and does not write into the void", async () => {
    const path = join(temporaryFolder(), "memory.db");
    const store = storeIn(path);
    await store.write(async (writer) => writer.run(insertState("old")));
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });

    const whileGone = await countStates(store);
    await store.write(async (writer) => writer.run(insertState("new")));
    await store.close();

    const other = storeIn(path);
    expect(whileGone).toBe(0);
    expect(await countStates(other)).toBe(1);
    await other.close();
  });

  it("[S8] refuses to start afresh over an empty file whose log still holds changes", async () => {
    const path = join(temporaryFolder(), "memory.db");
    writeFileSync(path, "");
    writeFileSync(`${path}-wal`, "something that was not checkpointed");
    const store = storeIn(path);

    await expect(store.write(async (writer) => writer.run(insertState("x")))).rejects.toMatchObject({
      code: "store-damaged",
    });

    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0);
    await store.close();
  });

  it("[S8] says so where no folder can be made, and does not hang", async ({ skip }) => {
    skip(process.platform !== "linux", "only Linux has a /proc, in which nobody can make a folder");
    const store = storeIn("/proc/nowhere/memory.db");

    const refused = store.write(async (writer) => writer.run(insertState("x")));

    await expect(refused).rejects.toMatchObject({ code: "store-unreachable" });
    await store.close();
  });

  it("works in memory, and refuses politely after close", async () => {
    const store = storeIn(":memory:");
    const [, count] = await Promise.all([
      store.write(async (writer) => writer.run(insertState("a"))),
      countStates(store),
    ]);
    await store.close();

    expect(count).toBe(1);
    await expect(countStates(store)).rejects.toMatchObject({ code: "store-closed" });
  });
});

interface Pragmas {
  [name: string]: unknown;
}

async function pragmas(reader: Reader): Promise<Pragmas> {
  const found: Pragmas = {};
  for (const name of ["journal_mode", "synchronous", "foreign_keys", "secure_delete"]) {
    found[name] = (await reader.rows(`PRAGMA ${name}`))[0]?.[name];
  }
  return found;
}

async function countStates(store: Store): Promise<number> {
  const rows = await store.read(async (reader) =>
    reader.rows("SELECT count(*) AS n FROM store_state WHERE value = 'test'"),
  );
  return Number(rows[0]?.["n"]);
}

function insertState(name: string): string {
  return `INSERT INTO store_state (name, value) VALUES ('${name}', 'test')`;
}

/** A real database in memory that saves, and cannot say so; except for its schema. */
async function deafClient(error: Error): Promise<Client> {
  const client = await connect({ kind: "memory" }, 1000);
  await migrate(client);
  const begin = client.transaction.bind(client);
  client.transaction = async () => {
    const transaction = await begin("write");
    const commit = transaction.commit.bind(transaction);
    transaction.commit = async () => {
      await commit();
      throw error;
    };
    return transaction;
  };
  return client;
}

function storeIn(db: string, timeoutMs = 10_000): Store {
  return new Store({ db, timeoutMs });
}
