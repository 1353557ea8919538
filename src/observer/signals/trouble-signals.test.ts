import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { edited, failed, ran, read, searched } from "../../../test/support/acts.js";
import { padOf } from "../../../test/support/pad-of.js";
import type { Action, SpokenSaying } from "../scratchpad/session-view.js";
import { backtrack } from "./backtrack.js";
import { errorRetry, listErrors } from "./error-retry.js";
import { globIgnore } from "./glob-ignore.js";
import { parallelConflict } from "./parallel-conflict.js";
import { readAbandon } from "./read-abandon.js";
import { repeatedSearch } from "./repeated-search.js";
import { selfCorrection } from "./self-correction.js";

const signals = [selfCorrection, errorRetry, backtrack, readAbandon, repeatedSearch, globIgnore, parallelConflict];

describe("the signals of trouble", () => {
  it("hold their promises in any session", () => {
    fc.assert(
      fc.property(sessions, (told) => {
        const pads = told.map((one, index) => padOf({ ...one, ...(index > 0 && { agentId: `agent-${index}` }) }));
        for (const pad of pads) {
          expect(listErrors(pad).every(({ orders }) => orders.length > 0)).toBe(true);
          const orders = new Set([...pad.actions, ...pad.sayings].map(({ order }) => order));
          for (const signal of signals) {
            const seen = signal.detect(pad, { pads, type: "build", root: "/project" });

            expect(new Set(seen.map(({ subject }) => subject)).size).toBe(seen.length);
            for (const { subject, data, evidence, ...sighting } of seen) {
              expect(sighting.signal).toBe(signal.name);
              expect(sighting.orders.every((order) => orders.has(order))).toBe(true);
              expect(sighting.orders.length).toBeGreaterThan(0);
              expect(evidence.length).toBeLessThanOrEqual(10);
              expect(evidence.map(({ at }) => at)).toEqual(evidence.map(({ at }) => at).toSorted());
              expect(JSON.parse(JSON.stringify(data))).toEqual(data);
              const past = { sessionId: "s", at: "2026-11-02T09:00:00.000Z", data, evidence };
              const draft = signal.compose(subject, [past, past, past], history);
              if (!draft) continue;
              expect(signal.promotesTo).toContain(draft.type);
              expect(draft.content).not.toBe("");
              expect(Buffer.from(draft.content).toString()).toBe(draft.content);
              expect(draft.relatedFiles.some((file) => file.startsWith("/") || file.startsWith(".."))).toBe(false);
            }
          }
        }
      }),
    );
  });

  it("make something even of data that is not theirs, or nothing", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const past = { sessionId: "s", at: "", data: data as never, evidence: [] };
        for (const signal of signals) expect(() => signal.compose("subject", [past], history)).not.toThrow();
      }),
    );
  });
});

const history = { sessions: 3, sessionsOfFile: () => 3, sessionsOfModule: () => 3 };

const file = fc.constantFrom(
  "src/a.ts",
  "src/b.ts",
  "src/c/d.test.ts",
  "/etc/hosts",
  "../x.ts",
  "",
  "a`b\uD800",
  "README.md",
);
const odd = fc.oneof(
  fc.constantFrom("openStore", "foo(", "TypeError: x", "\0", "[", "\\", "`"),
  fc.string({ unit: "binary" }),
);
const mark = fc.constantFrom("a", "b", "c");

const action: fc.Arbitrary<Partial<Action>> = fc.oneof(
  file.map((path) => read(path)),
  fc
    .tuple(file, mark, mark, fc.boolean())
    .map(([path, before, after, isBad]) => edited(path, before, after, isBad ? { failed: true } : {})),
  fc
    .tuple(odd, fc.nat(400), fc.option(file, { nil: "." }))
    .map(([pattern, found, where]) => searched(pattern, found, { where })),
  fc
    .tuple(odd, fc.constantFrom(0, 3))
    .map(([pattern, found]) => searched(pattern, found, { line: `rg --hidden ${pattern}` })),
  fc.constantFrom(
    ran("npm test"),
    failed("npm test", "TypeError: x"),
    failed("npm test"),
    ran("make x"),
    failed("make x y", "E: z"),
  ),
  fc.constant<Partial<Action>>({
    command: { line: "git checkout .", name: "git checkout", purpose: "version-control", restores: ["."] },
  }),
  fc.constant<Partial<Action>>({ does: "edit" }),
);

const saying: fc.Arbitrary<Partial<SpokenSaying>> = fc.record({
  is: fc.constantFrom("correction" as const, "cause" as const),
  text: fc.oneof(odd, fc.constant("Wait, `openStore` is only called once.")),
});

const sessions = fc.array(
  fc.record({ actions: fc.array(action, { maxLength: 40 }), sayings: fc.array(saying, { maxLength: 5 }) }),
  { minLength: 1, maxLength: 3 },
);
