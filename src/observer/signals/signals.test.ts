import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import { memoryTypes } from "../../memory/type-registry/memory-types.js";
import { sessionTypes } from "../../config/config.js";
import { leastValue, signalValue } from "./signal.js";
import { allSignals, signalsFor } from "./signals.js";

/** Value and sessions of seed 002. */
const declared: [name: string, value: number, sessions: number, ...types: string[]][] = [
  ["co-access", 0.91, 3, "causal_dependency", "prefetch_pattern"],
  ["self-correction", 0.88, 1, "gotcha", "module_insight"],
  ["error-retry", 0.85, 2, "error_pattern", "gotcha"],
  ["parallel-conflict", 0.82, 1, "gotcha"],
  ["read-abandon", 0.79, 3, "gotcha"],
  ["repeated-search", 0.76, 2, "module_insight", "gotcha"],
  ["test-order", 0.74, 3, "task_calibration"],
  ["tool-sequence", 0.73, 3, "workflow_recipe"],
  ["file-access", 0.72, 3, "prefetch_pattern"],
  ["step-overrun", 0.71, 3, "task_calibration"],
  ["backtrack", 0.68, 2, "gotcha"],
  ["config-touch", 0.66, 2, "causal_dependency"],
  ["glob-ignore", 0.64, 2, "gotcha"],
  ["token-spike", 0.63, 3, "context_cost"],
  ["external-reference", 0.61, 3, "module_insight"],
  ["import-chase", 0.52, 4, "causal_dependency"],
  ["time-anomaly", 0.48, 3, "gotcha"],
  ["dead-end", 0.86, 1, "dead_end"],
];

describe("the list of signals", () => {
  it.each(declared)("holds %s with the value %f after %i sessions", (name, value, sessions, ...types) => {
    const signal = allSignals.find((one) => one.name === name);

    expect(signal && signalValue(signal)).toBe(value);
    expect(signal).toMatchObject({ sessions, promotesTo: types });
  });

  it("names each one once, each worth enough and leading to types that exist", () => {
    const known = new Set(memoryTypes.map(({ type }) => type));

    expect(new Set(allSignals.map(({ name }) => name)).size).toBe(allSignals.length);
    for (const signal of allSignals) {
      expect(signalValue(signal)).toBeGreaterThanOrEqual(leastValue);
      expect(signal.promotesTo.filter((type) => !known.has(type))).toEqual([]);
      for (const part of [signal.diagnostic, signal.crossSession, signal.falsePositives]) {
        expect(part).toBeGreaterThanOrEqual(0);
        expect(part).toBeLessThanOrEqual(1);
      }
    }
  });

  it("looks at a build with all of them, at other sessions with what suits them", () => {
    const names = Object.fromEntries(sessionTypes.map((type) => [type, signalsFor(type).map(({ name }) => name)]));

    expect(names).toEqual({
      build: allSignals.map(({ name }) => name),
      insights: ["co-access", "self-correction", "repeated-search", "dead-end"],
      terminal: ["error-retry", "tool-sequence", "dead-end", "work-state"],
      pr_review: ["error-retry", "self-correction", "dead-end", "qa", "e2e"],
      spec: ["file-access", "self-correction"],
      roadmap: ["self-correction", "work-unit", "commit"],
      changelog: [],
    });
  });
});

describe("every signal", () => {
  it("tells of any session each subject once, with little evidence in the order of time, and words it shortly", () => {
    fc.assert(
      fc.property(anySession, (told) => {
        const pad = padOf(told);
        for (const signal of allSignals) {
          const sightings = signal.detect(pad, { ...aroundOf(pad), outcome: "failure" });

          expect(new Set(sightings.map(({ subject }) => subject)).size).toBe(sightings.length);
          for (const { evidence, orders, subject, data } of sightings) {
            const times = evidence.map(({ at }) => at);
            const past = [1, 2, 3, 4].map((session) => ({ sessionId: `s${session}`, at: "", data, evidence: [] }));
            const draft = signal.compose(subject, past, {
              sessions: 4,
              sessionsOfFile: () => 4,
              sessionsOfModule: () => 4,
            });

            expect(times).toEqual(times.toSorted());
            expect(evidence.length).toBeLessThanOrEqual(10);
            expect(orders.length).toBeGreaterThan(0);
            if (!draft) continue;
            expect(signal.promotesTo).toContain(draft.type);
            expect(draft.content.length).toBeLessThanOrEqual(1200);
            expect(draft.relatedFiles.filter((file) => /^[/~]|node_modules/.test(file))).toEqual([]);
          }
        }
      }),
    );
  });

  it("says the same of the same session", () => {
    fc.assert(
      fc.property(anySession, (told) => {
        const pads = [padOf(told), padOf(told)] as const;
        const seen = pads.map((pad) => allSignals.map((signal) => signal.detect(pad, aroundOf(pad))));

        expect(seen[0]).toEqual(seen[1]);
      }),
      { numRuns: 30 },
    );
  });
});

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.constantFrom("Let me use a cache.", "Actually, `a` is in b.ts, not in c.ts.", "This won't work because of x."),
);
const file = fc.oneof(
  fc.constantFrom("src/a/x.ts", "src/a/y.ts", "src/b/z.ts", "package.json", "/etc/hosts", "node_modules/x/y.js", ""),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const seenError = fc.record({ fingerprint: fc.constantFrom("f1", "f2"), message: text, kind: fc.constant("Error") });
const command = fc.record({
  line: text,
  name: fc.constantFrom("npm test", "npm run e2e", "git status", ""),
  purpose: fc.constantFrom("test", "build", "check", "look", "other"),
});
const action = fc.record(
  {
    does: fc.constantFrom("read", "edit", "search", "run", "fetch", "other"),
    tool: fc.constantFrom("Tool", "Bash"),
    files: fc.array(file, { maxLength: 3 }),
    edit: fc.record({ pairs: fc.constant<[string, string][]>([["m1", "m2"]]), lines: fc.nat(50) }),
    search: fc.record({ pattern: text, by: fc.constantFrom("text", "name") }),
    command,
    url: fc.oneof(text, fc.constant("docs.example.org/page")),
    failed: fc.boolean(),
    error: seenError,
    bytes: fc.nat(200_000),
    found: fc.nat(500),
    imports: fc.array(file, { maxLength: 3 }),
    durationMs: fc.oneof(fc.nat(100), fc.nat(500_000)),
  },
  { requiredKeys: ["does", "tool"] },
);
const saying = fc.record({ is: fc.constantFrom("correction", "abandonment", "plan", "cause"), text });
const unit = fc.record({ methodology: text, hierarchy: fc.array(text, { maxLength: 2 }), label: text });
const order = fc.integer({ min: -1, max: 60 });
const at = fc.constant(0);
const note = fc.oneof(
  fc.record({ kind: fc.constant("start"), at, root: fc.constant("/project"), plannedSteps: fc.nat(9), order }),
  fc.record({ kind: fc.constant("prompt"), at, text, order }),
  fc.record({ kind: fc.constant("step"), at, inputTokens: fc.nat(90_000), order }),
  fc.record({ kind: fc.constant("unit"), at, unit, state: fc.constantFrom("started", "succeeded", "failed"), order }),
  fc.record({
    kind: fc.constant("qa"),
    at,
    passed: fc.boolean(),
    issues: fc.array(fc.record({ title: text, file }), { maxLength: 3 }),
    order,
  }),
  fc.record({
    kind: fc.constant("commit"),
    at,
    sha: fc.constant("abcdef1"),
    message: text,
    files: fc.array(file),
    order,
  }),
);
const attempt = fc.record({
  first: fc.nat(20),
  last: fc.nat(40),
  files: fc.array(file, { maxLength: 3 }),
  fate: fc.constantFrom("held", "abandoned", "open"),
  because: fc.constantFrom(["reverted"], ["error", "said"], ["said"]),
  error: seenError,
});
const beginning = Date.parse("2026-11-02T09:00:00Z");
/** Anything that a session could be, whatever it means: notes come in their order, as they do. */
const anySession: fc.Arbitrary<Told> = fc
  .record({
    actions: fc.array(action, { maxLength: 40 }),
    sayings: fc.array(saying, { maxLength: 5 }),
    attempts: fc.array(attempt, { maxLength: 3 }),
    notes: fc.array(note, { maxLength: 20 }),
  })
  .map(({ notes, ...told }) => {
    const inOrder = notes.toSorted((a, b) => a.order - b.order);
    return { ...told, notes: inOrder.map((one) => ({ ...one, at: beginning + one.order * 1000 })) } as unknown as Told;
  });
