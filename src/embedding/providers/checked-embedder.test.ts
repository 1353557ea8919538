import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkedEmbedder } from "./checked-embedder.js";
import type { Embedder } from "../embedding.js";

describe("a checked embedder", () => {
  it("brings every vector to length 1, and keeps what the embedder says of itself", async () => {
    const embedder = checkedEmbedder({
      ...embedderThat(async (texts) => texts.map(() => [3, 0, 4, 0])),
      candidateDimensions: 2,
    });

    const vectors = await embedder.embed(["a", "b"], "document");

    expect(vectors).toEqual([Float32Array.of(0.6, 0, 0.8, 0), Float32Array.of(0.6, 0, 0.8, 0)]);
    expect(embedder).toMatchObject({ modelId: "test:four:4", dimensions: 4, candidateDimensions: 2 });
  });

  it.each([
    ["64-bit floats", Float64Array.of(3, 0, 4, 0)],
    ["a plain list", [3, 0, 4, 0]],
  ])("makes 32-bit floats of %s, which a program's embedder may give", async (_what, vector) => {
    const embed = async () => [vector as unknown as Float32Array];
    const embedder = checkedEmbedder({ ...embedderThat(async () => []), embed });

    expect(await embedder.embed(["a"], "document")).toEqual([Float32Array.of(0.6, 0, 0.8, 0)]);
  });

  it("does not ask for nothing", async () => {
    let asked = 0;
    const embedder = checkedEmbedder(embedderThat(async () => ((asked += 1), [])));

    expect(await embedder.embed([], "query")).toEqual([]);
    expect(asked).toBe(0);
  });

  it("sends no more texts at once than it may, and keeps their order", async () => {
    const sizes: number[] = [];
    const embedder = checkedEmbedder(
      embedderThat(async (texts) => {
        sizes.push(texts.length);
        return texts.map((text) => [Number(text), 1, 0, 0]);
      }),
      { textsPerCall: 3 },
    );

    const vectors = await embedder.embed(["0", "1", "2", "3", "4", "5", "6"], "document");

    expect(sizes).toEqual([3, 3, 1]);
    expect(vectors.map(([first = 0, second = 1]) => Math.round(first / second))).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it.each([
    ["too few vectors", [], "0 vectors for 1 texts"],
    [
      "too many vectors",
      [
        [1, 0, 0, 0],
        [1, 0, 0, 0],
      ],
      "2 vectors for 1 texts",
    ],
    ["too few dimensions", [[1, 0, 0]], "a vector of 3 dimensions where 4 were expected"],
    ["too many dimensions", [[1, 0, 0, 0, 0]], "a vector of 5 dimensions where 4 were expected"],
    ["NaN", [[1, Number.NaN, 0, 0]], "a vector with something in it that is no finite number"],
    ["infinity", [[1, Number.POSITIVE_INFINITY, 0, 0]], "a vector with something in it that is no finite number"],
    ["zeros", [[0, 0, 0, 0]], "a vector of nothing but zeros"],
  ])("does not believe %s", async (_what, answer, expected) => {
    const embedder = checkedEmbedder(embedderThat(async () => answer));

    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({
      code: "model-failed",
      message: `test:four:4 answered with ${expected}.`,
    });
  });

  it("waits no longer than it was told, for each kind, even if the embedder does not heed its signal", async () => {
    const embedder = checkedEmbedder(
      embedderThat(async () => new Promise(() => {})),
      {
        timeoutsMs: { query: 20, document: 40 },
      },
    );

    const outcomes = await Promise.allSettled([embedder.embed(["a"], "query"), embedder.embed(["a"], "document")]);

    expect(outcomes.map((outcome) => outcome.status === "rejected" && (outcome.reason as Error).message)).toEqual([
      "test:four:4 did not answer within 20 ms.",
      "test:four:4 did not answer within 40 ms.",
    ]);
  });

  it("waits for nobody without end", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const embedder = checkedEmbedder(embedderThat(async () => new Promise(() => {})));

    const outcomes = Promise.allSettled([embedder.embed(["a"], "query"), embedder.embed(["a"], "document")]);
    await vi.advanceTimersByTimeAsync(60_000);

    expect((await outcomes).map((outcome) => outcome.status === "rejected" && outcome.reason)).toMatchObject([
      { message: "test:four:4 did not answer within 10000 ms." },
      { message: "test:four:4 did not answer within 60000 ms." },
    ]);
  });

  it("stops when the caller does, and tells the embedder", async () => {
    const caller = new AbortController();
    let told: AbortSignal | undefined;
    const embedder = checkedEmbedder(
      embedderThat(async (_texts, signal) => {
        told = signal;
        return new Promise(() => {});
      }),
    );

    const embedding = embedder.embed(["a"], "query", { signal: caller.signal });
    caller.abort();

    await expect(embedding).rejects.toMatchObject({
      code: "model-failed",
      message: "test:four:4 was no longer waited for.",
    });
    expect(told?.aborted).toBe(true);
  });

  it("asks nobody for a caller who has stopped already", async () => {
    let asked = 0;
    const embedder = checkedEmbedder(embedderThat(async () => ((asked += 1), [[1, 0, 0, 0]])));

    await expect(embedder.embed(["a"], "query", { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "model-failed",
    });
    expect(asked).toBe(0);
  });

  it("makes a MemoryError of whatever is thrown, and closes what it wraps", async () => {
    let closed = false;
    const failing = embedderThat(async () => {
      throw new Error("out of memory\u001B[31m");
    });
    const embedder = checkedEmbedder({ ...failing, close: async () => void (closed = true) });

    const refusal: unknown = await embedder.embed(["a"], "query").catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: "model-failed", message: expect.stringContaining("failed: “out of memory") });
    expect((refusal as Error).message).not.toContain("\u001B");
    await embedder.close?.();
    expect(closed).toBe(true);
  });
});

/** An embedder of four dimensions that answers so. */
function embedderThat(answer: (texts: string[], signal?: AbortSignal) => Promise<number[][]>): Embedder {
  return {
    modelId: "test:four:4",
    dimensions: 4,
    embed: async (texts, _kind, { signal } = {}) =>
      (await answer(texts, signal)).map((vector) => Float32Array.from(vector)),
  };
}
