import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { aroundOf, padOf } from "../../../test/support/pad-of.js";
import { coAccess } from "./co-access.js";
import { configTouch } from "./config-touch.js";
import { fileAccess } from "./file-access.js";
import { importChase } from "./import-chase.js";
import type { PastSighting } from "./signal.js";
import { testOrder } from "./test-order.js";
import { toolSequence } from "./tool-sequence.js";
import { areCompanions, isTestFile, listTouches } from "./touched-files.js";

describe("what a session touched", () => {
  it("is each file of the project that it read or edited", () => {
    const actions = [
      read("a.ts", { files: ["a.ts", "b.ts"] }),
      edited("c.ts"),
      { does: "run" as const, files: ["d.ts"] },
    ];

    const touches = listTouches(padOf({ actions }));

    expect(touches.map(({ file, isEdit, place }) => [file, isEdit, place])).toEqual([
      ["a.ts", false, 0],
      ["b.ts", false, 0],
      ["c.ts", true, 1],
    ]);
  });

  it("is nothing that failed, lies outside, is generated, or cannot be typed", () => {
    const paths = [
      "/etc/hosts",
      "../x.ts",
      "dist/a.js",
      "yarn.lock",
      "a\0.ts",
      "a\u202E.ts",
      "\uD800.ts",
      "x".repeat(300),
    ];

    expect(
      listTouches(padOf({ actions: [read("a.ts", { failed: true }), ...paths.map((path) => read(path))] })),
    ).toEqual([]);
  });
});

it("A test is known by where it lies or what it is called", () => {
  expect(["a.test.ts", "src/a_test.go", "tests/x.py", "test_x.py", "a.spec.js"].every(isTestFile)).toBe(true);
  expect(["src/latest.ts", "src/contest/a.ts", "src/attest.ts"].some(isTestFile)).toBe(false);
});

it("A file's companions are its own test, story and snapshot", () => {
  const companions = ["src/a.test.ts", "test/a.spec.ts", "src/a.stories.tsx", "src/__snapshots__/a.test.ts.snap"];

  expect(companions.filter((file) => areCompanions("src/a.ts", file))).toEqual(companions);
  expect(areCompanions("src/a.ts", "src/b.test.ts")).toBe(false);
  expect(areCompanions("src/a.ts", "lib/a.ts")).toBe(false);
});

describe("signals of reading and order", () => {
  const signals = [coAccess, fileAccess, importChase, configTouch, toolSequence, testOrder];
  const path = fc.oneof(
    fc.constantFrom("src/a/x.ts", "src/a/y.ts", "src/b/z.ts", "vite.config.ts", "src/a/x.test.ts", "src/c/index.ts"),
    fc.string({ unit: "binary", maxLength: 30 }),
  );
  const command = fc.record({
    line: fc.string({ unit: "binary", maxLength: 30 }),
    name: fc.constantFrom("npm test", "npm run gen", "tsc", "", "`x\n"),
    purpose: fc.constantFrom("test", "build", "check", "other", "look"),
  });
  const action = fc.record(
    {
      does: fc.constantFrom("read", "edit", "run", "search", "other"),
      files: fc.array(path, { maxLength: 3 }),
      command,
      failed: fc.boolean(),
      at: fc.oneof(fc.nat(), fc.constantFrom(Number.NaN, Infinity, -1)),
      imports: fc.array(fc.oneof(fc.constantFrom("./x", "../b/z.js", "."), fc.string({ unit: "binary" })), {
        maxLength: 3,
      }),
    },
    { requiredKeys: ["does"] },
  );

  it("take any session, and tell each subject once with evidence for people", () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
        const pad = padOf({ actions });
        for (const signal of signals) {
          const seen = signal.detect(pad, aroundOf(pad));
          expect(new Set(seen.map(({ subject }) => subject)).size).toBe(seen.length);
          for (const { orders, evidence } of seen) {
            expect(orders.length).toBeGreaterThan(0);
            expect(evidence.length).toBeGreaterThan(0);
            expect(evidence.length).toBeLessThanOrEqual(10);
          }
          expect(JSON.parse(JSON.stringify(seen))).toEqual(seen);
        }
      }),
    );
  });

  it("make of any sightings a memory or nothing", () => {
    const past = fc.record({
      sessionId: fc.string(),
      at: fc.string(),
      data: fc.dictionary(
        fc.constantFrom("a", "b", "files", "from", "to", "config", "module", "steps", "at", "check", "test", "runs"),
        fc.jsonValue(),
      ),
      evidence: fc.constant([]),
    });
    const history = { sessions: 9, sessionsOfFile: () => 0, sessionsOfModule: () => 3 };

    fc.assert(
      fc.property(fc.array(past, { minLength: 1, maxLength: 8 }), (sightings) => {
        for (const signal of signals) {
          const draft = signal.compose("x", sightings as PastSighting[], history);
          expect([undefined, "string"]).toContain(draft && typeof draft.content);
        }
      }),
    );
  });
});
