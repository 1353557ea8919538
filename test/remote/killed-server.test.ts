// A server that goes away while it is written to. What it has acknowledged is there when it comes back; of what failed
// nothing is there; and where nobody can know, Tacit says so.
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { MemoryError } from "../../src/index.js";
import { Store } from "../../src/storage/storage.js";
import { openTestMemory } from "../support/open-memories.js";
import { startProxy } from "./fake-servers.js";
import { startServer } from "./start-server.js";

describe("[S17] a server that goes away", () => {
  it("between two statements, 20 times, keeps nothing of the write, and all that it acknowledged", async () => {
    const server = await startServer();
    const store = openStore(server.url);
    const acknowledged: string[] = [];

    for (let round = 0; round < 20; round += 1) {
      await store.write(async (writer) => writer.run(insertState(`whole ${round}`)));
      acknowledged.push(`whole ${round}`);
      const failed = store.write(async (writer) => {
        await writer.run(insertState(`half ${round}`));
        await server.kill();
        // In every second round it is back before anybody asks: the same address, and no memory of this write.
        if (round % 2 === 0) await server.start();
        await writer.run(insertState(`other half ${round}`));
      });
      await expect(failed).rejects.toMatchObject({ code: "store-unreachable" });
      if (round % 2 === 1) await server.start();
    }

    expect(await statesOf(store)).toEqual(acknowledged.toSorted());
  });

  it("just before it is to save keeps nothing", async () => {
    const server = await startServer();
    const store = openStore(server.url);

    const failed = store.write(async (writer) => {
      await writer.run(insertState("never saved"));
      await server.kill();
    });

    await expect(failed).rejects.toMatchObject({ code: "store-unreachable" });
    await server.start();
    expect(await statesOf(store)).toEqual([]);
  });

  it("at any moment, 20 times, loses nothing that was acknowledged and keeps nothing that was refused", async () => {
    const server = await startServer();
    const memory = await openTestMemory({ db: server.url, timeoutMs: 5000 });
    const outcomes = new Map<string, string>();

    for (let round = 0; round < 20; round += 1) {
      let killed: Promise<void> | undefined;
      for (let n = 0, outcome = "saved"; outcome === "saved"; n += 1) {
        if (n === 5) killed = sleep(Math.random() * 30).then(() => server.kill());
        const content = `round ${round} memory ${n}`;
        outcome = await outcomeOf(memory.remember({ content }));
        outcomes.set(content, outcome);
      }
      await killed;
      await server.start();
    }

    const kept = new Set((await memory.list()).map(({ content }) => content));
    const of = (outcome: string) => [...outcomes].filter(([, one]) => one === outcome).map(([content]) => content);
    console.log(
      `killed server: ${of("saved").length} acknowledged, ${of("store-unreachable").length} refused, ` +
        `${of("store-unsure").length} unknown; ${kept.size} there`,
    );
    expect(of("saved").filter((content) => !kept.has(content))).toEqual([]);
    expect(of("store-unreachable").filter((content) => kept.has(content))).toEqual([]);
    expect(of("saved").length).toBeGreaterThanOrEqual(100);
    expect(of("store-unreachable").length + of("store-unsure").length).toBe(20);
    expect(of("saved").length + 20).toBe(outcomes.size);
  });

  it.each([
    ["before it heard that it should save", "lose the request", []],
    ["after it has saved, before it could say so", "lose the answer", ["said once"]],
  ] as const)("%s leaves Tacit unsure, which it says, and it does not ask again by itself", async (_, loss, kept) => {
    const { url } = await startServer();
    const proxy = await startProxy(url);
    const store = openStore(proxy.url);
    await store.read(async () => undefined);
    proxy.treat = (body) => (body.includes('"COMMIT"') ? loss : "pass on");
    const before = proxy.requests.length;

    const failed = store.write(async (writer) => writer.run(insertState("said once")));

    await expect(failed).rejects.toMatchObject({
      code: "store-unsure",
      message: expect.stringContaining("may be saved, or not"),
    });
    expect(proxy.requests.slice(before).filter((body) => body.includes('"COMMIT"'))).toHaveLength(1);
    expect(await statesOf(openStore(url))).toEqual(kept);
  });

  it("because others waited too long for it keeps nothing of the write, whatever the writer does next", async () => {
    const { url } = await startServer();
    const slow = openStore(url);
    const other = openStore(url);
    const refusals: unknown[] = [];

    const given = slow.write(async (writer) => {
      await writer.run(insertState("first"));
      // sqld takes the lock away after five seconds when somebody else wants it.
      await other.write(async (second) => second.run(insertState("of the other")));
      for (const name of ["second", "third"]) {
        await writer.run(insertState(name)).catch((error: unknown) => refusals.push(error));
      }
    });

    await expect(given).rejects.toMatchObject({ code: "store-locked" });
    expect(refusals).toHaveLength(2);
    expect(await statesOf(other)).toEqual(["of the other"]);
  });
});

async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "saved";
  } catch (error) {
    return error instanceof MemoryError ? error.code : String(error);
  }
}

function openStore(db: string): Store {
  const store = new Store({ db, timeoutMs: 20_000 });
  onTestFinished(() => store.close());
  return store;
}

function insertState(name: string): string {
  return `INSERT INTO store_state (name, value) VALUES ('${name}', 'test')`;
}

async function statesOf(store: Store): Promise<unknown[]> {
  const rows = await store.read(async (reader) =>
    reader.rows("SELECT name FROM store_state WHERE value = 'test' ORDER BY name"),
  );
  return rows.map((row) => row["name"]);
}
