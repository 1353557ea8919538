import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GenerateRequest, LanguageModel } from "../../language-model/language-model.js";
import type { PromptFn } from "../conversation.js";
import { askConsolidator } from "./ask-consolidator.js";

const text = { system: "Be brief.", prompt: "| the key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789" };
const timeoutMs = 5000;

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});

afterEach(() => {
  process.off("unhandledRejection", note);
});

describe("asking for a consolidation", () => {
  it("gives a function the whole message without secrets, the model and a signal, and returns what it says", async () => {
    const asked: [string, { model: string; signal: AbortSignal }][] = [];
    const promptFn: PromptFn = async (...given) => {
      asked.push(given);
      return { content: "the reply" };
    };

    const answer = await askConsolidator({ promptFn, model: "small", timeoutMs }, text);

    expect(answer).toEqual({ reply: "the reply" });
    expect(asked[0]?.[0]).toMatch(/^Be brief\.\n\n\| the key is \[redacted:/);
    expect(asked[0]?.[0]).not.toContain("abcdefghijkl");
    expect(asked[0]?.[1]).toMatchObject({ model: "small", signal: expect.any(AbortSignal) as AbortSignal });
  });

  it.each<[string, unknown, RegExp]>([
    [
      "throws at once",
      () => {
        throw new Error("no\nnetwork");
      },
      /^promptFn failed: “no network”$/,
    ],
    ["rejects", async () => Promise.reject(new Error("quota")), /quota/],
    ["rejects with nothing", async () => Promise.reject(undefined), /^promptFn failed/],
    ["gives no text", async () => ({ content: 7 }), /^promptFn answered with something that is no text\.$/],
    ["gives undefined", () => undefined, /^promptFn answered with something that is no text\.$/],
    [
      "gives something that bites",
      () => ({
        get content() {
          throw new Error("bitten");
        },
      }),
      /^promptFn failed: “bitten”$/,
    ],
    ["gives blanks", () => " \n", /^promptFn answered with nothing\.$/],
    ["gives 5 MB", () => "x".repeat(5 * 1024 * 1024), /^promptFn answered with 5\.0 MB\.$/],
  ])("tells the problem of a function that %s", async (_, promptFn, problem) => {
    const answer = await askConsolidator({ promptFn: promptFn as PromptFn, timeoutMs }, text);

    expect(answer).toEqual({ problem: expect.stringMatching(problem) as string });
  });

  it("ends in time when a function never answers, or answers or fails later", async () => {
    const start = performance.now();
    const late = new Promise<string>((_, reject) => setTimeout(() => reject(new Error("too late")), 330));
    const never: PromptFn = async () => new Promise(() => {});
    const asked = [never, async () => late].map(async (promptFn) =>
      askConsolidator({ promptFn, timeoutMs: 300 }, text),
    );

    const answers = await Promise.all(asked);
    await new Promise((done) => setTimeout(done, 60));

    const problem = "promptFn did not answer within 300 ms.";
    expect(answers).toEqual([{ problem }, { problem }]);
    expect(performance.now() - start).toBeLessThan(3000);
    expect(unhandled).toEqual([]);
  });

  it("ends when the caller has had enough", async () => {
    const caller = new AbortController();
    const asked = askConsolidator(
      { promptFn: async () => new Promise(() => {}), timeoutMs, signal: caller.signal },
      text,
    );
    caller.abort();

    expect(await asked).toEqual({ problem: "promptFn was no longer waited for." });
  });

  it("asks the configured model, and tells why it gave nothing", async () => {
    const asked: GenerateRequest[] = [];
    const languageModel: LanguageModel = {
      modelId: "ollama:small",
      lastProblem: "It is asleep.",
      generate: async (request) => {
        asked.push(request);
        return asked.length === 1 ? "reply" : undefined;
      },
    };

    expect(await askConsolidator({ languageModel, timeoutMs }, text)).toEqual({ reply: "reply" });
    expect(asked[0]).toMatchObject({ ...text, purpose: "consolidate", patienceMs: timeoutMs });
    expect(await askConsolidator({ languageModel, timeoutMs }, text)).toEqual({ problem: "It is asleep." });
    expect(await askConsolidator({ timeoutMs }, text)).toEqual({ problem: "No model is configured." });
  });
});
