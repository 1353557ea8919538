import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ended, holdLock } from "../../test/support/child-process.js";
import { movableClock } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { Store } from "../storage/storage.js";
import { listModelCalls, ModelLedger, type ModelCall } from "./model-ledger.js";

const call: ModelCall = { model: "ollama:a", purpose: "hyde", failed: false, inputTokens: 10, outputTokens: 3 };

describe("the ledger of model calls", () => {
  it("[LM3] adds up by day, model and purpose, over several processes' worth of ledgers", async () => {
    const store = await storeAt(":memory:");
    const clock = movableClock("2026-11-03T23:59:00Z");
    const [first, second] = [new ModelLedger(store, clock.now), new ModelLedger(store, clock.now)];

    first.count(call);
    first.count({ ...call, failed: true, inputTokens: 0, outputTokens: 0 });
    first.count({ ...call, purpose: "graph" });
    await first.flush();
    second.count(call);
    clock.moveTo("2026-11-04T00:01:00Z");
    second.count(call);
    await second.flush();

    const once = { model: "ollama:a", calls: 1, failures: 0, inputTokens: 10, outputTokens: 3 };
    expect(await store.read(listModelCalls)).toEqual([
      { ...once, day: "2026-11-04", purpose: "hyde" },
      { ...once, day: "2026-11-03", purpose: "graph" },
      { ...once, day: "2026-11-03", purpose: "hyde", calls: 3, failures: 1, inputTokens: 20, outputTokens: 6 },
    ]);
  });

  it("[LM3] writes nothing twice, and nothing where nothing was asked", async () => {
    const store = await storeAt(":memory:");
    const ledger = new ModelLedger(store, () => new Date());

    await ledger.flush();
    ledger.count(call);
    await ledger.flush();
    await ledger.flush();

    expect(await store.read(listModelCalls)).toMatchObject([{ calls: 1 }]);
  });

  it("[LM3] creates no store", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const ledger = new ModelLedger(new Store({ db, timeoutMs: 1000 }), () => new Date());

    ledger.count(call);
    await ledger.flush();

    expect(existsSync(db)).toBe(false);
  });

  it("[LM3] loses nothing to a busy store: what could not be written is written later", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const store = await storeAt(db);
    const ledger = new ModelLedger(store, () => new Date());
    const holder = await holdLock(db);

    ledger.count(call);
    await ledger.flush();
    holder.kill();
    await ended(holder);
    ledger.count(call);
    await ledger.flush();

    expect(await store.read(listModelCalls)).toMatchObject([{ calls: 2, inputTokens: 20 }]);
  });

  it("[LM3] loses nothing when it is flushed while a write is under way that fails", async () => {
    const store = await storeAt(":memory:");
    let isBusy = true;
    const busyOnce = {
      exists: true,
      write: async (...args: Parameters<Store["write"]>) => {
        if (!isBusy) return store.write(...args);
        isBusy = false;
        await new Promise((wake) => setTimeout(wake, 20));
        throw new Error("busy");
      },
    } as Store;
    const ledger = new ModelLedger(busyOnce, () => new Date());
    ledger.count(call);
    await vi.waitUntil(() => !isBusy);

    await ledger.flush();

    expect(await store.read(listModelCalls)).toMatchObject([{ calls: 1 }]);
  });

  it("[LM3] writes by itself soon after the answer", async () => {
    const store = await storeAt(":memory:");
    const ledger = new ModelLedger(store, () => new Date());

    ledger.count(call);

    await expect.poll(() => store.read(listModelCalls), { timeout: 10_000 }).toMatchObject([{ calls: 1 }]);
  });
});

/** A store that exists. */
async function storeAt(db: string): Promise<Store> {
  const store = new Store({ db, timeoutMs: 2000 });
  onTestFinished(() => store.close());
  await store.write(async (writer) => writer.run("DELETE FROM model_calls"));
  return store;
}
