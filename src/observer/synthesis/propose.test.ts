import { describe, expect, it } from "vitest";
import { propose, type Overview } from "./propose.js";

const occasion = { module: "src/billing", occasion: "at 10", sessions: 10 };
const nothing: Overview = { files: [], pairs: [], errors: [] };

describe("what figures speak for", () => {
  it("files that are changed together, named in the order in which sessions come to them", () => {
    const pair = { a: "src/billing/a.ts", b: "src/billing/b.ts", sessions: 6, edited: 4, aFirst: 1, weight: 0.8 };

    const [proposal] = propose(occasion, { ...nothing, pairs: [pair] });

    expect(proposal).toMatchObject({
      type: "causal_dependency",
      subject: "together: src/billing/a.ts + src/billing/b.ts",
      content: "`src/billing/b.ts` and `src/billing/a.ts` change together: of 6 sessions that had both, 4 edited both.",
      data: { changed: "src/billing/b.ts", affected: "src/billing/a.ts", sessionCount: 6 },
      relatedFiles: ["src/billing/b.ts", "src/billing/a.ts"],
      source: "observer_inferred",
    });
    expect(proposal?.alsoSeenAs).toContainEqual({
      signal: "co-access",
      subject: "src/billing/a.ts + src/billing/b.ts",
    });
  });

  it("not of files that are only read together", () => {
    const pair = { a: "a.ts", b: "b.ts", sessions: 9, edited: 2, aFirst: 9, weight: 1 };

    expect(propose(occasion, { ...nothing, pairs: [pair] })).toEqual([]);
  });

  it("an error that comes back, with what resolved it, and none that was never resolved", () => {
    const error = {
      fingerprint: "0123456789abcdef",
      message: "TypeError: rate is not a `function`",
      tool: "Bash",
      sessions: 4,
      file: "src/billing/rates.ts",
    };
    const resolved = { ...error, resolvedHow: "edited `src/billing/rates.ts`" };

    expect(propose(occasion, { ...nothing, errors: [error] })).toEqual([]);
    expect(propose(occasion, { ...nothing, errors: [resolved] })).toMatchObject([
      {
        type: "error_pattern",
        content:
          "`TypeError: rate is not a 'function'` came back in 4 sessions. What resolved it last: edited `src/billing/rates.ts`.",
        alsoSeenAs: [{ signal: "error-retry", subject: "0123456789abcdef" }],
      },
    ]);
  });

  it("what nearly every session of a module uses, and not what most of them use", () => {
    const files = [
      { path: "src/billing/a.ts", sessions: 10 },
      { path: "src/billing/b.ts", sessions: 8 },
      { path: "src/billing/c.ts", sessions: 7 },
    ];

    expect(propose(occasion, { ...nothing, files })).toMatchObject([
      {
        type: "prefetch_pattern",
        content:
          "Work on `src/billing` needs `src/billing/a.ts` and `src/billing/b.ts`: nearly every session there uses them.",
        data: { alwaysReadFiles: ["src/billing/a.ts", "src/billing/b.ts"], moduleTrigger: "src/billing" },
      },
    ]);
    expect(propose(occasion, { ...nothing, files: files.slice(0, 1) })).toEqual([]);
    expect(propose({ ...occasion, module: "*" }, { ...nothing, files })).toEqual([]);
  });

  it("five things at most, each about something else", () => {
    const pairs = Array.from({ length: 12 }, (_, n) => ({
      a: `src/billing/a${n}.ts`,
      b: `src/billing/b${n}.ts`,
      sessions: 5,
      edited: 5,
      aFirst: 5,
      weight: 1,
    }));

    const proposals = propose(occasion, { ...nothing, pairs });

    expect(proposals).toHaveLength(5);
    expect(new Set(proposals.map(({ subject }) => subject)).size).toBe(5);
    expect(proposals[0]?.content).toContain("of 5 sessions that had both, all of them edited both");
  });
});
