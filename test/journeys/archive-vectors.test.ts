import { createClient } from "@libsql/client";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { fakeEmbedder, type FakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { contentsOf, openWithMeaning, withSynonyms } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const inputs = [
  { content: "ships leave on monday" },
  { content: "trains wait at noon", type: "gotcha", relatedFiles: ["src/trains.ts"] },
  { content: "planes never wait" },
];

describe("the database of an archive", () => {
  it("[E16] answers by meaning at once, and no memory is embedded again", async () => {
    const memory = await openWithMeaning(withSynonyms(fakeEmbedder(), { vessels: "ships" }), inputs);
    const model = fakeEmbedder();

    const copy = await openArchive(memory, model);
    const found = await copy.recall("vessels");
    await copy.embedPending();

    expect((await copy.stats()).embedding).toEqual({
      modelId: "fake:words:64",
      dimensions: 64,
      ready: true,
      embedded: 3,
      pending: 0,
    });
    expect(contentsOf(found)[0]).toBe("ships leave on monday");
    expect(model.calls).toEqual([["ships"]]);
  });

  it("[E16] holds vectors of the active model only, and leaves out what waits for one or is damaged", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openWithMeaning(fakeEmbedder({ modelId: "fake:older", dimensions: 32 }), inputs, { db });
    await memory.close();
    const newer = fakeEmbedder();
    const changing = await openWithMeaning(newer, [], { db });
    newer.refuse(/buses/);
    await harm(db, "planes never wait", Buffer.alloc(64 * 4, 0xff));
    const waiting = await changing.remember({ content: "buses come late" });

    const model = fakeEmbedder();
    const copy = await openArchive(changing, model, { isEmbedded: false });

    expect(await vectorsIn(copy)).toEqual([
      { content: "ships leave on monday", model: "fake:words:64", bytes: 256 },
      { content: "trains wait at noon", model: "fake:words:64", bytes: 256 },
    ]);
    expect((await copy.stats()).embedding).toMatchObject({ ready: false, embedded: 2, pending: 2 });
    expect(await copy.get(waiting.id)).toBeDefined();
  });

  it("[E16] is not mixed with another model: what another one is asked is embedded by it", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), inputs);
    const other = fakeEmbedder({ modelId: "fake:other", dimensions: 64 });

    const copy = await openArchive(memory, other);

    const before = await copy.recallReport("ships");
    await copy.embedPending();

    expect(before.mode).toBe("words");
    expect((await copy.stats()).embedding).toMatchObject({ modelId: "fake:other", embedded: 3, pending: 0 });
    expect(other.calls.flat()).toHaveLength(3);
  });

  it("[E16] says what is in the archive, and what is not", async () => {
    const memory = await openWithMeaning(fakeEmbedder(), inputs);
    const folder = join(temporaryFolder(), "archive");

    await memory.exchange.archive(folder);

    const text = readFileSync(join(folder, "README.md"), "utf8");
    expect(text).toContain("with 3 vectors of fake:words:64");
    expect(text).toContain("Not in it:");
  });

  it.each([
    ["too short", Buffer.alloc(32 * 4, 1)],
    ["not of numbers", Buffer.alloc(64 * 4, 0xff)],
  ])("[E16] with a vector that is %s answers all the same", async (_how, bytes) => {
    const memory = await openWithMeaning(fakeEmbedder(), inputs);
    const folder = join(temporaryFolder(), "archive");
    await memory.exchange.archive(folder);
    const db = join(folder, "memory.db");
    await harm(db, "planes never wait", bytes);
    const { id = "" } = await memory.projects.current();

    const copy = await openTestMemory({ db, project: id, embedder: fakeEmbedder() });
    const { mode, results } = await copy.recallReport("when do ships leave");

    expect(mode).toBe("hybrid");
    expect(contentsOf(results)[0]).toBe("ships leave on monday");
    expect(results.every(({ score }) => score >= 0 && score <= 1)).toBe(true);
  });
});

async function openArchive(memory: TacitMemory, embedder: FakeEmbedder, { isEmbedded = true } = {}) {
  const folder = join(temporaryFolder(), "archive");
  await memory.exchange.archive(folder);
  const { id = "" } = await memory.projects.current();
  const synonyms = withSynonyms(embedder, { vessels: "ships" });
  return openTestMemory({ db: join(folder, "memory.db"), project: id, embedder: isEmbedded ? synonyms : null });
}

/** Every vector of a store, by what its memory says. */
async function vectorsIn({ db }: TacitMemory): Promise<unknown[]> {
  const client = createClient({ url: `file:${db}` });
  try {
    const { rows } = await client.execute(
      `SELECT m.content, e.id AS model, length(v.vector) AS bytes FROM memory_vectors AS v
       JOIN memories AS m ON m.key = v.memory_key JOIN embedding_models AS e ON e.number = v.model_number
       ORDER BY m.content`,
    );
    return rows.map(({ content, model, bytes }) => ({ content, model, bytes }));
  } finally {
    client.close();
  }
}

/** Puts other bytes where the vector of a memory was. */
async function harm(db: string, content: string, vector: Buffer): Promise<void> {
  const client = createClient({ url: `file:${db}` });
  try {
    await client.execute({
      sql: `UPDATE memory_vectors SET vector = :vector, code = zeroblob((length(:vector) + 31) / 32)
        WHERE memory_key = (SELECT key FROM memories WHERE content = :content)`,
      args: { vector, content },
    });
  } finally {
    client.close();
  }
}
