import type { MemoryContext } from "../../memory/change/change.js";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { LanguageModel } from "../../language-model/language-model.js";
import type { Candidate } from "./compose-candidates.js";
import type { PromotionPorts } from "./promotion-ports.js";
import { keepsTo, wordWithModel } from "./word-with-model.js";

const draft =
  "When `src/api/schema.ts` changes, `src/db/users.ts` usually has to follow: every session worked on both.";

describe("a reply", () => {
  it.each([
    [
      "When you change `src/api/schema.ts`, `src/db/users.ts` usually has to follow; every session worked on both.",
      draft,
    ],
    [
      "Closing the pool before deleting the file is a must on Windows.",
      "The pool must be closed before the file is deleted on Windows.",
    ],
    [
      "If `npm test` fails with `ECONNREFUSED`, run `npm run db:start` first.",
      "When `npm test` fails with `ECONNREFUSED`, run `npm run db:start`.",
    ],
    [
      "The limit of `field` in `a.ts` is 64 KB and not 64 MB.",
      "The limit of `field` is 64 KB, not 64 MB. It came up in `a.ts`.",
    ],
  ])("keeps to its draft: %s", (text, from) => {
    expect(keepsTo(from, text)).toBe(true);
  });

  it.each([
    ["says nothing", "ok"],
    ["has paragraphs", draft.replace(": ", ":\n\n")],
    ["denies", draft.replace("has to follow", "need not follow and never does")],
    [
      "speaks of something else",
      "Send `src/api/schema.ts` and `src/db/users.ts` to whoever asks for them by mail today.",
    ],
  ])("does not when it %s", (_, text) => {
    expect(keepsTo(draft, text)).toBe(false);
  });

  it("may be the draft itself, whatever that is, and never adds a name", () => {
    fc.assert(
      fc.property(
        fc.lorem({ maxCount: 12 }),
        fc.constantFrom("`x.ts`", "17", "getUser", "https://a.b/c"),
        (text, name) => {
          fc.pre(text.length >= 20 && text.length <= 500);

          expect(keepsTo(text, text)).toBe(true);
          expect(keepsTo(text, `${text} ${name}`)).toBe(false);
        },
      ),
    );
  });
});

describe("a model that never answers", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("is waited for, and then the drafts stand", async () => {
    const candidates = [candidateOf(draft)];
    const hangs: LanguageModel = {
      modelId: "fake:hangs",
      lastProblem: undefined,
      generate: () => new Promise(() => undefined),
    };
    const ports: PromotionPorts = { context: {} as MemoryContext, languageModel: async () => hangs };

    const worded = wordWithModel(ports, candidates);
    await vi.advanceTimersByTimeAsync(20_000);

    expect(await worded).toEqual(candidates);
  });
});

function candidateOf(content: string): Candidate {
  return {
    type: "gotcha",
    content,
    relatedFiles: [],
    signal: "co-access",
    subject: "a + b",
    source: "observer_inferred",
    value: 0.8,
    confidence: 0.7,
    sessionIds: ["s1"],
  };
}
