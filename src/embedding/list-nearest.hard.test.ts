import type { MemoryContext } from "../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { keep, projectContext } from "../../test/support/keep-records.js";
import { randomFrom } from "../../test/torture/sentence.mjs";
import { filterConditions } from "../memory/read/memory-filter.js";
import { keyRange } from "../memory/read/memory-queries.js";
import type { MemoryFilter } from "../memory/memory.js";
import { remember } from "../memory/remember/remember-memories.js";
import { findActiveModel, type ActiveModel } from "./vectors/active-model.js";
import { BinaryVectorIndex } from "./vectors/binary-vector-index.js";
import { embedPending } from "./embed/embed-pending.js";
import type { Embedder } from "./embedding.js";
import { listNearest, similarities, type Nearest } from "./vectors/list-nearest.js";

const project = { number: 1, id: "test", name: "test" };
const dimensions = 128;
// More than are compared one by one.
const count = 2600;
const vectors = clusteredVectors(count);
const questions = clusteredVectors(40, 99);

describe("the nearest of many memories", () => {
  it("[V6] are those of comparing all, in the same order, in 98 of 100 cases at least", async () => {
    const embedded = await embeddedStore();
    let found = 0;
    for (const question of questions) {
      const nearest = await ask(embedded, embedded.index, question);
      const exact = exactNearest(question, 10);

      found += nearest.filter(({ key }) => exact.some((one) => one.key === key)).length;
      expect(nearest).toHaveLength(10);
      expect(nearest.map(({ similarity }) => similarity)).toEqual(
        nearest.map(({ key }) => expect.closeTo(exactSimilarity(question, key), 4)),
      );
      expect(nearest).toEqual(nearest.toSorted((a, b) => b.similarity - a.similarity));
    }

    expect(found / (10 * questions.length)).toBeGreaterThanOrEqual(0.98);
  });

  it("[E16] leave out a vector of another length, and are found in spite of it", async () => {
    const embedded = await embeddedStore();
    const [question = new Float32Array()] = questions;
    const rare = (key: number) => numberOf(key) % 100 === 0;
    const [first, ...others] = exactNearest(question, 11, rare);
    await shorten(embedded.context, first?.key ?? 0);

    const nearest = await ask(embedded, embedded.index, question, { tags: ["rare"] });

    expect(nearest.map(({ key }) => key)).toEqual(others.map(({ key }) => key));
  });

  it("[E16] keep their codes apart where one before them is too short", async () => {
    const context = await projectContext();
    const size = 256;
    const random = randomFrom(7);
    const known = [0, 1, 2].map(() => new Float32Array(size).map(() => random() - 0.5));
    await keep(
      context,
      known.map((_, n) => ({ content: `vector ${n}` })),
    );
    await embedPending({
      ...context,
      embedder: { ...embedderOf(known), modelId: "fake:vectors:256", dimensions: size },
    });
    const index = new BinaryVectorIndex(project, (await context.store.read(findActiveModel)) as ActiveModel);
    await shorten(context, keyOf(0));

    await context.store.read((reader) => index.learn(reader));

    expect([1, 2].map((n) => index.nearest(known[n] as Float32Array, 1))).toEqual([[keyOf(1)], [keyOf(2)]]);
  });

  it("[V6] are ten of the filter's own, though it leaves one of a hundred", async () => {
    const embedded = await embeddedStore();
    const rare = (key: number) => numberOf(key) % 100 === 0;
    for (const question of questions.slice(0, 5)) {
      const nearest = await ask(embedded, embedded.index, question, { tags: ["rare"] });

      expect(nearest.map(({ key }) => key)).toEqual(exactNearest(question, 10, rare).map(({ key }) => key));
    }
  });

  it("[V6] are the filter's own where it leaves more than are compared one by one", async () => {
    const embedded = await embeddedStore();
    const common = (key: number) => numberOf(key) % 10 !== 0;
    let found = 0;
    for (const question of questions) {
      const nearest = await ask(embedded, embedded.index, question, { tags: ["common"] });
      const exact = exactNearest(question, 10, common);

      expect(nearest.filter(({ key }) => !common(key))).toEqual([]);
      found += nearest.filter(({ key }) => exact.some((one) => one.key === key)).length;
    }

    expect(found / (10 * questions.length)).toBeGreaterThanOrEqual(0.98);
  });

  it("[V6] are found where all that are nearer are no longer true", async () => {
    const embedded = await embeddedStore();
    const [question = new Float32Array()] = questions;
    const nearer = new Set(exactNearest(question, 2000).map(({ key }) => key));
    await embedded.context.store.write(async (writer) =>
      writer.run("UPDATE memories SET valid_until = '2026-01-01' WHERE key IN (SELECT value FROM json_each(:nearer))", {
        nearer: JSON.stringify([...nearer]),
      }),
    );

    const nearest = await ask(embedded, embedded.index, question);

    const exact = exactNearest(question, 10, (key) => !nearer.has(key));
    expect(nearest.map(({ key }) => key)).toEqual(exact.map(({ key }) => key));
  });

  it("[V6] are found by the first dimensions of a Matryoshka model, and compared by all", async () => {
    const embedded = await embeddedStore();
    const model = { ...embedded.model, candidateDimensions: 64 };
    const index = new BinaryVectorIndex(project, model);
    for (const question of questions.slice(0, 10)) {
      const [nearest] = await ask({ ...embedded, model }, index, question);
      const [exact] = exactNearest(question, 1);

      expect(nearest?.key).toBe(exact?.key);
      expect(nearest?.similarity).toBeCloseTo(exact?.similarity ?? 0, 4);
    }
  });

  it("are none where none are wanted, and as many as there are where all are", async () => {
    const embedded = await embeddedStore();
    const [question = new Float32Array()] = questions;

    expect(await ask(embedded, embedded.index, question, { limit: 0 })).toEqual([]);
    expect(await ask(embedded, embedded.index, question, { limit: 10_000 })).toHaveLength(count);
  });

  it("can be told how near the chosen ones are", async () => {
    const embedded = await embeddedStore();
    const [question = new Float32Array()] = questions;
    const keys = [keyOf(5), keyOf(77), keyOf(99_999)];

    const found = await embedded.context.store.read((reader) =>
      similarities(reader, keys, { vector: question, model: embedded.model }),
    );

    expect(Object.fromEntries(found)).toEqual({
      [keyOf(5)]: expect.closeTo(exactSimilarity(question, keyOf(5)), 4),
      [keyOf(77)]: expect.closeTo(exactSimilarity(question, keyOf(77)), 4),
    });
    expect(
      await embedded.context.store.read((reader) =>
        similarities(reader, keys, { vector: question, model: { ...embedded.model, number: 2 } }),
      ),
    ).toEqual(new Map());
  });
});

describe("the codes in memory", () => {
  it("[V6] learn what others embed later, and let go of what was removed", async () => {
    const embedded = await embeddedStore();
    const { context, index } = embedded;
    const [question = new Float32Array()] = questions;
    const before = await ask(embedded, index, question);

    // All that is near goes away, and one comes that is nearer than anything.
    const gone = new Set(exactNearest(question, 1500).map(({ key }) => key));
    await context.store.write(async (writer) => {
      await writer.run("DELETE FROM memory_words WHERE rowid IN (SELECT value FROM json_each(:gone))", {
        gone: JSON.stringify([...gone]),
      });
      await writer.run("DELETE FROM memories WHERE key IN (SELECT value FROM json_each(:gone))", {
        gone: JSON.stringify([...gone]),
      });
    });
    await remember(context, [{ content: `vector ${count}` }]);
    await embedPending({ ...context, embedder: embedderOf([...vectors, question]) });
    const after = await ask(embedded, index, question);

    const left = exactNearest(question, 9, (key) => !gone.has(key)).map(({ key }) => key);
    expect(before).toHaveLength(10);
    expect(after[0]?.similarity).toBeCloseTo(1, 4);
    expect(after.slice(1).map(({ key }) => key)).toEqual(left);
    expect(index.nearest(question, count)).toHaveLength(count - gone.size + 1);
  });

  it("[V6] compare what was embedded again by its new vector", async () => {
    const embedded = await embeddedStore();
    const { context, index } = embedded;
    const [question = new Float32Array()] = questions;
    const farthest = exactNearest(question, count).at(-1)?.key ?? 0;
    await ask(embedded, index, question);

    await context.store.write(async (writer) =>
      writer.run("UPDATE memories SET content = :content WHERE key = :key", {
        content: `vector ${count}`,
        key: BigInt(farthest),
      }),
    );
    await embedPending({ ...context, embedder: embedderOf([...vectors, question]) });
    const [nearest] = await ask(embedded, index, question);

    expect(nearest).toEqual({ key: farthest, similarity: expect.closeTo(1, 4) });
  });

  it("are read anew when another store has taken the place of the one they are of", async () => {
    const [first, second] = [await embeddedStore(), await embeddedStore(2100)];
    const [question = new Float32Array()] = questions;
    await ask(first, first.index, question);

    const nearest = await ask(second, first.index, question);

    expect(nearest).toHaveLength(10);
    expect(first.index.nearest(question, count)).toHaveLength(2100);
  });
});

interface Embedded {
  context: MemoryContext;
  model: ActiveModel;
  index: BinaryVectorIndex;
}

async function embeddedStore(size = count): Promise<Embedded> {
  const context = await projectContext();
  await keep(
    context,
    Array.from({ length: size }, (_, n) => ({
      content: `vector ${n}`,
      tags: [...(n % 100 === 0 ? ["rare"] : []), ...(n % 10 === 0 ? [] : ["common"])],
    })),
  );
  await embedPending({ ...context, embedder: embedderOf(vectors) });
  const model = (await context.store.read(findActiveModel)) as ActiveModel;
  return { context, model, index: new BinaryVectorIndex(project, model) };
}

/** Leaves one number of a vector, as a store may have it that somebody else has made. */
async function shorten({ store }: MemoryContext, key: number): Promise<void> {
  await store.write(async (writer) =>
    writer.run("UPDATE memory_vectors SET vector = zeroblob(4), code = zeroblob(1) WHERE memory_key = :key", {
      key: BigInt(key),
    }),
  );
}

/** Gives a text that names one of these vectors just that vector. */
function embedderOf(known: Float32Array[]): Embedder {
  return {
    modelId: "fake:vectors:128",
    dimensions,
    embed: async (texts) => texts.map((text) => known[Number(text.replace("vector ", ""))] as Float32Array),
  };
}

async function ask(
  { context, model }: Embedded,
  index: BinaryVectorIndex,
  vector: Float32Array,
  { limit = 10, ...filter }: MemoryFilter & { limit?: number } = {},
): Promise<Nearest[]> {
  const sql = filterConditions(filter, project, context.now());
  return context.store.read((reader) => listNearest(reader, index, project, { vector, model }, sql, limit));
}

function keyOf(number: number): number {
  return Number(keyRange(project).first) + 1 + number;
}

function numberOf(key: number): number {
  return key - keyOf(0);
}

function exactSimilarity(question: Float32Array, key: number): number {
  return (vectors[numberOf(key)] as Float32Array).reduce(
    (sum, value, index) => sum + value * (question[index] ?? 0),
    0,
  );
}

function exactNearest(question: Float32Array, limit: number, isMeant = (_key: number) => true): Nearest[] {
  return vectors
    .map((_, number) => ({ key: keyOf(number), similarity: exactSimilarity(question, keyOf(number)) }))
    .filter(({ key }) => isMeant(key))
    .toSorted((a, b) => b.similarity - a.similarity || b.key - a.key)
    .slice(0, limit);
}

/** Vectors of length 1 around fifty directions, as texts about fifty things have; the same ones for the same seed. */
function clusteredVectors(amount: number, seed = 1): Float32Array[] {
  const topics = Array.from({ length: 50 }, (_, topic) => direction(randomFrom(1000 + topic)));
  const random = randomFrom(seed);
  return Array.from({ length: amount }, () => {
    const topic = topics[Math.floor(random() * topics.length)] as Float32Array;
    const own = direction(random);
    return unit(topic.map((value, index) => 0.6 * value + 0.8 * (own[index] as number)));
  });
}

function direction(random: () => number): Float32Array {
  // The sum of four is nearly normal, so that no axis is special.
  return unit(Float32Array.from({ length: dimensions }, () => random() + random() + random() + random() - 2));
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
