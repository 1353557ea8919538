import { describe, expect, it } from "vitest";
import type { Settings } from "../config/config.js";
import { defaultSettings } from "../config/settings.js";
import { checkMeaning, checkModels } from "./check-models.js";
import type { EmbeddingStatus } from "../embedding/embedding.js";
import type { Environment } from "../language-model/endpoint.js";

const bundled = { modelId: "bundled:all-MiniLM-L6-v2:384", dimensions: 384 };
// So that no model of the machine is looked for.
const chosen: Partial<Settings> = { embeddingProvider: "bundled" };

describe("the check of meaning", () => {
  it.each<[string, Partial<EmbeddingStatus>, string]>([
    ["nothing is kept", {}, "no memories to embed yet"],
    [
      "nothing is embedded",
      { pending: 3 },
      "3 memories wait for their vectors, and all are found by words until then; tacit embed makes them now",
    ],
    [
      "the first are embedded",
      { ...bundled, embedded: 2, pending: 1 },
      "1 memory waits for its vector, and all are found by words until then; tacit embed makes them now",
    ],
    [
      "some are new",
      { ...bundled, ready: true, embedded: 1, pending: 1 },
      "bundled:all-MiniLM-L6-v2:384, 1 vector; 1 memory waits for its vector; tacit embed makes them now",
    ],
    ["all is done", { ...bundled, ready: true, embedded: 2 }, "bundled:all-MiniLM-L6-v2:384, 2 vectors"],
  ])("is well where %s", async (_, status, message) => {
    expect(await check(chosen, status)).toEqual({ name: "meaning", status: "ok", message });
  });

  it.each<[Partial<Settings>, Environment, string]>([
    [{ embeddingProvider: "none" }, {}, "switched off by embeddingProvider"],
    [{}, { TACIT_EMBEDDING: "none" }, "switched off by TACIT_EMBEDDING in the environment"],
  ])("says who switched it off: %j %j", async (settings, environment, message) => {
    const found = await check(settings, { pending: 3 }, environment);

    expect(found).toEqual({ name: "meaning", status: "ok", message: `${message}; memories are found by words only` });
  });

  it("warns of a model that failed when it was last asked", async () => {
    const failing = { ...bundled, ready: true, failure: "It was down.", failedAt: "2026-03-10T00:00:00.000Z" };

    expect(await check(chosen, failing)).toEqual({
      name: "meaning",
      status: "warning",
      message: "It was down. (2026-03-10T00:00:00.000Z)",
      hint: expect.stringContaining("tacit embed"),
    });
    expect(await check(chosen, { ...failing, hint: "Start it." })).toMatchObject({ hint: "Start it." });
  });

  it("warns of a model that was named and cannot be asked, before it is", async () => {
    const withoutKey = await check({ embeddingProvider: "openai" }, { pending: 1 });
    const withoutUrl = await check(
      { embeddingProvider: "openai-compatible", embeddingModel: "m", embeddingDimensions: 64 },
      { pending: 1 },
    );

    expect(withoutKey).toMatchObject({ status: "warning", message: "There is no key in OPENAI_API_KEY." });
    expect(withoutUrl).toMatchObject({ status: "warning", hint: expect.stringContaining("embeddingUrl") });
  });

  it("warns of vectors that another model has made than the one that is named", async () => {
    const environment = { OPENAI_API_KEY: "k" };

    const found = await check({ embeddingProvider: "openai" }, { ...bundled, ready: true, embedded: 2 }, environment);

    expect(found).toEqual({
      name: "meaning",
      status: "warning",
      message:
        "openai:text-embedding-3-small:1024 is configured, and the vectors are of bundled:all-MiniLM-L6-v2:384; memories are found by words meanwhile",
      hint: "`tacit embed` makes new ones.",
    });
  });

  it("warns of vectors of a model that was named once and is no more", async () => {
    const ofOllama = { modelId: "ollama:qwen3-embedding:4b:1024", dimensions: 1024, ready: true, embedded: 2 };

    expect(await check({}, ofOllama)).toMatchObject({
      status: "warning",
      message: expect.stringContaining("your configuration does not name"),
      hint: expect.stringContaining("tacit config set embeddingProvider ollama"),
    });
  });

  it("leaves a model alone that a program has brought", async () => {
    const own = { modelId: "own:model:64", dimensions: 64, ready: true, embedded: 1 };

    expect(await check({}, own)).toMatchObject({ status: "ok", message: "own:model:64, 1 vector" });
  });
});

describe("the checks of other models", () => {
  it("are none where none is named", async () => {
    expect(await checkModels(storeWith({}), {})).toEqual([]);
  });

  it.each<[Partial<Settings>, string, string]>([
    [{ languageModelProvider: "openai" }, "language model", "languageModel is not set."],
    [{ languageModelProvider: "openai", languageModel: "gpt" }, "language model", "There is no key in OPENAI_API_KEY."],
    [
      { languageModelProvider: "openai-compatible", languageModel: "m" },
      "language model",
      "languageModelUrl is not set",
    ],
    [{ rerankProvider: "cohere" }, "reranker", "There is no key in COHERE_API_KEY."],
    [{ rerankProvider: "endpoint" }, "reranker", "rerankUrl is not set"],
    [{ rerankProvider: "ollama" }, "reranker", "rerankModel is not set."],
  ])("warn of %j and say what to set", async (settings, name, message) => {
    expect(await checkModels(storeWith(settings), {})).toEqual([
      {
        name,
        status: "warning",
        message: expect.stringContaining(message),
        hint: expect.stringMatching(/tacit config set|Set [A-Z_]+ in the environment/),
      },
    ]);
  });

  it("say who is asked where, and never the key", async () => {
    const settings: Partial<Settings> = {
      languageModelProvider: "ollama",
      languageModel: "qwen3:8b",
      rerankProvider: "cohere",
    };

    const checks = await checkModels(storeWith(settings), { COHERE_API_KEY: "hush" });

    expect(checks).toEqual([
      {
        name: "language model",
        status: "ok",
        message: "ollama:qwen3:8b at 127.0.0.1:11434, at most 20 calls a session",
      },
      { name: "reranker", status: "ok", message: "cohere at api.cohere.com" },
    ]);
  });
});

async function check(settings: Partial<Settings>, status: Partial<EmbeddingStatus>, environment: Environment = {}) {
  const embedding = { status: async () => ({ ready: false, embedded: 0, pending: 0, ...status }) };
  return checkMeaning(storeWith(settings), embedding, environment);
}

function storeWith(settings: Partial<Settings>) {
  return { settings: async () => ({ ...defaultSettings(), ...settings }) };
}
