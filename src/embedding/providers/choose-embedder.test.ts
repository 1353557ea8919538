import { describe, expect, it } from "vitest";
import { startLoopbackModels } from "../../../test/support/loopback-models.js";
import type { Settings } from "../../config/config.js";
import { defaultSettings } from "../../config/settings.js";
import { chooseEmbedder } from "./choose-embedder.js";

const gibibyte = 2 ** 30;
const bundled = { modelId: "bundled:all-MiniLM-L6-v2:384", dimensions: 384 };
const ofOllama = { modelId: "ollama:qwen3-embedding:0.6b:512", dimensions: 512 };
const ofOpenAi = { modelId: "openai:text-embedding-3-large:1024", dimensions: 1024 };
const key = { OPENAI_API_KEY: "a-key" };

describe("which embedder is used", () => {
  it("[EM1] is the bundled one where nobody has said anything, whatever keys there are", async () => {
    expect(await modelIdOf({}, undefined, key)).toBe(bundled.modelId);
    expect(await modelIdOf({}, bundled, key)).toBe(bundled.modelId);
    expect(await modelIdOf({ embeddingProvider: "bundled" }, ofOllama, key)).toBe(bundled.modelId);
  });

  it("[EM1] is none where the user says so", async () => {
    expect(await chooseEmbedder(settingsWith({ embeddingProvider: "none" }), key, ofOllama)).toBeUndefined();
  });

  it.each([
    [32.1, "qwen3-embedding:8b"],
    [32, "qwen3-embedding:4b"],
    [8, "qwen3-embedding:4b"],
    [7.9, "qwen3-embedding:0.6b"],
  ])("[EM1] is of a size that fits, with Ollama and %d GiB free", async (free, model) => {
    const embedder = await chooseEmbedder(settingsWith({ embeddingProvider: "ollama" }), {}, undefined, {
      freeBytes: free * gibibyte,
    });

    expect(embedder).toMatchObject({ modelId: `ollama:${model}:1024`, dimensions: 1024, candidateDimensions: 256 });
  });

  it("[EM1] does not change by itself: what is left open stays as the store has it", async () => {
    const settings = settingsWith({ embeddingProvider: "ollama" });
    const many = { freeBytes: 64 * gibibyte };

    expect(await chooseEmbedder(settings, {}, ofOllama, many)).toMatchObject(ofOllama);
    expect(await modelIdOf({ embeddingProvider: "openai" }, ofOpenAi, key)).toBe(ofOpenAi.modelId);
    // Another provider's model is not this one's.
    expect(await chooseEmbedder(settings, {}, ofOpenAi, many)).toMatchObject({
      modelId: "ollama:qwen3-embedding:8b:1024",
    });
  });

  it("[EM1] changes when the user names another model or size", async () => {
    const provider = { embeddingProvider: "ollama" } as const;

    expect(await modelIdOf({ ...provider, embeddingModel: "qwen3-embedding:4b" }, ofOllama)).toBe(
      "ollama:qwen3-embedding:4b:1024",
    );
    expect(await modelIdOf({ ...provider, embeddingDimensions: 768 }, ofOllama)).toBe(
      "ollama:qwen3-embedding:0.6b:768",
    );
    expect(await modelIdOf({ ...provider, embeddingModel: "qwen3-embedding:0.6b" }, ofOllama)).toBe(ofOllama.modelId);
  });

  it("[EM1] is OpenAI's small one with 1024 dimensions where OpenAI is named", async () => {
    expect(await modelIdOf({ embeddingProvider: "openai" }, undefined, key)).toBe("openai:text-embedding-3-small:1024");
  });

  it("[EM1] is not guessed where the store's vectors are of a model that is not configured here", async () => {
    await expect(chooseEmbedder(defaultSettings(), key, ofOpenAi)).rejects.toMatchObject({
      code: "model-failed",
      message: `The vectors of this store were made by ${ofOpenAi.modelId}, which your configuration does not name.`,
      hint: expect.stringMatching(/embeddingProvider openai.*embeddingProvider bundled/),
    });
  });

  it("[EM1] offers only what can be configured where a program has brought its own", async () => {
    const refusal = chooseEmbedder(defaultSettings(), key, { modelId: "my-own-model", dimensions: 64 });

    await expect(refusal).rejects.toMatchObject({
      hint: "To make new ones here: tacit config set embeddingProvider bundled",
    });
  });

  it.each<[Partial<Settings>, Record<string, string>, string]>([
    [{ embeddingProvider: "openai" }, {}, "There is no key in OPENAI_API_KEY."],
    [{ embeddingProvider: "openai", embeddingKeyVariable: "MINE" }, key, "There is no key in MINE."],
    [{ embeddingProvider: "openai" }, { OPENAI_API_KEY: "two\nlines" }, "What is in OPENAI_API_KEY cannot be a key"],
    [{ embeddingProvider: "ollama", embeddingUrl: "http://1.2.3.4.5:99999" }, {}, "embeddingUrl is no address"],
    [{ embeddingProvider: "openai-compatible" }, {}, "embeddingModel is not set"],
    [{ embeddingProvider: "openai-compatible", embeddingModel: "acme" }, {}, "embeddingDimensions is not set"],
    [
      { embeddingProvider: "openai-compatible", embeddingModel: "acme", embeddingDimensions: 768 },
      {},
      "embeddingUrl is not set",
    ],
  ])("[EM1] is named as incomplete with %j", async (settings, environment, message) => {
    const refusal: unknown = await chooseEmbedder(settingsWith(settings), environment).catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: "model-failed", message: expect.stringContaining(message) });
    expect(JSON.stringify(refusal)).not.toContain("lines");
  });

  it.each(["/v1", "/v1/", "", "/"])(
    "[EM1] is asked at the address that is set, Ollama's with %j behind it",
    async (path) => {
      const server = await startLoopbackModels();
      const embedder = await chooseEmbedder(
        settingsWith({
          embeddingProvider: "ollama",
          embeddingUrl: `${server.url}${path}`,
          embeddingKeyVariable: "MINE",
        }),
        { MINE: " my-key\n", OPENAI_API_KEY: "another", OPENAI_BASE_URL: "http://127.0.0.1:9" },
      );

      await embedder?.embed(["a"], "document");

      expect(server.requests).toMatchObject([{ path: "/v1/embeddings", authorization: "Bearer my-key" }]);
    },
  );

  it("[EM1] is asked where the settings say, and not where the environment does", async () => {
    const [server, other] = [await startLoopbackModels(), await startLoopbackModels()];
    const before = process.env["OPENAI_BASE_URL"];
    process.env["OPENAI_BASE_URL"] = `${other.url}/v1`;
    try {
      const embedder = await chooseEmbedder(
        settingsWith({ embeddingProvider: "openai", embeddingUrl: `${server.url}/v1` }),
        key,
      );
      await embedder?.embed(["a"], "document");
    } finally {
      if (before === undefined) delete process.env["OPENAI_BASE_URL"];
      else process.env["OPENAI_BASE_URL"] = before;
    }

    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
  });
});

async function modelIdOf(
  settings: Partial<Settings>,
  stored?: { modelId: string; dimensions: number },
  environment: Record<string, string> = {},
): Promise<string | undefined> {
  const embedder = await chooseEmbedder(settingsWith(settings), environment, stored, { freeBytes: 16 * gibibyte });
  await embedder?.close?.();
  return embedder?.modelId;
}

function settingsWith(settings: Partial<Settings>): Settings {
  return { ...defaultSettings(), ...settings };
}
