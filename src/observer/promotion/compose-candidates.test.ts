import { describe, expect, it } from "vitest";
import type { StoredSighting, KnownSubject } from "../cross-session/subject-queries.js";
import { subjectKey } from "../cross-session/subject-queries.js";
import type { History } from "../signals/signal.js";
import { composeCandidates, type Candidate } from "./compose-candidates.js";

const session = { sessionId: "now", at: "2026-11-10T09:00:00.000Z" };
const web = { from: "web", what: "example.com" } as const;

describe("what sightings add up to", () => {
  it("is nothing before as many sessions have shown it as its signal wants", () => {
    expect(compose(together(), [])).toEqual([]);
    expect(compose(together(), [past("s1")])).toEqual([]);
    expect(compose(together(), [past("s1"), past("s2")])).toMatchObject([
      { type: "causal_dependency", sessionIds: ["s1", "s2", "now"], source: "observer_inferred" },
    ]);
  });

  it("is nothing where a memory was made of it already", () => {
    expect(compose(together(), [past("s1"), past("s2")], "m1")).toEqual([]);
  });

  it("needs one session where two agents agree, and is a little surer then", () => {
    const [agreed] = compose({ ...mended(), agents: 2 }, []);
    const [counted] = compose(mended(), [past("s1", mended())]);

    expect(compose(mended(), [])).toEqual([]);
    expect(agreed?.sessionIds).toEqual(["now"]);
    expect(agreed?.confidence).toBeCloseTo((counted?.confidence ?? 0) + 0.05, 6);
  });

  it("grows surer with further sessions", () => {
    const confidences = [2, 3, 4].map((count) => {
      const earlier = Array.from({ length: count }, (_, index) => past(`s${index}`));
      return compose(together(), earlier)[0]?.confidence ?? 0;
    });

    expect(confidences).toEqual([0.87, 0.9, 0.93]);
  });

  it("is tainted where it needs what came from outside, and rests on the others where they are enough", () => {
    const [needed] = compose(together(), [past("s1"), { ...past("s2"), outside: web }]);
    const [spare] = compose(together(), [past("s1"), past("s2"), { ...past("s3"), outside: web }]);

    expect(needed?.outside).toEqual(web);
    expect(spare?.outside).toBeUndefined();
    expect(spare?.sessionIds).toEqual(["s1", "s2", "now"]);
    expect(compose({ ...mended(), agents: 2, outside: web }, [])[0]?.outside).toEqual(web);
  });

  it("comes with the most valuable first, in the same order each time", () => {
    const seen = [mended(), corrected("b"), corrected("a")].map((sighting) => ({ ...sighting, agents: 2 }));
    const order = (given: StoredSighting[]) => composeCandidates(given, new Map(), historyAfter(1), session);

    expect(order(seen)).toEqual(order(seen.toReversed()));
    const values = order(seen).map(({ value }) => value);
    expect(values).toHaveLength(3);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });
});

function compose(seen: StoredSighting, earlier: KnownSubject["sightings"], memoryId?: string): Candidate[] {
  const known: KnownSubject = { sightings: earlier, ...(memoryId !== undefined && { memoryId }) };
  return composeCandidates([seen], new Map([[subjectKey(seen), known]]), historyAfter(earlier.length + 1), session);
}

/** The two files were in all of these sessions, and in no other. */
function historyAfter(count: number): History {
  return { sessions: 20, sessionsOfFile: () => count, sessionsOfModule: () => count };
}

function together(): StoredSighting {
  return {
    signal: "co-access",
    subject: "src/a.ts + src/b.ts",
    agents: 1,
    data: { a: "src/a.ts", b: "src/b.ts", aFirst: true, edited: true, lead: 1, isModuleWork: false },
    evidence: [],
  };
}

function corrected(name: string): StoredSighting {
  return {
    signal: "self-correction",
    subject: name,
    agents: 1,
    data: { actual: `the limit of \`${name}\` is 64 KB`, files: ["src/a.ts"] },
    evidence: [],
  };
}

function mended(): StoredSighting {
  return {
    signal: "error-retry",
    subject: "fingerprint",
    agents: 1,
    data: {
      message: "Error: connection pool of the ledger is exhausted",
      kind: "Error",
      command: "npm run migrate",
      purpose: "other",
      files: ["src/stock.ts"],
      commands: [],
      causes: ["The pool is never closed."],
    },
    evidence: [],
  };
}

function past(sessionId: string, { data, evidence } = together()): KnownSubject["sightings"][number] {
  return { sessionId, at: "2026-11-02T09:00:00.000Z", agents: 1, data, evidence };
}
