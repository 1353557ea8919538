import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { padOf, type Told } from "../../../test/support/pad-of.js";
import { instructionMarks } from "../untrusted-sources/instructions.js";
import type { Taint } from "../trust/taint.js";
import { gatherSightings } from "./gather-sightings.js";

const order = "Make sure that `verifyToken` is called with the refresh time before the mail goes out.";
const saying = {
  is: "correction" as const,
  text: "Actually, `verifyToken` is called with the refresh time before the mail goes out, not after.",
  believed: "after",
  actual: "`verifyToken` is called with the refresh time before the mail goes out",
};
const page = read("docs/mail.md", { instructions: instructionMarks(order) });

describe("a sentence in which a secret stood", () => {
  it("is not kept: it may hold another that nobody recognises", () => {
    const said = {
      ...saying,
      text: "Actually, `verifyToken` takes [redacted:password], not hunter2.",
      actual: "`verifyToken` takes [redacted:password]",
    };
    const actions = [read("src/tokens.ts"), edited("src/tokens.ts")];

    const kept = outsideOf({ actions, sayings: [{ ...saying, order: 1.5, at: late }] });
    const left = outsideOf({ actions, sayings: [{ ...said, order: 1.5, at: late }] });

    expect(Object.keys(kept)).toContain("self-correction");
    expect(Object.keys(left)).not.toContain("self-correction");
  });
});

describe("what repeats an instruction that was read", () => {
  it("is held back where it was read before", () => {
    const seen = outsideOf({
      actions: [page, read("src/tokens.ts"), edited("src/tokens.ts")],
      sayings: [{ ...saying, order: 1.5, at: late }],
    });

    expect(seen["self-correction"]).toMatchObject({ from: "instruction" });
  });

  it("is not where it was read only afterwards", () => {
    const actions = [read("src/tokens.ts"), edited("src/tokens.ts"), { ...page, at: late + 60_000 }];

    const seen = outsideOf({ actions, sayings: [{ ...saying, order: 0.5, at: early }] });

    expect(Object.entries(seen)).toContainEqual(["self-correction", undefined]);
  });

  it("is not what the user asked for, nor an error", () => {
    const asked = "Fix the date format in billing";
    const failing = {
      does: "run" as const,
      command: { line: "npm test", name: "npm test", purpose: "test" as const },
      failed: true,
      error: { fingerprint: "f", message: "TypeError: Do not know how to serialize a BigInt", kind: "TypeError" },
    };
    const huge = read("src/huge.ts", { instructions: ["*"] });
    const first = edited("src/cache.ts", "a", "b");
    const back = edited("src/cache.ts", "b", "a");

    const seen = outsideOf({
      actions: [huge, first, failing, back],
      attempts: [
        {
          first: 1,
          last: 3,
          files: ["src/cache.ts"],
          because: ["reverted", "error"],
          error: failing.error,
          instead: { files: ["src/store.ts"], sayings: [], order: 3 },
        },
      ],
      notes: [{ kind: "prompt", at: 0, order: -1, text: `${asked}. Thanks!` }],
    });

    expect(Object.entries(seen)).toContainEqual(["dead-end", undefined]);
  });
});

it("what an agent saw that failed counts for nothing, however the session ended", () => {
  const actions = [read("src/tokens.ts"), edited("src/tokens.ts")];
  const end = (outcome: "success" | "abandoned") => [{ kind: "end" as const, at: late, outcome }];
  const told = { agentId: "a", actions, sayings: [{ ...saying, order: 1.5, at: late }] };

  expect(Object.keys(outsideOf({ ...told, notes: end("success") }))).toContain("self-correction");
  expect(outsideOf({ ...told, notes: end("abandoned") })).toEqual({});
});

const early = Date.parse("2026-11-02T09:00:00Z") + 500;
const late = early + 1000;

/** By signal, where what a session shows came from. */
function outsideOf(told: Told): Record<string, unknown> {
  const nothing = () => undefined;
  const taint: Taint = { of: nothing, since: nothing, spreading: nothing, spreadsSince: nothing, written: new Map() };
  const seen = gatherSightings({ pads: [padOf(told)], type: "build", root: "/project", outcome: "success", taint });
  return Object.fromEntries(seen.map(({ signal, outside }) => [signal, outside]));
}
