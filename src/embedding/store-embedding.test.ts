import type { MemoryContext } from "../memory/change/change.js";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fakeEmbedder } from "../../test/support/fake-embedder.js";
import { projectContext } from "../../test/support/keep-records.js";
import { askNearest, openEmbedding } from "../../test/support/open-embedding.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { MemoryError } from "../base/memory-error.js";
import { forget } from "../memory/retention/forget.js";
import { purge } from "../memory/retention/purge.js";
import { remember } from "../memory/remember/remember-memories.js";
import { revise } from "../memory/edit/revise.js";
import { findActiveModel } from "./vectors/active-model.js";
import { checkedEmbedder } from "./providers/checked-embedder.js";
import { embedPending } from "./embed/embed-pending.js";
import type { StoreEmbedding } from "./store-embedding.js";
import { bytesOf } from "./vectors/binary-vector.js";

const soon = { debounceMs: 1, pauseMs: 1 };

describe("a model that is to take the place of another", () => {
  it("[V2] shows in every process why it could not begin, until it can", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder({ modelId: "fake:first:64" })).embedPending();
    const second = fakeEmbedder({ modelId: "fake:second:64" });
    const other = openEmbedding(context, fakeEmbedder({ modelId: "fake:first:64" }));

    second.fail("The second model is down.");
    await openEmbedding(context, second).embedPending();
    const failing = await other.status();
    second.recover();
    await openEmbedding(context, second).embedPending();

    expect(failing).toMatchObject({ modelId: "fake:first:64", ready: true, failure: "The second model is down." });
    expect(failing.failedAt).toBeDefined();
    expect(await other.status()).not.toHaveProperty("failure");
  });
});

describe("embedding in the background", () => {
  it("[V1] follows a write by itself, in portions, while others come in", async () => {
    const context = await storeWith(...Array.from({ length: 70 }, (_, n) => `text ${n}`));
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder, { waits: soon });

    embedding.schedule();
    await vi.waitUntil(() => embedder.calls.length > 0);
    await remember(context, [{ content: "one more" }]);
    embedding.schedule();
    await vi.waitUntil(async () => {
      const { ready, pending } = await embedding.status();
      return ready && pending === 0;
    }, 10_000);

    expect(await embedding.status()).toEqual({
      modelId: "fake:words:64",
      dimensions: 64,
      ready: true,
      embedded: 71,
      pending: 0,
    });
    expect(Math.max(...embedder.calls.map((texts) => texts.length))).toBeLessThanOrEqual(16);
  });

  it("[V1] opens no model where nothing waits for one", async () => {
    const opened: unknown[] = [];
    const empty = await projectContext({ db: join(temporaryFolder(), "none.db") });
    const embedding = openEmbedding(empty, undefined, {
      waits: soon,
      openEmbedder: async (stored) => {
        opened.push(stored);
        return fakeEmbedder();
      },
    });

    embedding.schedule();
    const answer = await embedding.embedQuery("anything");
    await new Promise((wake) => setTimeout(wake, 50));

    expect(answer).toEqual({ problem: "The memories are not embedded yet.", reason: "waiting" });
    expect(await embedding.embedPending()).toEqual({ embedded: 0, pending: 0, refused: 0 });
    expect(opened).toEqual([]);
    expect(empty.store.exists).toBe(false);
  });

  it("[V5] is ready when the last memory that waited was forgotten", async () => {
    const context = await storeWith("the last to be embedded", "a");
    await embedPending({ ...context, embedder: fakeEmbedder() }, { limit: 1 });
    const embedding = openEmbedding(context, fakeEmbedder(), { waits: soon });
    const before = await embedding.status();
    const ids = await context.store.read((reader) => reader.rows("SELECT id FROM memories WHERE embedded_by IS NULL"));
    await forget(context, [String(ids[0]?.["id"])]);

    embedding.schedule();
    await vi.waitUntil(async () => (await embedding.status()).ready, 10_000);

    expect(before).toMatchObject({ ready: false, embedded: 1, pending: 1 });
    expect(await embedding.status()).toMatchObject({ ready: true, embedded: 1, pending: 0 });
  });

  it("[V2] leaves a model that fails alone for a while, tells, and tries again by itself", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    embedder.fail();
    const embedding = openEmbedding(context, embedder, { waits: { ...soon, retryMs: 2000 } });

    embedding.schedule();
    await vi.waitUntil(async () => (await embedding.status()).failure !== undefined);
    const asked = embedder.calls.length;
    for (let write = 0; write < 5; write += 1) embedding.schedule();
    await new Promise((wake) => setTimeout(wake, 100));
    const askedSoonAfter = embedder.calls.length;
    embedder.recover();
    await vi.waitUntil(async () => (await embedding.status()).pending === 0, 10_000);

    expect(askedSoonAfter).toBe(asked);
    expect(await embedding.status()).not.toHaveProperty("failure");
  });

  it("[V2] tells of a failure to whoever asks in another process", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    embedder.fail("The endpoint says 429.");
    const embedding = openEmbedding(context, embedder);
    await embedding.embedPending();

    const other = openEmbedding(context, fakeEmbedder());

    expect(await other.status()).toEqual({
      modelId: "fake:words:64",
      dimensions: 64,
      ready: false,
      embedded: 0,
      pending: 1,
      failure: "The endpoint says 429.",
      failedAt: "2026-11-15T12:00:00.000Z",
    });
  });

  it("[V2] does not ask again and again for what the model refuses", async () => {
    const context = await storeWith("poison", "a");
    const embedder = fakeEmbedder();
    embedder.refuse(/poison/);
    const embedding = openEmbedding(context, embedder, { waits: soon });
    embedding.schedule();
    await vi.waitUntil(async () => (await embedding.status()).ready);
    const asked = embedder.calls.filter((texts) => texts.includes("poison")).length;

    await remember(context, [{ content: "b" }]);
    embedding.schedule();
    await vi.waitUntil(async () => (await embedding.status()).pending === 1, 10_000);

    expect(embedder.calls.filter((texts) => texts.includes("poison"))).toHaveLength(asked);
  });

  it("[V2] asks again for what the model refused once it says something else", async () => {
    const context = await storeWith("poison", "a");
    const [id = ""] = await idsOf(context);
    const embedder = fakeEmbedder();
    embedder.refuse(/poison/);
    const embedding = openEmbedding(context, embedder, { waits: soon });
    embedding.schedule();
    await vi.waitUntil(async () => (await embedding.status()).ready);

    await revise(context, id, { content: "medicine" });
    embedding.schedule();

    await expect.poll(() => embedding.status(), { timeout: 10_000 }).toMatchObject({ embedded: 2, pending: 0 });
  });

  it("[V2] closes within its time though the model hangs, and closes the model", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    embedder.hang();
    const embedding = openEmbedding(context, embedder, { waits: { ...soon, closingMs: 200 } });
    embedding.schedule();
    await vi.waitUntil(() => embedder.calls.length > 0);

    await embedding.close();

    expect(embedder.isClosed).toBe(true);
    expect(await embedding.status()).toMatchObject({ pending: 1, ready: false });
  });

  it("steps aside for somebody who waits", async () => {
    const context = await storeWith(...Array.from({ length: 60 }, (_, n) => `text ${n}`));
    const embedder = fakeEmbedder();
    embedder.slow(20);
    const embedding = openEmbedding(context, embedder, { waits: soon });
    embedding.schedule();
    await vi.waitUntil(() => embedder.calls.length > 0);

    const [first, second] = await Promise.all([embedding.embedPending(), embedding.embedPending()]);

    expect(first).toMatchObject({ pending: 0 });
    expect(second).toEqual({ embedded: 0, pending: 0, refused: 0 });
  });
});

describe("embedding for somebody who waits", () => {
  it("is not disturbed by what is scheduled meanwhile", async () => {
    const context = await storeWith(...Array.from({ length: 100 }, (_, n) => `text ${n}`));
    const embedder = fakeEmbedder();
    embedder.slow(50);
    const embedding = openEmbedding(context, embedder, { waits: soon });

    const waited = embedding.embedPending();
    await vi.waitUntil(() => embedder.calls.length > 0);
    embedding.schedule();
    await waited;

    expect(embedder.calls.flat()).toHaveLength(100);
  });
});

describe("asking for the vector of a question", () => {
  it("finds the memories that mean most nearly the same, of this project", async () => {
    const context = await storeWith("the pool holds ten connections", "the cache is cold", "ten connections at most");
    const other = await projectContext({ store: context.store, project: "other" });
    await remember(other, [{ content: "ten connections elsewhere" }]);
    const embedding = openEmbedding(context, fakeEmbedder());
    await embedding.embedPending();

    expect(await askNearest(context, embedding, "ten connections", { limit: 2 })).toEqual([
      "ten connections at most",
      "the pool holds ten connections",
    ]);
  });

  it("[V7] asks the model once for a question, in this process or another, and writes after the answer only", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder);
    await embedding.embedPending();
    const before = embedder.calls.length;
    const cached = async () =>
      context.store.read(async (reader) => (await reader.rows("SELECT count(*) AS n FROM embedding_cache"))[0]?.["n"]);
    const cachedBefore = await cached();

    const first = await embedding.embedQuery("why a?");
    const cachedAtAnswer = await cached();
    const second = await embedding.embedQuery("why a?");
    await embedding.close();
    const elsewhere = openEmbedding(context, embedder);
    const third = await elsewhere.embedQuery("why a?");

    expect(embedder.calls.slice(before)).toEqual([["why a?"]]);
    expect(cachedAtAnswer).toBe(cachedBefore);
    expect(await cached()).toBe(Number(cachedBefore) + 1);
    expect(second).toEqual(first);
    expect(third).toEqual(first);
  });

  it("[V2] gives up on a model that hangs, and then answers at once for a while", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder, { waits: { retryMs: 60_000 } });
    await embedding.embedPending();
    embedder.hang();
    const before = embedder.calls.length;

    const first = await embedding.embedQuery("one", { timeoutMs: 30 });
    const second = await embedding.embedQuery("two", { timeoutMs: 600_000 });

    expect(first).toEqual({ problem: "fake:words:64 did not answer within 0.03 s.", reason: "failed" });
    expect(second).toEqual(first);
    expect(embedder.calls.slice(before)).toEqual([["one"]]);
    expect(await embedding.status()).toMatchObject({ failure: "fake:words:64 did not answer within 0.03 s." });
  });

  it("[V2] trusts the model again when its answer comes after all", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder);
    await embedding.embedPending();
    embedder.slow(100);

    const first = await embedding.embedQuery("one", { timeoutMs: 20 });
    await vi.waitUntil(async () => (await embedding.status()).failure === undefined, 10_000);
    const second = await embedding.embedQuery("one", { timeoutMs: 20 });

    expect(first).toMatchObject({ reason: "failed" });
    expect(second).toHaveProperty("vector");
  });

  it("[V2] says why when the model cannot be opened, and what to do; to the others that is nothing", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder()).embedPending();
    const closed = openEmbedding(context, undefined, {
      openEmbedder: async () => {
        throw new MemoryError("model-failed", "There is no key in MY_KEY.", "Set it.");
      },
    });

    const answer = await closed.embedQuery("one");
    const report = await closed.embedPending();
    await closed.close();

    expect(answer).toEqual({ problem: "There is no key in MY_KEY.", hint: "Set it.", reason: "failed" });
    expect(report).toMatchObject({ failure: "There is no key in MY_KEY.", hint: "Set it." });
    expect((await context.store.read(findActiveModel))?.failure).toBeUndefined();
  });

  it("[V2] keeps for the others that the model fails, in our own words", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder()).embedPending();
    const broken = checkedEmbedder({
      ...fakeEmbedder(),
      embed: async (texts) => Promise.reject(new Error(`cannot embed ${texts.join()}`)),
    });
    const embedding = openEmbedding(context, broken);

    const answer = await embedding.embedQuery("my question");
    await embedding.close();

    expect(answer).toMatchObject({ problem: "fake:words:64 failed: “cannot embed my question”", reason: "failed" });
    expect((await context.store.read(findActiveModel))?.failure).toBe("fake:words:64 failed.");
  });

  it("[V2] does not call it a failure that it was closed", async () => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder);
    await embedding.embedPending();
    embedder.hang();

    const answer = embedding.embedQuery("one");
    await vi.waitUntil(() => embedder.calls.flat().includes("one"));
    await embedding.close();

    expect(await answer).toMatchObject({ reason: "failed" });
    expect((await context.store.read(findActiveModel))?.failure).toBeUndefined();
  });

  it("[V5] answers nothing with a model of another size that goes by the same id", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder()).embedPending();

    const answer = await openEmbedding(context, fakeEmbedder({ dimensions: 128 })).embedQuery("a");

    expect(answer).toMatchObject({
      problem: expect.stringContaining("has 128 dimensions, and had 64"),
      reason: "failed",
    });
  });

  it("says that no model is configured, and does not forget the vectors that there are", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder()).embedPending();
    await remember(context, [{ content: "b" }]);
    const none = openEmbedding(context, undefined);

    expect(await none.embedQuery("a")).toEqual({ problem: "No embedding model is configured.", reason: "none" });
    expect(await none.embedPending()).toEqual({
      embedded: 0,
      pending: 1,
      refused: 0,
      failure: "No embedding model is configured.",
    });
    expect(await none.status()).toMatchObject({ ready: true, embedded: 1, pending: 1 });
  });
});

describe("two models", () => {
  it("[V5] are never compared: until the new one has embedded everything, it says so", async () => {
    const context = await storeWith("ten connections", "the cache is cold");
    await openEmbedding(context, fakeEmbedder()).embedPending();
    const other = fakeEmbedder({ modelId: "fake:other:64" });
    const embedding = openEmbedding(context, other, { waits: { debounceMs: 600_000 } });

    const before = await askNearest(context, embedding, "ten connections");
    await embedding.embedPending({ limit: 1 });
    const between = await askNearest(context, embedding, "ten connections");
    await embedding.embedPending();
    const after = await askNearest(context, embedding, "ten connections");

    expect(before).toBe("fake:other:64 has not embedded the memories yet.");
    expect(between).toBe("The memories are not embedded yet.");
    expect(after).toEqual(["ten connections", "the cache is cold"]);
  });

  it("[V5] are not compared either when the model is switched between the question and the search", async () => {
    const context = await storeWith("ten connections", "the cache is cold");
    const embedding = openEmbedding(context, fakeEmbedder());
    await embedding.embedPending();
    const query = await embedding.embedQuery("ten connections");
    if ("problem" in query) throw new Error(query.problem);

    await openEmbedding(context, fakeEmbedder({ modelId: "fake:other:64" })).embedPending();
    const found = await context.store.read((reader) =>
      embedding.listNearest(
        reader,
        { number: 1, id: "test", name: "test" },
        query,
        { conditions: ["true"], args: {}, isSelective: false },
        10,
      ),
    );

    expect(found).toEqual([]);
  });

  it("[V5] switch when a question is asked of a process whose configuration names the new one", async () => {
    const context = await storeWith("a");
    await openEmbedding(context, fakeEmbedder()).embedPending();
    const embedding = openEmbedding(context, fakeEmbedder({ modelId: "fake:other:64" }), { waits: soon });

    await embedding.embedQuery("a");
    await vi.waitUntil(async () => (await embedding.status()).modelId === "fake:other:64", 10_000);
    await vi.waitUntil(async () => (await embedding.status()).ready, 10_000);

    expect(await askNearest(context, embedding, "a")).toEqual(["a"]);
  });

  it("[V5] do not take turns: the one that was replaced waits until somebody asks for it", async () => {
    const context = await storeWith("a", "b");
    const [first, second] = [fakeEmbedder(), fakeEmbedder({ modelId: "fake:other:64" })];
    const [older, newer] = [first, second].map((embedder) => openEmbedding(context, embedder, { waits: soon })) as [
      StoreEmbedding,
      StoreEmbedding,
    ];
    await older.embedPending();
    await newer.embedQuery("one");
    await vi.waitUntil(async () => {
      const { modelId, ready } = await newer.status();
      return modelId === "fake:other:64" && ready;
    }, 10_000);

    const answer = await older.embedQuery("two");
    await remember(context, [{ content: "c" }]);
    older.schedule();
    await new Promise((wake) => setTimeout(wake, 100));
    const unasked = await older.status();
    await older.embedPending();
    await newer.embedQuery("three");
    await new Promise((wake) => setTimeout(wake, 100));

    expect(answer).toEqual({
      problem: "The memories were embedded by fake:other:64, and this process uses fake:words:64.",
      hint: expect.stringContaining("tacit embed"),
      reason: "waiting",
    });
    expect(unasked).toMatchObject({ modelId: "fake:other:64", embedded: 2, pending: 1 });
    expect(await newer.status()).toMatchObject({ modelId: "fake:words:64", embedded: 3, ready: true });
  });

  it.each([
    ["when a question follows the switch at once", false],
    ["when the new one fails before it answers", true],
  ])("[V5] are not mixed in the cache %s", async (_, failsFirst) => {
    const context = await storeWith("a");
    let configured = fakeEmbedder();
    const openEmbedder = async () => configured;
    const embedding = openEmbedding(context, undefined, { openEmbedder, waits: { retryMs: 0 } });
    await embedding.embedPending();
    // The first question must still be unwritten when the second one comes, however long the switch takes.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await embedding.embedQuery("one");
    configured = fakeEmbedder({ modelId: "fake:larger:128", dimensions: 128 });
    await openEmbedding(context, configured).embedPending();

    if (failsFirst) {
      configured.fail();
      await embedding.embedQuery("two");
      configured.recover();
    }
    await embedding.embedQuery("two");
    await embedding.close();

    const rows = await context.store.read((reader) =>
      reader.rows("SELECT length(vector) AS bytes, count(*) AS n FROM embedding_cache GROUP BY 1 ORDER BY 1"),
    );
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { bytes: 256, n: 1 },
      { bytes: 512, n: 2 },
    ]);
  });

  it("[V5] do not take turns: a process whose model was switched elsewhere asks what is configured now", async () => {
    const context = await storeWith("a");
    const [older, newer] = [fakeEmbedder(), fakeEmbedder({ modelId: "fake:other:64" })];
    let configured = older;
    const resident = openEmbedding(context, undefined, { openEmbedder: async () => configured });
    await resident.embedPending();
    await resident.embedQuery("a");
    configured = newer;
    await openEmbedding(context, newer).embedPending();

    await remember(context, [{ content: "b" }]);
    await resident.embedPending();

    expect(await resident.status()).toMatchObject({ modelId: "fake:other:64", embedded: 2, pending: 0 });
    expect(older.isClosed).toBe(true);
    expect(older.calls.flat()).not.toContain("b");
  });
});

describe("a purge", () => {
  it("[S11] leaves no byte of a vector, in the database or beside it", async () => {
    const folder = temporaryFolder();
    const context = await projectContext({ db: join(folder, "memory.db") });
    await remember(context, [{ content: "the victim", name: "victim" }, { content: "another" }]);
    const embedder = fakeEmbedder();
    const embedding = openEmbedding(context, embedder);
    await embedding.embedPending();
    await embedding.embedQuery("the victim");
    await embedding.close();
    const vectors = await embedder.embed(["the victim", "another"], "document");
    const bytesInFiles = () => Buffer.concat(readdirSync(folder).map((file) => readFileSync(join(folder, file))));
    const beginnings = vectors.map((vector) => Buffer.from(bytesOf(vector)).subarray(0, 32));
    const areThere = () => beginnings.map((beginning) => bytesInFiles().includes(beginning));
    await context.store.close();
    const before = areThere();

    const again = await projectContext({ db: join(folder, "memory.db") });
    await purge(again, "victim");
    await again.store.close();

    expect(before).toEqual([true, true]);
    expect(areThere()).toEqual([false, true]);
  });
});

async function storeWith(...contents: string[]): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(
    context,
    contents.map((content) => ({ content })),
  );
  return context;
}

async function idsOf({ store }: MemoryContext): Promise<string[]> {
  const rows = await store.read((reader) => reader.rows("SELECT id FROM memories ORDER BY key"));
  return rows.map((row) => String(row["id"]));
}
