import { describe, expect, it } from "vitest";
import { startLoopbackModels, type LoopbackModels, type Mode } from "../../test/support/loopback-models.js";
import type { Settings } from "../config/config.js";
import { defaultSettings } from "../config/settings.js";
import type { LanguageModel } from "./language-model.js";
import type { ModelCall } from "./model-ledger.js";
import { openLanguageModel } from "./open-language-model.js";

const request = { purpose: "test", prompt: "why Friday?", maxOutputTokens: 50 };
const providers = ["openai", "openai-compatible", "ollama"] as const;

describe("a language model", () => {
  it("[LM1] is none by default, whatever keys there are", async () => {
    expect(await openLanguageModel(defaultSettings(), { OPENAI_API_KEY: "a-key" }, ledgerOf([]))).toBeUndefined();
  });

  it.each(providers)("[LM1] answers through %s, and its tokens are counted", async (provider) => {
    const { model, server, calls } = await open("answers", { languageModelProvider: provider });

    const text = await model.generate({ ...request, system: "Be brief." });

    expect(text).toBe("You said: why Friday?");
    expect(model).toMatchObject({ modelId: `${provider}:acme-1`, lastProblem: undefined });
    expect(calls).toEqual([
      { model: `${provider}:acme-1`, purpose: "test", failed: false, inputTokens: 11, outputTokens: 5 },
    ]);
    expect(server.requests).toMatchObject([
      {
        path: "/v1/chat/completions",
        authorization: "Bearer my-key",
        body: {
          model: "acme-1",
          max_tokens: 50,
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "why Friday?" },
          ],
        },
      },
    ]);
  });

  it("[LM1] is sent no secret, private part or invisible character, however long the prompt", async () => {
    const { model, server } = await open();
    const prompt = `${"a word ".repeat(20_000)} password=hunter2xyz <private>of bob</private>\u200B`;

    await model.generate({ ...request, prompt, system: "token: ghp_0123456789abcdefghijklmnopqrstuvwxyz" });

    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).toContain("[redacted:password]");
    expect(sent).not.toMatch(/hunter2xyz|of bob|ghp_|\u200B/);
  });

  it("[LM2] is tried once more where the server is to blame, as one call", async () => {
    const { model, server, calls } = await open("answers 500, then answers");

    expect(await model.generate(request)).toBe("You said: why Friday?");
    expect(server.requests).toHaveLength(2);
    expect(calls).toMatchObject([{ failed: false }]);
  });

  it.each<[Mode, RegExp]>([
    ["hangs", /^acme-1 at 127\.0\.0\.1:\d+ did not answer within 150 ms\.$/],
    ["hangs in the middle", /did not answer within 150 ms\.$/],
    ["answers 429", /answered HTTP 429: “status 429, on purpose”$/],
    ["answers 500", /answered HTTP 500: “status 500, on purpose”$/],
    ["answers 401 with the key", /refused the key \(HTTP 401\)\.$/],
    ["answers 400 with the key", /HTTP 400: “bad request of Bearer \[redacted:key\]”$/],
    ["sends no JSON", /answered with no JSON\.$/],
    ["sends other JSON", /answered with JSON of another shape\.$/],
  ])("[LM2] that %s is no error but no answer, counted and explained", async (mode, problem) => {
    const { model, calls } = await open(mode, { languageModelTimeoutMs: mode.startsWith("hangs") ? 150 : 20_000 });

    expect(await model.generate(request)).toBeUndefined();
    expect(model.lastProblem).toMatch(problem);
    expect(calls).toEqual([{ model: "ollama:acme-1", purpose: "test", failed: true, inputTokens: 0, outputTokens: 0 }]);
  });

  it("[LM2] that says nothing has failed, and cost what it cost", async () => {
    const { model, calls } = await open("says nothing");

    expect(await model.generate(request)).toBeUndefined();
    expect(model.lastProblem).toBe("ollama:acme-1 answered with nothing.");
    expect(calls).toMatchObject([{ failed: true, inputTokens: 11, outputTokens: 5 }]);
  });

  it("[LM2] recovers, and says so", async () => {
    const { model, server } = await open("sends no JSON");
    await model.generate(request);

    server.mode = "answers";

    expect(await model.generate(request)).toBe("You said: why Friday?");
    expect(model.lastProblem).toBeUndefined();
  });

  it("[LM2] is asked no more often in a session than is allowed, failures included", async () => {
    const { model, server, calls } = await open("sends no JSON", { languageModelCalls: 2 });

    for (let call = 0; call < 5; call += 1) await model.generate(request);

    expect(server.requests).toHaveLength(2);
    expect(calls).toHaveLength(2);
    expect(model.lastProblem).toContain(
      "was asked 2 times in this session, which is all that languageModelCalls allows",
    );
  });

  it("[LM2] is waited for as briefly as the caller wants, never longer than is configured", async () => {
    const { model } = await open("hangs", { languageModelTimeoutMs: 200 });

    await model.generate({ ...request, timeoutMs: 100 });
    expect(model.lastProblem).toContain("within 100 ms");
    await model.generate({ ...request, timeoutMs: 60_000 });
    expect(model.lastProblem).toContain("within 200 ms");
  });

  it("[LM2] is let go when the caller stops", async () => {
    const { model } = await open("hangs");
    const caller = new AbortController();

    const answer = model.generate({ ...request, signal: caller.signal });
    caller.abort();

    expect(await answer).toBeUndefined();
    expect(model.lastProblem).toContain("was no longer waited for");
  });

  it.each<Mode>(["tells no usage", "lies about its usage"])(
    "[LM1] has its tokens counted here where the server %s",
    async (mode) => {
      const { model, calls } = await open(mode);

      await model.generate({ ...request, prompt: "one two three <|endoftext|>" });

      expect(calls[0]?.inputTokens).toBeGreaterThan(3);
      expect(calls[0]?.outputTokens).toBeGreaterThan(calls[0]?.inputTokens ?? 0);
      expect(Number.isInteger(calls[0]?.outputTokens)).toBe(true);
    },
  );

  it("[LM1] has its thoughts taken off its answer", async () => {
    const { model } = await open("thinks aloud");

    expect(await model.generate(request)).toBe("You said: why Friday?");
  });

  it.each<[Partial<Settings>, string]>([
    [{ languageModelProvider: "openai", languageModelKeyVariable: null }, "There is no key in OPENAI_API_KEY."],
    [{ languageModelProvider: "openai-compatible", languageModelUrl: null }, "languageModelUrl is not set"],
    [{ languageModel: null }, "languageModel is not set."],
  ])("[LM2] that is configured only in part, %j, is not asked and says why", async (settings, problem) => {
    const { model, server, calls } = await open("answers", settings);

    expect(await model.generate(request)).toBeUndefined();
    expect(model.lastProblem).toContain(problem);
    expect([server.requests, calls]).toEqual([[], []]);
  });
});

async function open(
  mode: Mode = "answers",
  settings: Partial<Settings> = {},
): Promise<{ model: LanguageModel; server: LoopbackModels; calls: ModelCall[] }> {
  const server = await startLoopbackModels(mode);
  const calls: ModelCall[] = [];
  const model = await openLanguageModel(
    {
      ...defaultSettings(),
      languageModelProvider: "ollama",
      languageModel: "acme-1",
      languageModelUrl: `${server.url}/v1`,
      languageModelKeyVariable: "MINE",
      ...settings,
    },
    { MINE: "my-key" },
    ledgerOf(calls),
  );
  if (!model) throw new Error("no model was opened");
  return { model, server, calls };
}

function ledgerOf(calls: ModelCall[]): { count(call: ModelCall): void } {
  return { count: (call) => void calls.push(call) };
}
