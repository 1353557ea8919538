import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SignalName } from "../observer.js";
import type { Sighting } from "../signals/signal.js";
import { agree } from "./agree.js";

const sentence = "The connection pool must be closed before the database file is deleted on Windows";

describe("what the agents of a session saw", () => {
  it("is one where signal and subject are the same, with the number of agents", () => {
    const [one, two] = [saw("a.ts + b.ts", "First."), saw("a.ts + b.ts", "First.", "Second.")];
    const agreed = agree([
      { agent: "", sighting: one },
      { agent: "child", sighting: two },
      { agent: "child", sighting: one },
    ]);

    expect(agreed).toEqual([{ sighting: two, agents: 2, from: [one, two, one] }]);
  });

  it("is one where two agents say nearly the same", () => {
    const agreed = agree([
      { agent: "", sighting: saw("one", `${sentence}.`) },
      { agent: "child", sighting: saw("two", `${sentence} too.`) },
    ]);

    expect(agreed).toMatchObject([{ agents: 2, sighting: { subject: "one" } }]);
  });

  it.each([
    [
      "they differ in a number",
      "Port 8080 is taken by the proxy of the build",
      "Port 8081 is taken by the proxy of the build",
    ],
    ["only one says no", sentence, sentence.replace("must be", "must not be")],
    ["they name other files", `${sentence}: \`a.ts\``, `${sentence}: \`b.ts\``],
    ["they say something else", sentence, "Tests run in the order of their names and share one folder"],
  ])("stays apart when %s", (_, one, two) => {
    const agreed = agree([
      { agent: "", sighting: saw("one", one) },
      { agent: "child", sighting: saw("two", two) },
    ]);

    expect(agreed.map(({ agents }) => agents)).toEqual([1, 1]);
  });

  it("stays apart when it is of other signals, or of one agent", () => {
    const agreed = agree([
      { agent: "", sighting: saw("one", sentence) },
      { agent: "", sighting: saw("two", sentence) },
      { agent: "child", sighting: saw("three", "Something that nobody else has seen here.") },
      { agent: "child", sighting: { ...saw("one", sentence), signal: "backtrack" } },
    ]);

    expect(agreed.map(({ agents }) => agents)).toEqual([1, 1, 1, 1]);
  });

  it("keeps every sighting, once", () => {
    const one = fc.record({
      agent: fc.constantFrom("", "a", "b"),
      sighting: fc
        .tuple(
          fc.constantFrom("x", "y", "z"),
          fc.lorem({ maxCount: 3 }),
          fc.constantFrom<SignalName>("backtrack", "co-access"),
        )
        .map(([subject, text, signal]) => ({ ...saw(subject, text), signal })),
    });

    fc.assert(
      fc.property(fc.array(one, { maxLength: 40 }), (seen) => {
        const agreed = agree(seen);

        expect(agreed.flatMap(({ from }) => from)).toHaveLength(seen.length);
        expect(new Set(agreed.flatMap(({ from }) => from))).toEqual(new Set(seen.map(({ sighting }) => sighting)));
        for (const { agents, from, sighting } of agreed) {
          expect(from).toContain(sighting);
          expect(agents).toBeLessThanOrEqual(3);
        }
      }),
    );
  });

  it("is found among thousands in time that does not grow with their square", () => {
    const seen = Array.from({ length: 4000 }, (_, index) => ({
      agent: `${index % 3}`,
      sighting: saw(`subject ${index}`, `${sentence} ${index}`),
    }));
    const started = performance.now();

    expect(agree(seen)).toHaveLength(4000);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

function saw(subject: string, ...did: string[]): Sighting {
  return {
    signal: "self-correction",
    subject,
    orders: [1],
    data: {},
    evidence: did.map((one) => ({ at: "2026-11-02T09:00:00.000Z", did: one })),
  };
}
