import { describe, expect, it } from "vitest";
import { chunkTree } from "../../../test/support/chunk-tree.js";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { activateModel, findActiveModel } from "../../embedding/vectors/active-model.js";
import { embedChunks } from "./embed-chunks.js";

const done = { embedded: 0, pending: 0, refused: 0, changed: 0 };

describe("embedding chunks", () => {
  it("gives every chunk a vector of its place and its text, once", async () => {
    const tree = await chunkTree({ "src/a.txt": "apples\n", "b.md": "# Pears\ngreen\n" });
    const embedder = fakeEmbedder();

    expect(await embedChunks({ ...tree, embedder })).toEqual({ ...done, embedded: 2 });
    expect(await embedChunks({ ...tree, embedder })).toEqual(done);

    expect(embedder.calls).toEqual([["prose in src/a.txt:\napples", "prose Pears in b.md:\n# Pears\ngreen"]]);
    expect((await tree.store.read(findActiveModel))?.id).toBe(embedder.modelId);
    expect(await tree.rows("SELECT count(*) AS n FROM code_vectors WHERE length(vector) = 256")).toEqual([{ n: 2 }]);
  });

  it("sends no secret to the model", async () => {
    const tree = await chunkTree({ "settings.txt": "PORT=1\nPASSWORD=hunter2hunter2\n" });
    const embedder = fakeEmbedder();

    await embedChunks({ ...tree, embedder });

    expect(embedder.calls).toHaveLength(1);
    expect(JSON.stringify(embedder.calls)).not.toContain("hunter2");
  });

  it("leaves what has changed since it was indexed, or is gone, to the next indexing", async () => {
    const tree = await chunkTree({ "a.txt": "apples", "b.txt": "pears", "c.txt": "plums" });
    await tree.put({ "a.txt": "cherries", "b.txt": undefined }, { isIndexed: false });
    const embedder = fakeEmbedder();

    const first = await embedChunks({ ...tree, embedder });
    await tree.put({ "a.txt": "cherries" });
    const second = await embedChunks({ ...tree, embedder });

    expect(first).toEqual({ ...done, embedded: 1, pending: 2, changed: 2 });
    expect(second).toEqual({ ...done, embedded: 1, pending: 1, changed: 1 });
  });

  it("goes on where it ended, says how far it is, and keeps to its limit", async () => {
    const tree = await chunkTree(Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}.txt`, `text ${n}`])));
    const embedder = fakeEmbedder();
    const progress: { done: number; total: number }[] = [];

    const first = await embedChunks({ ...tree, embedder }, { limit: 270, onProgress: (step) => progress.push(step) });
    const second = await embedChunks({ ...tree, embedder });

    expect(first).toEqual({ ...done, embedded: 270, pending: 30 });
    expect(second).toEqual({ ...done, embedded: 30 });
    expect(progress.at(-1)).toEqual({ done: 270, total: 270 });
    expect(embedder.calls.flat()).toHaveLength(300);
  });

  it("stops when it is told to", async () => {
    const tree = await chunkTree({ "a.txt": "apples" });
    const embedder = fakeEmbedder();
    embedder.hang();

    const report = await embedChunks({ ...tree, embedder }, { signal: AbortSignal.timeout(200) });

    expect(report).toEqual({ ...done, pending: 1 });
  });

  it("tells why a model fails, and goes on once it answers", async () => {
    const tree = await chunkTree({ "a.txt": "apples" });
    const embedder = fakeEmbedder();
    embedder.fail("It is down.");

    const failed = await embedChunks({ ...tree, embedder });
    embedder.recover();
    const recovered = await embedChunks({ ...tree, embedder });

    expect(failed).toMatchObject({ embedded: 0, pending: 1, failure: "It is down." });
    expect(recovered).toEqual({ ...done, embedded: 1 });
  });

  it("leaves out what the model refuses, and embeds the rest", async () => {
    const tree = await chunkTree({ "a.txt": "apples", "b.txt": "pears" });
    const embedder = fakeEmbedder();
    embedder.refuse(/apples/);

    expect(await embedChunks({ ...tree, embedder })).toEqual({ ...done, embedded: 1, pending: 1, refused: 1 });
  });

  it("takes the vector of the same text in another worktree, and asks the model for nothing", async () => {
    const one = await chunkTree({ "a.txt": "apples", "b.txt": "pears" });
    const embedder = fakeEmbedder();
    await embedChunks({ ...one, embedder });
    const other = await chunkTree({ "a.txt": "apples", "b.txt": "other pears" }, one);

    expect(await embedChunks({ ...other, embedder })).toEqual({ ...done, embedded: 2 });

    expect(embedder.calls.slice(1)).toEqual([["prose in b.txt:\nother pears"]]);
    expect(await one.rows("SELECT count(*) AS n, count(DISTINCT vector) AS vectors FROM code_vectors")).toEqual([
      { n: 4, vectors: 3 },
    ]);
  });

  it("remembers for a while what a change of branches takes away", async () => {
    const tree = await chunkTree({ "a.txt": "apples" });
    const embedder = fakeEmbedder();
    await embedChunks({ ...tree, embedder });
    await tree.put({ "a.txt": "pears" });
    await embedChunks({ ...tree, embedder });
    await tree.put({ "a.txt": "apples" });

    expect(await embedChunks({ ...tree, embedder })).toEqual({ ...done, embedded: 1 });
    expect(embedder.calls).toHaveLength(2);
  });

  it("waits until the memories have taken to a new model, then makes new vectors", async () => {
    const tree = await chunkTree({ "a.txt": "apples" });
    await embedChunks({ ...tree, embedder: fakeEmbedder() });
    const embedder = fakeEmbedder({ modelId: "fake:other:32", dimensions: 32 });

    const before = await embedChunks({ ...tree, embedder });
    await tree.store.write(async (writer) => activateModel(writer, embedder, tree.now()));
    const after = await embedChunks({ ...tree, embedder });

    expect(before).toEqual({ ...done, pending: 1 });
    expect(after).toEqual({ ...done, embedded: 1 });
    expect(await tree.rows("SELECT length(vector) AS bytes FROM code_vectors")).toEqual([{ bytes: 128 }]);
  });

  it("lets others write while the model is asked, and keeps no vector of a text that changed meanwhile", async () => {
    const tree = await chunkTree({ "a.txt": "apples", "b.txt": "pears" });
    const embedder = fakeEmbedder();
    const meddled = {
      ...embedder,
      embed: async (...args: Parameters<typeof embedder.embed>) => {
        await tree.put({ "a.txt": "cherries" });
        return embedder.embed(...args);
      },
    };

    const report = await embedChunks({ ...tree, embedder: meddled });

    expect(report).toEqual({ ...done, embedded: 2 });
    expect(embedder.calls).toEqual([
      ["prose in a.txt:\napples", "prose in b.txt:\npears"],
      ["prose in a.txt:\ncherries"],
    ]);
    expect(await tree.rows("SELECT count(*) AS n FROM code_vectors")).toEqual([{ n: 2 }]);
  });
});
