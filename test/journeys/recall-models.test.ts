import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Embedder, GenerateRequest, LanguageModel, RecallOptions, Reranker } from "../../src/index.js";
import { MemoryError } from "../../src/index.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { contentsOf, openWithMeaning } from "../support/open-with-meaning.js";
import { letTimePass } from "../support/let-time-pass.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const cars = "automobiles need petrol every week";
const inputs = [cars, "tea is served at noon", "the office closes at night"].map((content) => ({ content }));

describe("a language model", () => {
  it("[R17] imagines an answer where little was found, and what means the same comes", async () => {
    const languageModel = fakeLanguageModel(async () => cars);
    const memory = await openWithMeaning(fakeEmbedder(), inputs, { languageModel });
    const unaided = await openWithMeaning(fakeEmbedder(), inputs, { languageModel: null });

    const results = await memory.recall("cost of transport");

    expect(contentsOf(await unaided.recall("cost of transport"))).not.toContain(cars);
    expect(results[0]).toMatchObject({ memory: { content: cars }, why: "means something similar" });
    expect(languageModel.requests).toHaveLength(1);
    expect(languageModel.requests[0]).toMatchObject({ purpose: "imagine", timeoutMs: expect.any(Number) });
    expect(languageModel.requests[0]?.prompt).toContain('"cost of transport"');
  });

  it.each<[string, string, RecallOptions]>([
    ["there are three good results", "petrol station", {}],
    ["nobody asked", "cost of transport", { explicit: false }],
    ["words are asked for", "cost of transport", { mode: "words" }],
    ["nothing is wanted", "cost of transport", { limit: 0 }],
  ])("[R17] is not asked where %s", async (_when, question, options) => {
    const languageModel = fakeLanguageModel(async () => cars);
    const stations = ["one", "two", "three"].map((number) => ({ content: `petrol station ${number}` }));
    const memory = await openWithMeaning(fakeEmbedder(), [...inputs, ...stations], { languageModel });

    await memory.recall(question, options);

    expect(languageModel.requests).toEqual([]);
  });

  it("[R17] is asked where two results are good and the third is not", async () => {
    const languageModel = fakeLanguageModel(async () => undefined);
    const stations = ["one", "two"].map((number) => ({ content: `petrol station ${number}` }));
    const memory = await openWithMeaning(fakeEmbedder(), [...inputs, ...stations], { languageModel });

    const results = await memory.recall("petrol station");

    expect(results.filter(({ score }) => score > 0.5)).toHaveLength(2);
    expect(languageModel.requests).toHaveLength(1);
  });

  it.each<[string, () => Promise<string | undefined>]>([
    ["gives up", async () => undefined],
    ["says nothing", async () => " \n"],
    ["fails", async () => Promise.reject(new Error("no model"))],
    [
      "throws at once",
      () => {
        throw new Error("no model");
      },
    ],
  ])("[R17] that %s changes nothing", async (_what, answer) => {
    const memory = await openWithMeaning(fakeEmbedder(), inputs, { languageModel: fakeLanguageModel(answer) });
    const unaided = await openWithMeaning(fakeEmbedder(), inputs, { languageModel: null });

    const report = await memory.recallReport("petrol and transport");

    const expected = await unaided.recallReport("petrol and transport");
    expect(report.results.map(({ score }) => score)).toEqual(expected.results.map(({ score }) => score));
    expect(contentsOf(report.results)).toEqual(contentsOf(expected.results));
    expect(report).toMatchObject({ mode: "hybrid", notes: [] });
  });

  it("[R17] that hangs is waited for until its deadline", async () => {
    const languageModel = fakeLanguageModel(() => new Promise(() => undefined));
    const memory = await openWithMeaning(fakeEmbedder(), inputs, { languageModel });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());

    const answer = memory.recall("petrol and transport");
    await vi.waitUntil(() => languageModel.requests.length === 1);
    await vi.advanceTimersByTimeAsync(languageModel.requests[0]?.timeoutMs ?? 0);

    expect(contentsOf(await answer)[0]).toBe(cars);
  });

  it("[R17] [K2] is done without where the configuration is not in order", async () => {
    const home = temporaryFolder();
    vi.stubEnv("TACIT_HOME", home);
    const memory = await openWithMeaning(fakeEmbedder(), inputs);
    writeFileSync(join(home, "tacit.config.json"), "{ not json");

    // What is set is looked at once a second.
    letTimePass(1100);
    const { mode, results, notes } = await memory.recallReport("petrol at the office");

    expect(mode).toBe("hybrid");
    expect(contentsOf(results)).toContain(cars);
    expect(notes).toEqual([expect.stringMatching(/^Not reranked: .*tacit\.config\.json/)]);
  });

  it("[R17] leaves no trace of the first search in the explanation of the second", async () => {
    const question = "cache of transport";
    const embedder = embedderOf({ [question]: [1, 0, 0], imagined: [0, 0, 1], "cache one": [0.2, 0.98, 0] });
    const memory = await openWithMeaning(embedder, [{ content: "cache one" }], {
      languageModel: fakeLanguageModel(async () => "imagined"),
    });

    const [before] = await memory.recall(question, { explain: true, explicit: false });
    const [after] = await memory.recall(question, { explain: true });

    expect(before?.explanation?.paths.meaning).toMatchObject({ rank: 1 });
    expect(after?.explanation?.paths).toEqual({ words: before?.explanation?.paths.words });
  });
});

describe("a reranker", () => {
  const caches = Array.from({ length: 25 }, (_, n) => ({ content: `cache number ${n}` }));

  it("[R17] puts the first twenty into its own order, with the scores that they had between them", async () => {
    const reranker = fakeReranker((documents) => documents.map((_, index) => index / documents.length));
    const memory = await openWithMeaning(fakeEmbedder(), caches, { reranker });
    const plain = await openWithMeaning(fakeEmbedder(), caches, { reranker: null });

    const results = await memory.recall("cache", { explain: true });

    const before = await plain.recall("cache");
    const inOrder = contentsOf(before);
    expect(contentsOf(results)).toEqual([...inOrder.slice(0, 20).toReversed(), ...inOrder.slice(20)]);
    expect(results.map(({ score }) => score)).toEqual(before.map(({ score }) => score));
    expect(reranker.asked).toEqual([{ question: "cache", documents: inOrder.slice(0, 20) }]);
    expect(results[0]?.explanation?.reranked).toBe(19 / 20);
    expect(results[20]?.explanation?.reranked).toBeUndefined();
  });

  it("[R3] [R17] leaves an exact name where it is", async () => {
    const reranker = fakeReranker((documents) => documents.map((text) => (text.includes("red") ? 0 : 1)));
    const memory = await openWithMeaning(fakeEmbedder(), [...caches, { content: "the red button", name: "cache" }], {
      reranker,
    });

    const [first] = await memory.recall("cache");

    expect(first).toMatchObject({ memory: { content: "the red button" }, score: 1 });
  });

  it.each<[string, Parameters<typeof fakeReranker>[0], string]>([
    ["fails", fails(new MemoryError("model-failed", "It is down.", "Wait.")), "Not reranked: It is down."],
    ["throws anything", fails(new TypeError("not a function")), "Not reranked: fake:reranker failed: “not a function”"],
    ["answers too little", () => [1], "Not reranked: fake:reranker gave no score for each memory."],
    [
      "answers no numbers",
      (documents) => documents.map(() => NaN),
      "Not reranked: fake:reranker gave no score for each memory.",
    ],
  ])("[R17] that %s changes nothing, and it is said", async (_what, score, note) => {
    const memory = await openWithMeaning(fakeEmbedder(), caches, { reranker: fakeReranker(score) });
    const plain = await openWithMeaning(fakeEmbedder(), caches, { reranker: null });

    const report = await memory.recallReport("cache");

    expect(contentsOf(report.results)).toEqual(contentsOf(await plain.recall("cache")));
    expect(report.notes).toEqual([note]);
  });

  it("[R17] is not asked about a single result, nor where words are asked for", async () => {
    const reranker = fakeReranker((documents) => documents.map(() => 1));
    const memory = await openWithMeaning(fakeEmbedder(), [...caches, { content: "cache alone", tags: ["alone"] }], {
      reranker,
    });

    expect(await memory.recall("cache", { tags: ["alone"] })).toHaveLength(1);
    expect(contentsOf(await memory.recall("cache 7", { limit: 1, mode: "words" }))).toEqual(["cache number 7"]);
    expect(reranker.asked).toEqual([]);
  });
});

function fakeLanguageModel(answer: () => Promise<string | undefined>): LanguageModel & { requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  return {
    modelId: "fake:model",
    lastProblem: undefined,
    requests,
    generate: (request) => {
      requests.push(request);
      return answer();
    },
  };
}

function fakeReranker(
  score: (documents: string[]) => number[],
): Reranker & { asked: { question: string; documents: string[] }[] } {
  const asked: { question: string; documents: string[] }[] = [];
  return {
    modelId: "fake:reranker",
    asked,
    rerank: async (question, documents) => {
      asked.push({ question, documents });
      return score(documents);
    },
  };
}

function fails(error: Error): () => number[] {
  return () => {
    throw error;
  };
}

/** A model that knows these texts only. */
function embedderOf(vectors: Record<string, number[]>): Embedder {
  return {
    modelId: "fake:known:3",
    dimensions: 3,
    embed: async (texts) => texts.map((text) => Float32Array.from(vectors[text] ?? [0, -1, 0])),
  };
}
