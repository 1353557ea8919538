import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedding.js";

/**
 * What every embedder does, whoever provides it. `open` is called once for the whole suite and once more for the
 * embedder that is closed.
 */
export function embedderContract(name: string, open: () => Promise<Embedder>): void {
  describe(`${name}, as every embedder`, () => {
    let embedder: Embedder;

    beforeAll(async () => {
      embedder = await open();
    });

    afterAll(() => embedder.close?.());

    it("is named after its provider, its model and its dimensions", () => {
      expect(embedder.modelId).toMatch(/^[a-z-]+:.+:\d+$/);
      expect(embedder.modelId.split(":").at(-1)).toBe(String(embedder.dimensions));
    });

    it("keeps its name and its dimensions when it has worked", async () => {
      const { modelId, dimensions } = embedder;

      await embedder.embed(["the port is 8080"], "document");

      expect({ modelId: embedder.modelId, dimensions: embedder.dimensions }).toEqual({ modelId, dimensions });
    });

    it.each(["query", "document"] as const)("gives a %s one vector of length 1", async (kind) => {
      const vectors = await embedder.embed(["deploy on Fridays", "the port is 8080"], kind);

      expect(vectors.map(shapeOf)).toEqual(unitVectors(2, embedder));
    });

    it("keeps the order of the texts", async () => {
      const texts = ["deploy on Fridays", "a", `the cache is cleared at night ${"and in the morning ".repeat(20)}`];

      const together = await embedder.embed(texts, "document");
      const alone = await Promise.all(texts.map(async (text) => (await embedder.embed([text], "document"))[0]));

      for (const [index, vector] of together.entries()) {
        const nearest = alone.map((other) => cosine(vector, other));
        expect(nearest.indexOf(Math.max(...nearest))).toBe(index);
      }
    });

    it("gives the same text the same vector, alone and among others", async () => {
      const text = "tests run with vitest";

      const [alone] = await embedder.embed([text], "document");
      const [, among] = await embedder.embed(["deploy on Fridays", text, "b".repeat(500)], "document");

      expect(cosine(alone, among)).toBeGreaterThan(0.999);
    });

    it("gives different texts different vectors", async () => {
      const [one, other] = await embedder.embed(["tests run with vitest", "the cache is cleared at night"], "document");

      expect(cosine(one, other)).toBeLessThan(0.9);
    });

    it("gives nothing for no text", async () => {
      expect(await embedder.embed([], "document")).toEqual([]);
    });

    it("takes many texts", async () => {
      const texts = Array.from({ length: 150 }, (_, number) => `fact ${number}`);

      const vectors = await embedder.embed(texts, "document");

      expect(vectors.map(shapeOf)).toEqual(unitVectors(150, embedder));
    });

    it.each([
      ["empty", ""],
      ["blank", " \n\t "],
      ["100 kB long", "a long story ".repeat(8000)],
      ["one word of 100 kB", "x".repeat(100_000)],
      ["emoji", "👩‍👩‍👧 🚀"],
      ["Chinese", "记忆属于项目"],
      ["Arabic", "الذاكرة للمشروع"],
      ["with a NUL", "a\0b"],
      ["a NUL alone", "\0"],
      ["half a character", "a\ud83d"],
      ["half a character alone", "\udc00"],
    ])("takes a text that is %s", async (_what, text) => {
      const vectors = await embedder.embed([text, "an ordinary one"], "document");

      expect(vectors.map(shapeOf)).toEqual(unitVectors(2, embedder));
    });

    it("answers several callers at once", async () => {
      const texts = ["deploy on Fridays", "the port is 8080", "tests run with vitest"];

      const answers = await Promise.all(texts.map((text) => embedder.embed([text], "document")));

      const alone = await embedder.embed(texts, "document");
      for (const [index, [vector]] of answers.entries()) expect(cosine(vector, alone[index])).toBeGreaterThan(0.999);
    });

    it("does not begin when it was told to stop", async () => {
      const stopped = embedder.embed(["late"], "query", { signal: AbortSignal.abort() });

      await expect(stopped).rejects.toMatchObject({ name: "MemoryError", code: "model-failed" });
    });

    it("stops when it is told to, and answers the next", async () => {
      const controller = new AbortController();
      const texts = Array.from({ length: 150 }, (_, number) => `fact ${number}`);

      const stopped = embedder.embed(texts, "document", { signal: controller.signal });
      controller.abort();

      await expect(stopped).rejects.toMatchObject({ name: "MemoryError", code: "model-failed" });
      expect((await embedder.embed(["next"], "query")).map(shapeOf)).toEqual(unitVectors(1, embedder));
    });

    it("can be closed, and closed again", async () => {
      const another = await open();
      await another.embed(["soon closed"], "document");

      await another.close?.();

      await expect(another.close?.()).resolves.toBeUndefined();
    });
  });
}

/** The cosine of two vectors of length 1. */
export function cosine(one: Float32Array | undefined, other: Float32Array | undefined): number {
  if (!one || !other || one.length !== other.length) throw new Error("There are no two vectors of one length.");
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

interface Shape {
  dimensions: number;
  length: number;
}

function shapeOf(vector: Float32Array): Shape {
  return { dimensions: vector.length, length: Number(Math.sqrt(cosine(vector, vector)).toFixed(3)) };
}

function unitVectors(count: number, { dimensions }: Embedder): Shape[] {
  return Array.from({ length: count }, () => ({ dimensions, length: 1 }));
}
