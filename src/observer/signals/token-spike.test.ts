import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import type { PastSighting } from "./signal.js";
import { tokenSpike } from "./token-spike.js";

const schema = { does: "read" as const, files: ["src/store/schema.ts"], bytes: 110_000, order: 45 };
const others = { does: "read" as const, files: ["src/store/rows.ts"], bytes: 61_000, order: 46 };
const quiet = [8000, 9000, 9500, 10_000];

describe("what a session shows", () => {
  it("is a module whose files explain most of the rise", () => {
    const [sighting, second] = see({ actions: [schema, others], notes: steps([...quiet, 55_000, 12_000, 9000]) });

    expect(second).toBeUndefined();
    expect(sighting).toMatchObject({ subject: "src/store", data: { module: "src/store", tokens: 45_000 } });
    expect(sighting?.orders).toEqual([45, 46, 50]);
    expect(sighting?.evidence.map(({ did }) => did)).toContain("took a step with 55,000 tokens of input");
  });

  it("is seen also where the context stays as full until the end", () => {
    const rest = [55_000, 55_500, 56_000, 56_500, 57_000, 57_500, 58_000];

    expect(see({ actions: [schema, others], notes: steps([...quiet, ...rest]) })).toHaveLength(1);
  });

  it("is nothing where a conversation grows by itself", () => {
    const growing = Array.from({ length: 40 }, (_, index) => 5000 + index * 2000);
    const small = { ...schema, bytes: 50_000 };

    expect(see({ actions: [small], notes: steps(growing) })).toEqual([]);
  });

  it("is nothing where what was read is spread over the project", () => {
    const reads = ["a", "b", "c", "d"].map((name) => ({ ...schema, files: [`src/${name}/x.ts`], bytes: 42_000 }));

    expect(see({ actions: reads, notes: steps([...quiet, 55_000, 9000, 9000]) })).toEqual([]);
  });

  it("is nothing where the large result is a command's, a file's outside, or below 20,000 tokens", () => {
    const spike = steps([...quiet, 55_000, 9000, 9000]);

    expect(see({ actions: [{ does: "run", bytes: 200_000, order: 45 }], notes: spike })).toEqual([]);
    expect(see({ actions: [{ ...schema, files: ["/etc/large.conf"] }], notes: spike })).toEqual([]);
    expect(see({ actions: [schema], notes: steps([3000, 3000, 3000, 3000, 19_000, 3000]) })).toEqual([]);
    expect(see({ actions: [schema, others] })).toEqual([]);
  });

  it("is nothing where it is a log or a table of data", () => {
    const spike = steps([...quiet, 55_000, 9000, 9000]);

    for (const file of ["build.log", "src/store/test.out", "logs/today", "data/rows.csv"]) {
      expect(see({ actions: [{ ...schema, files: [file], bytes: 170_000 }], notes: spike })).toEqual([]);
    }
  });

  it("counts a part that was read again once", () => {
    const again = { ...schema, order: 47 };

    const [sighting] = see({ actions: [schema, others, again], notes: steps([...quiet, 55_000, 9000, 9000]) });

    expect(sighting?.data.tokens).toBe(45_000);
  });
});

describe("what sessions add up to", () => {
  it("is what the module costs, and which file most of it is", () => {
    const told = { actions: [schema, others], notes: steps([...quiet, 55_000, 12_000, 9000]) };
    const sightings = [1, 2, 3].map((session): PastSighting => ({
      sessionId: `s${session}`,
      at: "2026-11-02T09:00:00.000Z",
      data: see(told)[0]?.data ?? {},
      evidence: [],
    }));

    const draft = tokenSpike.compose("src/store", sightings, noHistory);

    expect(draft).toMatchObject({
      type: "context_cost",
      content: "Understanding `src/store` takes about 45,000 tokens; most of it is `src/store/schema.ts` (29,000).",
      data: { module: "src/store", averageTokens: 45_000, sampleCount: 3 },
      relatedFiles: ["src/store/schema.ts", "src/store/rows.ts"],
      relatedModules: ["src/store"],
    });
  });
});

const noHistory = { sessions: 3, sessionsOfFile: () => 3, sessionsOfModule: () => 3 };

function steps(tokens: number[]): Required<Told>["notes"] {
  return tokens.map((inputTokens, index) => ({ kind: "step", at: index, inputTokens, order: 10 + index * 10 }));
}

function see(told: Told) {
  const pad = padOf(told);
  return tokenSpike.detect(pad, aroundOf(pad));
}
