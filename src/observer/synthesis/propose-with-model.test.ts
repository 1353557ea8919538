import * as fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { GenerateRequest, LanguageModel } from "../../language-model/language-model.js";
import type { PromotionPorts } from "../promotion/promotion-ports.js";
import { proposeWithModel } from "./propose-with-model.js";
import type { Overview } from "./propose.js";

const occasion = { module: "src/billing", occasion: "at 10", sessions: 10 };
const overview: Overview = {
  files: [{ path: "src/billing/price.ts", sessions: 9 }],
  pairs: [{ a: "src/api/a.ts", b: "src/billing/rates.ts", sessions: 4, edited: 3, aFirst: 4, weight: 0.7 }],
  errors: [],
};
const good = {
  type: "gotcha",
  content: "Prices are always handled with the rates next to them.",
  relatedFiles: ["src/billing/price.ts", "src/elsewhere.ts"],
  confidence: 0.95,
};

afterEach(() => {
  vi.useRealTimers();
});

describe("a language model that looks over figures", () => {
  it("is asked once, with the figures, and what it proposes is taken as far as they carry it", async () => {
    const asked: GenerateRequest[] = [];

    const proposals = await ask(async (request) => {
      asked.push(request);
      return `Here it is:\n${JSON.stringify([good])}\nDone.`;
    });

    expect(asked).toHaveLength(1);
    expect(asked[0]?.purpose).toBe("synthesize");
    expect(asked[0]?.prompt).toContain(JSON.stringify(overview));
    expect(proposals).toMatchObject([
      {
        type: "gotcha",
        content: good.content,
        relatedFiles: ["src/billing/price.ts"],
        confidence: 0.8,
        signal: "synthesis",
        subject: expect.stringMatching(/^gotcha: src\/billing\/price\.ts \([0-9a-f]{8}\)$/),
      },
    ]);
  });

  it("may propose five things, and nothing about unknown files, of unknown types, with addresses, or too long", async () => {
    const several = Array.from({ length: 9 }, (_, n) => ({ ...good, content: `${good.content} Number ${n}.` }));
    const wrong = [
      { ...good, relatedFiles: ["src/elsewhere.ts"] },
      { ...good, relatedFiles: "src/billing/price.ts" },
      { ...good, type: "decision" },
      { ...good, type: 7 },
      { ...good, content: "See https://evil.example for the rest of it." },
      { ...good, content: "x".repeat(601) },
      { ...good, content: "short" },
      null,
      "text",
    ];

    expect(await ask(async () => JSON.stringify(several))).toHaveLength(5);
    expect(await ask(async () => JSON.stringify(wrong))).toEqual([]);
  });

  it("is done without where its reply is no list, where it fails, and where there is none", async () => {
    const replies = ["", "no", "{}", "[", "]", "][", '[{"type":', "null"];

    for (const reply of replies) expect(await ask(async () => reply)).toBeUndefined();
    expect(await ask(async () => undefined)).toBeUndefined();
    expect(await ask(async () => Promise.reject(new Error("down")))).toBeUndefined();
    expect(await proposeWithModel({} as PromotionPorts, occasion, overview)).toBeUndefined();
  });

  it("is waited for half a minute, even if it does not heed its signal", async () => {
    vi.useFakeTimers();
    const proposals = ask(() => new Promise(() => {}));

    await vi.advanceTimersByTimeAsync(30_000);

    expect(await proposals).toBeUndefined();
  });

  it("breaks nothing, whatever it says", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.array(fc.jsonValue()).map((all) => JSON.stringify(all)),
        ),
        async (reply) => {
          const proposals = (await ask(async () => reply)) ?? [];
          expect(proposals.length).toBeLessThanOrEqual(5);
        },
      ),
    );
  });
});

async function ask(generate: LanguageModel["generate"]) {
  const model: LanguageModel = { modelId: "fake", lastProblem: undefined, generate };
  return proposeWithModel({ languageModel: async () => model } as PromotionPorts, occasion, overview);
}
