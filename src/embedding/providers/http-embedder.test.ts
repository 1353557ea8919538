import { inspect } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { cosine, embedderContract } from "../../../test/support/embedder-contract.js";
import {
  startLoopbackModels,
  wholeDimensions,
  type HeardRequest,
  type LoopbackModels,
  type Mode,
} from "../../../test/support/loopback-models.js";
import { freePort } from "../../../test/remote/fake-servers.js";
import type { Embedder } from "../embedding.js";
import { openHttpEmbedder, type HttpEmbedderOptions } from "./http-embedder.js";

const providers = ["openai", "openai-compatible", "ollama"] as const;
const models = {
  openai: "text-embedding-3-small",
  "openai-compatible": "acme/embed-1",
  ollama: "qwen3-embedding:0.6b",
};

describe.each(providers)("an embedder through %s", (provider) => {
  const closings: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const close of closings) await close();
  });
  embedderContract(provider, async () => {
    const server = await startLoopbackModels("answers", (close) => closings.push(close));
    return embedderAt(server, provider);
  });

  it("[EM2] gives a vector of length 1 for each text, in order, and is named after what made it", async () => {
    const { embedder, server } = await open(provider);

    const [question, near, far] = [
      ...(await embedder.embed(["deploy on Friday"], "query")),
      ...(await embedder.embed(["we deploy on Friday", "cats sleep"], "document")),
    ];

    expect(embedder.modelId).toBe(`${provider}:${models[provider]}:1024`);
    expect(lengthOf(near)).toBeCloseTo(1, 5);
    expect(question).toHaveLength(1024);
    expect(cosine(question, near)).toBeGreaterThan(cosine(question, far));
    expect(server.requests.map(({ path }) => path)).toEqual(["/v1/embeddings", "/v1/embeddings"]);
    expect(server.requests[1]?.body).toMatchObject({
      model: models[provider],
      input: ["we deploy on Friday", "cats sleep"],
    });
  });

  it("[EM2] sends the key as a bearer token, and none where there is none", async () => {
    const { embedder, server } = await open(provider, "answers", { key: "the-key" });
    const { embedder: without, server: other } = await open(provider === "openai" ? "ollama" : provider);

    await embedder.embed(["a"], "document");
    await without.embed(["a"], "document");

    expect(server.requests[0]?.authorization).toBe("Bearer the-key");
    expect(other.requests[0]?.authorization).toBeUndefined();
  });

  it("[EM2] sends texts in batches of 64", async () => {
    const { embedder, server } = await open(provider);

    const vectors = await embedder.embed(
      Array.from({ length: 130 }, (_, index) => `text ${index}`),
      "document",
    );

    expect(vectors).toHaveLength(130);
    expect(server.requests.map(({ body }) => (body as { input: string[] }).input.length)).toEqual([64, 64, 2]);
  });

  it("[EM2] sends no secret of a question", async () => {
    const { embedder, server } = await open(provider);

    await embedder.embed(["why does password=hunter2xyz fail <private>for bob</private>?"], "query");

    expect(JSON.stringify(server.requests)).toContain("[redacted:password]");
    expect(JSON.stringify(server.requests)).not.toMatch(/hunter2xyz|bob/);
  });

  it.each<Mode>(["answers 429, then answers", "answers 500, then answers"])(
    "[EM2] tries again when a server %s, for documents",
    async (mode) => {
      const { embedder, server } = await open(provider, mode, { retries: 1 });

      expect(await embedder.embed(["a"], "document")).toHaveLength(1);
      expect(server.requests).toHaveLength(2);
    },
  );

  it("[EM2] gives up after so many attempts, and asks once for a question", async () => {
    const { embedder, server } = await open(provider, "answers 500", { retries: 2 });

    await expect(embedder.embed(["a"], "document")).rejects.toMatchObject({ code: "model-failed" });
    expect(server.requests).toHaveLength(3);
    await expect(embedder.embed(["a"], "query")).rejects.toMatchObject({ code: "model-failed" });
    expect(server.requests).toHaveLength(4);
  });

  it("[EM2] waits for a slow answer, and orders what comes in another order", async () => {
    const { embedder, server } = await open(provider, "is slow");
    const inOrder = await embedder.embed(["a", "b", "c"], "document");

    server.mode = "shuffles";

    expect(await embedder.embed(["a", "b", "c"], "document")).toEqual(inOrder);
  });

  it.each<[Mode, RegExp]>([
    ["hangs", /did not answer within 150 ms\.$/],
    ["hangs in the middle", /did not answer within 150 ms\.$/],
    ["answers 429", /answered HTTP 429: “status 429, on purpose”$/],
    ["answers 500", /answered HTTP 500: “status 500, on purpose”$/],
    ["breaks off", /cannot be reached, or broke off \([A-Z_]+\)\.$/],
    ["redirects", /failed: .*redirect/],
    ["sends no JSON", /answered with no JSON\.$/],
    ["sends other JSON", /answered with JSON of another shape\.$/],
    ["sends too few", /answered with 1 vectors for 2 texts\.$/],
    ["sends too many", /answered with 3 vectors for 2 texts\.$/],
    ["sends null", /answered with JSON of another shape\.$/],
    ["sends infinity", /answered with JSON of another shape\.$/],
    ["sends zeros", /answered with a vector of nothing but zeros\.$/],
    ["sends short vectors", /answered with a vector of 1016 dimensions where 1024 were expected\.$/],
  ])("[EM3] says what is wrong with a server that %s", async (mode, expected) => {
    const { embedder, server } = await open(provider, mode, { retries: 0 });

    const refusal: unknown = await embedder.embed(["a", "b"], "document").catch((error: unknown) => error);

    expect(refusal).toMatchObject({ code: "model-failed", message: expect.stringMatching(expected) });
    expect((refusal as Error).message).toContain(`${models[provider]} at ${new URL(server.url).host} `);
    expect(server.requests.filter(({ path }) => path !== "/v1/embeddings")).toEqual([]);
  });

  it.each<Mode>(["answers 401 with the key", "answers 400 with the key"])(
    "[EM3] repeats the key nowhere when a server %s",
    async (mode) => {
      const { embedder } = await open(provider, mode, { key: "correct-horse-battery" });

      const refusal: unknown = await embedder.embed(["a"], "query").catch((error: unknown) => error);

      expect(refusal).toMatchObject({ code: "model-failed", message: expect.stringMatching(/HTTP 40[01]/) });
      expect(inspect(refusal, { depth: 9, showHidden: true })).not.toContain("correct-horse-battery");
    },
  );

  it("[EM3] says where nobody listens", async () => {
    const host = `127.0.0.1:${await freePort()}`;
    const embedder = openHttpEmbedder({
      ...optionsOf(provider),
      endpoint: { url: `http://${host}/v1`, host, key: "k" },
      retries: 0,
    });

    await expect(embedder.embed(["a"], "document")).rejects.toMatchObject({
      code: "model-failed",
      message: `${models[provider]} at ${host} cannot be reached, or broke off (ECONNREFUSED).`,
    });
  });
});

describe("a model whose vectors can be cut", () => {
  it.each(["openai", "ollama"] as const)("[EM4] is asked for the dimensions, through %s", async (provider) => {
    const { embedder, server } = await open(provider);

    await embedder.embed(["a"], "document");

    expect(server.requests[0]?.body).toMatchObject({ dimensions: 1024 });
    expect(embedder.candidateDimensions).toBe(256);
  });

  it("[EM4] is cut here where its server does not heed that", async () => {
    const { embedder, server } = await open("ollama");
    const [asked] = await embedder.embed(["a text"], "document");

    server.mode = "sends whole vectors";
    const [cut] = await embedder.embed(["a text"], "document");

    expect(cut).toHaveLength(1024);
    expect(lengthOf(cut)).toBeCloseTo(1, 5);
    expect(cosine(asked, cut)).toBeCloseTo(1, 5);
  });

  it("[EM4] has no smaller candidates than it has dimensions", () => {
    const embedder = openHttpEmbedder({
      ...optionsOf("ollama"),
      dimensions: 256,
      endpoint: { url: "http://x", host: "x" },
    });

    expect(embedder).not.toHaveProperty("candidateDimensions");
  });
});

describe("another model", () => {
  it("[EM4] is asked for what it has, and a wrong size is a wrong answer", async () => {
    const { embedder, server } = await open("openai-compatible");

    await embedder.embed(["a"], "document");

    expect(server.requests[0]?.body).not.toHaveProperty("dimensions");
    server.mode = "sends whole vectors";
    await expect(embedder.embed(["a"], "document")).rejects.toMatchObject({
      message: expect.stringContaining(`a vector of ${wholeDimensions} dimensions where 1024 were expected`),
    });
  });
});

describe("texts on their way", () => {
  it("[EM4] Qwen3 is told what a question is for, and nothing about documents", async () => {
    const { embedder, server } = await open("ollama");

    await embedder.embed(["how do we deploy?"], "query");
    await embedder.embed(["how do we deploy?"], "document");

    expect(server.requests.map(({ body }) => (body as { input: string[] }).input[0])).toEqual([
      expect.stringMatching(/^Instruct: .+\nQuery:how do we deploy\?$/),
      "how do we deploy?",
    ]);
  });

  it("[EM4] OpenAI gets no text that it would refuse for its length, and no empty one", async () => {
    const { embedder, server } = await open("openai");
    const long = `${"deploy on Friday ".repeat(5000)}<|endoftext|>`;

    await embedder.embed([long, "", "a".repeat(65_536), "🙂".repeat(9999)], "document");

    const { input } = (server.requests[0] as HeardRequest).body as { input: string[] };
    expect(long.startsWith(input[0] ?? "no")).toBe(true);
    expect(input[0]?.length).toBeGreaterThan(20_000);
    expect(input[0]?.length).toBeLessThan(60_000);
    expect(input[1]).toBe(" ");
    expect(input[3]).toMatch(/^(?:🙂)+$/u);
  });
});

async function open(
  provider: HttpEmbedderOptions["provider"],
  mode: Mode = "answers",
  options: { key?: string; retries?: number } = {},
): Promise<{ embedder: Embedder; server: LoopbackModels }> {
  const server = await startLoopbackModels(mode);
  return { embedder: embedderAt(server, provider, options), server };
}

function embedderAt(
  server: LoopbackModels,
  provider: HttpEmbedderOptions["provider"],
  { key, retries }: { key?: string; retries?: number } = {},
): Embedder {
  const known = key ?? (provider === "openai" ? "a-key" : undefined);
  return openHttpEmbedder({
    ...optionsOf(provider),
    endpoint: {
      url: provider === "ollama" ? server.url : `${server.url}/v1`,
      host: new URL(server.url).host,
      ...(known !== undefined && { key: known }),
    },
    ...(retries !== undefined && { retries }),
    timeoutsMs: server.mode.startsWith("hangs") ? { query: 150, document: 150 } : { query: 20_000, document: 20_000 },
  });
}

function optionsOf(provider: HttpEmbedderOptions["provider"]): Omit<HttpEmbedderOptions, "endpoint"> {
  return { provider, model: models[provider], dimensions: 1024 };
}

function lengthOf(vector: Float32Array | undefined): number {
  return Math.sqrt(cosine(vector, vector));
}
