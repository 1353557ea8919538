import { describe, expect, it } from "vitest";
import { startLoopbackModels } from "../../../test/support/loopback-models.js";
import { freePort, startWebServer } from "../../../test/remote/fake-servers.js";
import { suggestEmbedder } from "./suggest-embedder.js";

describe("a suggestion", () => {
  it("names the model that a local Ollama has, and asks for the list of them alone", async () => {
    const server = await startLoopbackModels();

    const suggestion = await suggestEmbedder({ OPENAI_API_KEY: "a-key" }, { ollamaUrl: server.url, timeoutMs: 5000 });

    expect(suggestion).toContain("tacit config set embeddingModel qwen3-embedding:0.6b");
    expect(server.requests).toEqual([{ path: "/api/tags", authorization: undefined, body: undefined }]);
  });

  it("names another embedding model too, and none that only writes texts", async () => {
    const [other, none] = [await ollamaWith("nomic-embed-text:latest"), await ollamaWith("llama3.2:3b")];

    expect(await suggestEmbedder({}, { ollamaUrl: other, timeoutMs: 5000 })).toContain("nomic-embed-text:latest");
    expect(await suggestEmbedder({}, { ollamaUrl: none, timeoutMs: 5000 })).toBeUndefined();
  });

  it("repeats no name that could not be one", async () => {
    const ollamaUrl = await ollamaWith("embed\u001B[31m", "embed; rm -rf /", undefined, 5);

    expect(await suggestEmbedder({}, { ollamaUrl, timeoutMs: 5000 })).toBeUndefined();
  });

  it("says of a key that it could be used, and not the key", async () => {
    const ollamaUrl = `http://127.0.0.1:${await freePort()}`;

    const suggestion = await suggestEmbedder({ OPENAI_API_KEY: "the-key" }, { ollamaUrl });

    expect(suggestion).toContain("tacit config set embeddingProvider openai");
    expect(suggestion).not.toContain("the-key");
  });

  it.each(["hangs", "sends no JSON", "sends other JSON", "answers 500"] as const)(
    "is not made, and not waited for, where the server %s",
    async (mode) => {
      const server = await startLoopbackModels(mode);

      expect(await suggestEmbedder({}, { ollamaUrl: server.url, timeoutMs: 100 })).toBeUndefined();
    },
  );
});

async function ollamaWith(...names: unknown[]): Promise<string> {
  const list = JSON.stringify({ models: names.map((name) => ({ name })) });
  return startWebServer((_, answer) => answer.writeHead(200, { "content-type": "application/json" }).end(list));
}
