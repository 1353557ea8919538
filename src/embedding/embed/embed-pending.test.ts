import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { projectContext } from "../../../test/support/keep-records.js";
import { forget } from "../../memory/retention/forget.js";
import { purge } from "../../memory/retention/purge.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { restore } from "../../memory/retention/restore.js";
import { revise } from "../../memory/edit/revise.js";
import { undo } from "../../memory/undo/undo-change.js";
import type { Row } from "../../storage/storage.js";
import { findActiveModel } from "../vectors/active-model.js";
import { checkedEmbedder } from "../providers/checked-embedder.js";
import { embedPending } from "./embed-pending.js";
import { storeCached, listCached, maxCached } from "./embedding-cache.js";

describe("embedding what is pending", () => {
  it("[V1] gives every memory a vector, the newest first, and leaves forgotten ones until they are restored", async () => {
    const context = await storeWith("oldest", "let go", "newest");
    const [gone] = await forget(context, [(await idsOf(context))[1] ?? ""]);
    const embedder = fakeEmbedder();

    const report = await embedPending({ ...context, embedder });
    await restore(context, gone?.id ?? "");
    const later = await embedPending({ ...context, embedder });

    expect(report).toEqual({ embedded: 2, pending: 0, refused: 0 });
    expect(later).toEqual({ embedded: 1, pending: 0, refused: 0 });
    expect(embedder.calls).toEqual([["newest", "oldest"], ["let go"]]);
    expect(await embeddedContents(context)).toEqual(["oldest", "let go", "newest"]);
  });

  it("embeds files, modules and type with the content", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "expires", type: "gotcha", relatedFiles: ["a.ts"], relatedModules: ["auth"] }]);
    const embedder = fakeEmbedder();

    await embedPending({ ...context, embedder });

    expect(embedder.calls).toEqual([["gotcha in a.ts, auth: expires"]]);
  });

  it("[V5] is ready at once where nothing waits, and else when nothing waits any more", async () => {
    const [empty, full] = [await projectContext(), await storeWith("a", "b", "c")];
    await remember(empty, [{ content: "forgotten" }]);
    await forget(empty, await idsOf(empty));
    const embedder = fakeEmbedder();

    await embedPending({ ...empty, embedder });
    await embedPending({ ...full, embedder }, { limit: 2 });
    const halfway = await full.store.read(findActiveModel);
    await embedPending({ ...full, embedder });

    expect((await empty.store.read(findActiveModel))?.readyAt).toBeDefined();
    expect(halfway).toMatchObject({ id: "fake:words:64", dimensions: 64 });
    expect(halfway?.readyAt).toBeUndefined();
    expect((await full.store.read(findActiveModel))?.readyAt).toBe("2026-11-15T12:00:00.000Z");
  });

  it("[V1] stops at its limit, and says how far it is", async () => {
    const context = await storeWith(...Array.from({ length: 150 }, (_, n) => `text ${n}`));
    const progress: { done: number; total: number }[] = [];

    const report = await embedPending(
      { ...context, embedder: fakeEmbedder() },
      { limit: 140, onProgress: (step) => progress.push(step) },
    );

    expect(report).toEqual({ embedded: 140, pending: 10, refused: 0 });
    expect(progress.at(-1)).toEqual({ done: 140, total: 140 });
    expect(progress.length).toBeGreaterThan(1);
  });

  it.each([
    ["its time is over", () => ({ timeoutMs: 300 })],
    ["it is told to", () => ({ signal: AbortSignal.timeout(300) })],
  ])("[V2] ends when %s, though the model hangs, and calls that no failure", async (_, endingSoon) => {
    const context = await storeWith("a");
    const embedder = fakeEmbedder();
    embedder.hang();

    const report = await embedPending({ ...context, embedder }, endingSoon());

    expect(report).toEqual({ embedded: 0, pending: 1, refused: 0 });
    expect(embedder.calls).toHaveLength(1);
    expect((await context.store.read(findActiveModel))?.failure).toBeUndefined();
  });

  it("[V3] lets others write while the model is asked, and keeps no vector of a text that changed meanwhile", async () => {
    const context = await storeWith("the old text", "another");
    const [id = ""] = await idsOf(context);
    const embedder = fakeEmbedder();
    const meddled = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        if (embedder.calls.length === 0) await revise(context, id, { content: "the new text" });
        return embedder.embed(...args);
      },
    };

    const report = await embedPending({ ...context, embedder: meddled });

    expect(embedder.calls).toEqual([["another", "the old text"], ["the new text"]]);
    expect(report).toEqual({ embedded: 2, pending: 0, refused: 0 });
    expect(await embeddedContents(context)).toEqual(["the new text", "another"]);
  });

  it.each([
    ["its text", { content: "changed" }],
    ["its files", { relatedFiles: ["b.ts"] }],
    ["its modules", { relatedModules: ["billing"] }],
  ])("[V4] is due again when a memory changes %s: the old vector goes with the old text", async (_, changes) => {
    const context = await storeWith("a", "b");
    await embedPending({ ...context, embedder: fakeEmbedder() });

    await revise(context, (await idsOf(context))[0] ?? "", changes);

    expect(await rowsOf(context, "SELECT count(*) AS vectors FROM memory_vectors")).toEqual([{ vectors: 1 }]);
    expect(await embedPending({ ...context, embedder: fakeEmbedder() })).toMatchObject({ embedded: 1, pending: 0 });
  });

  it("[V4] is not due again when a memory changes something that is not embedded", async () => {
    const context = await storeWith("a");
    await embedPending({ ...context, embedder: fakeEmbedder() });

    await revise(context, (await idsOf(context))[0] ?? "", { tags: ["t"], confidence: 0.4 });

    expect(await embedPending({ ...context, embedder: fakeEmbedder() })).toEqual({
      embedded: 0,
      pending: 0,
      refused: 0,
    });
  });

  it.each([
    ["fails", "The fake model is down."],
    ["lies", "fake:words:64 answered with a vector of 65 dimensions where 64 were expected."],
  ])("[V2] loses nothing when the model %s, says so, and goes on when it has recovered", async (how, failure) => {
    const context = await storeWith("a", "b");
    const embedder = fakeEmbedder();
    if (how === "fails") embedder.fail();
    else embedder.lie();

    const report = await embedPending({ ...context, embedder });
    const noted = await context.store.read(findActiveModel);
    embedder.recover();
    const later = await embedPending({ ...context, embedder });

    expect(report).toEqual({ embedded: 0, pending: 2, refused: 0, failure, hint: expect.any(String) });
    expect(noted).toMatchObject({ failure, failedAt: "2026-11-15T12:00:00.000Z" });
    expect(later).toEqual({ embedded: 2, pending: 0, refused: 0 });
    expect((await context.store.read(findActiveModel))?.failure).toBeUndefined();
  });

  it("[V2] asks a model that does not answer no more than twice", async () => {
    const context = await storeWith(...Array.from({ length: 100 }, (_, n) => `text ${n}`));
    const embedder = fakeEmbedder();
    embedder.fail();

    await embedPending({ ...context, embedder });

    expect(embedder.calls).toHaveLength(2);
  });

  it("[V3] keeps what was made before the model failed", async () => {
    const context = await storeWith(...Array.from({ length: 100 }, (_, n) => `text ${n}`));
    const embedder = fakeEmbedder();
    const failing = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        if (embedder.calls.length === 1) embedder.fail();
        return embedder.embed(...args);
      },
    };

    const report = await embedPending({ ...context, embedder: failing });

    expect(report.failure).toBe("The fake model is down.");
    expect(report.embedded).toBe(embedder.calls[0]?.length);
    expect(report.embedded + report.pending).toBe(100);
  });

  it("[V2] keeps nothing of what a model says about its failure: it may be what it was given", async () => {
    const context = await storeWith("a");
    const broken = checkedEmbedder({
      ...fakeEmbedder(),
      embed: () => Promise.reject(new Error("cannot embed “the secret of a memory”")),
    });

    const report = await embedPending({ ...context, embedder: broken });

    expect(report.failure).toBe("fake:words:64 failed: “cannot embed “the secret of a memory””");
    expect((await context.store.read(findActiveModel))?.failure).toBe("fake:words:64 failed.");
  });

  it("[V2] calls it no refusal when somebody gives up while the beginning of a text is embedded", async () => {
    const context = await storeWith("word ".repeat(2000));
    const [embedder, caller] = [fakeEmbedder(), new AbortController()];
    const givenUp = {
      ...embedder,
      embed: async (...[texts, kind]: Parameters<typeof embedder.embed>) => {
        if (texts[0]?.length === 4000) caller.abort();
        if (texts[0]?.startsWith("word")) throw new Error("too long, or too late");
        return embedder.embed(texts, kind);
      },
    };

    const report = await embedPending({ ...context, embedder: givenUp }, { signal: caller.signal });

    expect(caller.signal.aborted).toBe(true);
    expect(report).toEqual({ embedded: 0, pending: 1, refused: 0 });
  });

  it("[V2] embeds the others when the model refuses one, and is ready without it", async () => {
    const context = await storeWith(...Array.from({ length: 40 }, (_, n) => (n === 17 ? "poison" : `text ${n}`)));
    const embedder = fakeEmbedder();
    embedder.refuse(/poison/);

    const report = await embedPending({ ...context, embedder });

    expect(report).toEqual({ embedded: 39, pending: 1, refused: 1 });
    expect(await context.store.read(findActiveModel)).toMatchObject({ readyAt: expect.any(String) });
    expect(await embeddedContents(context)).not.toContain("poison");
  });

  it("[V2] embeds the beginning of a text that is too long for the model", async () => {
    const context = await storeWith("a", `long ${"word ".repeat(2000)}`);
    const embedder = fakeEmbedder();
    embedder.refuse(/^.{5000}/);

    expect(await embedPending({ ...context, embedder })).toEqual({ embedded: 2, pending: 0, refused: 0 });
  });

  it("[V3] does no harm when two do it at once", async () => {
    const context = await storeWith(...Array.from({ length: 120 }, (_, n) => `text ${n}`));
    const embedders = [fakeEmbedder(), fakeEmbedder()];
    for (const embedder of embedders) embedder.slow(5);

    await Promise.all(embedders.map((embedder) => embedPending({ ...context, embedder })));

    expect(await embeddedContents(context)).toHaveLength(120);
    expect(await rowsOf(context, "SELECT count(*) AS vectors FROM memory_vectors")).toEqual([{ vectors: 120 }]);
  });
});

describe("switching the model", () => {
  it("[V5] embeds everything anew, one by one, and resumes where it was", async () => {
    const context = await storeWith("a", "b", "c");
    const other = fakeEmbedder({ modelId: "fake:other:64" });
    await embedPending({ ...context, embedder: fakeEmbedder() });

    const first = await embedPending({ ...context, embedder: other }, { limit: 1 });
    const between = await rowsOf(
      context,
      "SELECT count(*) AS rows, model_number FROM memory_vectors GROUP BY model_number",
    );
    const rest = await embedPending({ ...context, embedder: other });

    expect(first).toEqual({ embedded: 1, pending: 2, refused: 0 });
    expect(between).toHaveLength(2);
    expect(rest).toEqual({ embedded: 2, pending: 0, refused: 0 });
    expect(await context.store.read(findActiveModel)).toMatchObject({
      id: "fake:other:64",
      readyAt: expect.any(String),
    });
    expect(await rowsOf(context, "SELECT DISTINCT model_number FROM memory_vectors")).toHaveLength(1);
  });

  it("[V5] leaves the model that counts in its place until the new one has answered", async () => {
    const context = await storeWith("a", "b");
    await embedPending({ ...context, embedder: fakeEmbedder() });
    const broken = fakeEmbedder({ modelId: "fake:other:64" });
    broken.fail();

    const report = await embedPending({ ...context, embedder: broken });

    expect(report).toMatchObject({ embedded: 0, pending: 2, failure: "The fake model is down." });
    expect(await context.store.read(findActiveModel)).toMatchObject({
      id: "fake:words:64",
      readyAt: expect.any(String),
    });
  });

  it("[V5] refuses a model of another size that goes by the same id, whether it counts now or did once", async () => {
    const context = await storeWith("a");
    const failure = "fake:words:64 has 128 dimensions, and had 64 when it embedded the memories.";
    const larger = fakeEmbedder({ dimensions: 128 });
    await embedPending({ ...context, embedder: fakeEmbedder() });

    const now = await embedPending({ ...context, embedder: larger });
    await embedPending({ ...context, embedder: fakeEmbedder({ modelId: "fake:other:64" }) });
    const later = await embedPending({ ...context, embedder: larger });

    expect([now, later]).toMatchObject([{ failure }, { failure, hint: expect.stringContaining("another id") }]);
    expect(larger.calls).toEqual([]);
  });

  it("[V5] learns how long the smaller vectors of a known model are", async () => {
    const context = await storeWith("a");
    await embedPending({ ...context, embedder: fakeEmbedder() });
    const before = await context.store.read(findActiveModel);

    await embedPending({ ...context, embedder: fakeEmbedder({ candidateDimensions: 32 }) });

    expect(await context.store.read(findActiveModel)).toEqual({ ...before, candidateDimensions: 32 });
  });

  it("[V5] is not ready after switching back until everything is embedded again", async () => {
    const context = await storeWith("a", "b");
    await embedPending({ ...context, embedder: fakeEmbedder() });
    await embedPending({ ...context, embedder: fakeEmbedder({ modelId: "fake:other:64" }) });

    await embedPending({ ...context, embedder: fakeEmbedder() }, { limit: 1 });

    expect((await context.store.read(findActiveModel))?.readyAt).toBeUndefined();
  });

  it("[V5] ends a run of the older model, whose vectors are kept no more", async () => {
    const context = await storeWith(...Array.from({ length: 300 }, (_, n) => `text ${n}`));
    const older = fakeEmbedder();
    const overtaken = {
      ...older,
      embed: async (...args: Parameters<typeof older.embed>) => {
        if (older.calls.length === 0) {
          await embedPending({ ...context, embedder: fakeEmbedder({ modelId: "fake:other:64" }) }, { limit: 1 });
        }
        return older.embed(...args);
      },
    };

    const report = await embedPending({ ...context, embedder: overtaken });

    expect(report.embedded).toBe(0);
    expect(await context.store.read(findActiveModel)).toMatchObject({ id: "fake:other:64" });
    expect(await rowsOf(context, "SELECT count(*) AS vectors FROM memory_vectors")).toEqual([{ vectors: 1 }]);
  });
});

describe("the cache of vectors", () => {
  it("[V7] spares the model a text that it has embedded within a week", async () => {
    const context = await storeWith("a", "b");
    const [id = ""] = await idsOf(context);
    const embedder = fakeEmbedder();
    await embedPending({ ...context, embedder });
    await revise(context, id, { content: "otherwise" });
    await embedPending({ ...context, embedder });

    await undo(context, id);
    await embedPending({ ...context, embedder });
    await revise(context, id, { content: "otherwise" });
    const eightDaysLater = () => new Date("2026-11-23T12:00:01.000Z");
    await embedPending({ ...context, now: eightDaysLater, embedder });

    expect(embedder.calls).toEqual([["b", "a"], ["otherwise"], ["otherwise"]]);
  });

  it("[V7] asks the model once for texts that are the same, of turns that are not", async () => {
    const context = await projectContext();
    await remember(context, [
      { content: "ok", type: "conversation" },
      { content: "ok", type: "conversation" },
    ]);
    const embedder = fakeEmbedder();

    expect(await embedPending({ ...context, embedder })).toEqual({ embedded: 2, pending: 0, refused: 0 });
    expect(embedder.calls).toEqual([["ok"]]);
  });

  it("[V7] is emptied by a purge: whose a vector in it is, nobody knows", async () => {
    const context = await storeWith("a", "b");
    await embedPending({ ...context, embedder: fakeEmbedder() });

    await purge(context, (await idsOf(context))[0] ?? "");

    expect(await rowsOf(context, "SELECT count(*) AS cached FROM embedding_cache")).toEqual([{ cached: 0 }]);
    expect(await rowsOf(context, "SELECT count(*) AS vectors FROM memory_vectors")).toEqual([{ vectors: 1 }]);
  });

  it("[V7] keeps no vector of what was purged while the model was asked", async () => {
    const context = await storeWith("a", "the victim");
    const victim = (await idsOf(context))[1] ?? "";
    const embedder = fakeEmbedder();
    const meddled = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        await purge(context, victim);
        return embedder.embed(...args);
      },
    };

    await embedPending({ ...context, embedder: meddled });

    expect(embedder.calls).toEqual([["the victim", "a"]]);
    expect(await rowsOf(context, "SELECT count(*) AS cached FROM embedding_cache")).toEqual([{ cached: 1 }]);
  });

  it("[V7] lets go of what is over a week old with the next write, and of the oldest when there are too many", async () => {
    const { store } = await projectContext();
    const day = (n: number) => new Date(Date.UTC(2026, 10, n));
    const vectors = (name: string, count: number) =>
      new Map(Array.from({ length: count }, (_, n) => [`${name} ${n}`, Float32Array.of(n, 1)]));
    await store.write(async (writer) => storeCached(writer, vectors("old", 2), day(1)));

    await store.write(async (writer) => storeCached(writer, vectors("more", maxCached - 1), day(2)));
    const afterMore = await store.read((reader) => listCached(reader, ["old 0", "old 1", "more 0"], day(2)));
    await store.write(async (writer) => storeCached(writer, vectors("last", 1), day(9)));
    const [left] = await store.read((reader) => reader.rows("SELECT group_concat(key) AS keys FROM embedding_cache"));

    expect([...afterMore.keys()].filter((key) => key.startsWith("old"))).toHaveLength(1);
    expect(afterMore.get("more 0")).toEqual(Float32Array.of(0, 1));
    expect(left).toEqual({ keys: "last 0" });
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

async function rowsOf({ store }: MemoryContext, sql: string): Promise<Row[]> {
  return (await store.read((reader) => reader.rows(sql))).map((row) => ({ ...row }));
}

async function idsOf(context: MemoryContext): Promise<string[]> {
  return (await rowsOf(context, "SELECT id FROM memories ORDER BY key")).map((row) => String(row["id"]));
}

/** What the memories say that have a vector of the active model, in the order in which they came. */
async function embeddedContents(context: MemoryContext): Promise<string[]> {
  const rows = await rowsOf(
    context,
    `SELECT m.content FROM memories AS m JOIN memory_vectors AS v ON v.memory_key = m.key
     WHERE v.model_number = m.embedded_by
       AND v.model_number = (SELECT CAST(value AS INTEGER) FROM store_state WHERE name = 'embedding_model')
     ORDER BY m.key`,
  );
  return rows.map((row) => String(row["content"]));
}
