import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { aroundOf, padOf, type Told } from "../../../test/support/pad-of.js";
import { deadEnd as schema } from "../../memory/type-registry/memory-data.js";
import type { Attempt } from "../scratchpad/session-view.js";
import { deadEnd, deadEndSubject } from "./dead-end.js";

const error = { fingerprint: "f1", message: "TypeError: cannot clone a function", kind: "TypeError" };
const edit = { does: "edit" as const, files: ["src/cache.ts"] };
const test = {
  does: "run" as const,
  failed: true,
  error,
  command: { line: "npm test", name: "npm test", purpose: "test" as const },
};
const attempt: Partial<Attempt> = {
  first: 0,
  last: 2,
  files: ["src/cache.ts"],
  because: ["error", "reverted"],
  error,
  instead: { files: ["src/store.ts"], sayings: [], order: 3 },
};
const prompt = { kind: "prompt" as const, at: 0, text: "Make sessions survive a restart. Thanks!", order: -1 };
const actions = [edit, test, edit, { does: "edit" as const, files: ["src/store.ts"] }];

describe("what a session shows", () => {
  it("is an approach that failed, why, and what worked instead", () => {
    const plan = { is: "plan" as const, text: "Let me use structuredClone for the cache.", order: -1, at: 0, step: 0 };
    const other = { is: "plan" as const, text: "I'll keep rows in the store instead.", order: 3, at: 3000, step: 3 };
    const instead = { files: ["src/store.ts"], sayings: [other], order: 3 };

    const { sighting, draft } = learn({
      actions,
      attempts: [{ ...attempt, sayings: [plan], instead }],
      notes: [prompt],
    });

    expect(sighting?.subject).toBe("src/cache.ts: f1");
    expect(draft).toMatchObject({
      type: "dead_end",
      content:
        'For "Make sessions survive a restart", do not try to use structuredClone for the cache: ' +
        "it failed with `TypeError: cannot clone a function`. " +
        "What worked instead: keep rows in the store.",
      relatedFiles: ["src/cache.ts", "src/store.ts"],
    });
    expect(schema.parse(draft?.data)).toEqual({
      approachTried: "Let me use structuredClone for the cache.",
      whyItFailed: "TypeError: cannot clone a function",
      alternativeUsed: "Keep rows in the store.",
      taskContext: "Make sessions survive a restart",
    });
  });

  it("is told by its files where the agent said nothing", () => {
    const { draft, sighting } = learn({ actions, attempts: [attempt], notes: [prompt] });

    expect(draft?.content).toBe(
      'For "Make sessions survive a restart", do not try editing `src/cache.ts`: ' +
        "it failed with `TypeError: cannot clone a function`. What worked instead: editing `src/store.ts`.",
    );
    expect(sighting?.orders.toSorted()).toEqual([-1, 0, 1, 2, 3]);
    expect(sighting?.evidence.map(({ did }) => did)).toContain(
      "ran `npm test`, which failed: TypeError: cannot clone a function",
    );
  });

  it("takes what the agent said for the reason, where it gives one", () => {
    const said = {
      is: "abandonment" as const,
      text: "This approach won't work: workers share nothing.",
      order: 2,
      at: 2,
      step: 2,
    };
    const { instead: _, error: __, ...bare } = attempt;

    const { draft } = learn({
      actions: [edit],
      attempts: [{ ...bare, because: ["reverted", "said"], sayings: [said] }],
    });

    expect(draft?.data).toMatchObject({ whyItFailed: `"This approach won't work: workers share nothing."` });
    expect(draft?.content).toContain("it was given up.");
  });

  it("takes what stands behind a different approach for what was done instead, and never for the reason", () => {
    const instead = { files: ["src/store.ts"], sayings: [], order: 3 };
    const said = (text: string, order: number) => ({ is: "abandonment" as const, text, order, at: order, step: order });
    const told = (...texts: string[]) =>
      learn({ actions, attempts: [{ ...attempt, instead, because: ["error", "said"], sayings: texts.map(said) }] })
        .draft;

    const next = said("Let me try a different approach: I'll keep rows in the store.", 3);
    const { draft, sighting } = learn({
      actions,
      attempts: [{ ...attempt, instead: { ...instead, sayings: [next] } }],
    });

    expect(draft?.data).toMatchObject({ alternativeUsed: "Keep rows in the store." });
    expect(sighting?.evidence.flatMap((item) => item.said ?? [])).toEqual([next.text]);
    expect(told("Let me try a different approach: keep rows in the store.")?.content).toBe(
      "Do not try editing `src/cache.ts`: it failed with `TypeError: cannot clone a function`. " +
        "What worked instead: keep rows in the store.",
    );
    expect(
      told("This won't work since workers share nothing, so let me try another way: keep rows in the store.")?.data,
    ).toMatchObject({
      whyItFailed: `TypeError: cannot clone a function; "This won't work since workers share nothing"`,
      alternativeUsed: "Keep rows in the store.",
    });
  });

  it("takes of several reasons the one that says because", () => {
    const said = (text: string, order: number) => ({ is: "abandonment" as const, text, order, at: order, step: order });
    const sayings = ["It cannot work because functions are not cloned.", "This approach is not going anywhere, sadly."];

    expect(
      learn({ actions, attempts: [{ ...attempt, because: ["error", "said"], sayings: sayings.map(said) }] }).draft
        ?.data,
    ).toMatchObject({
      whyItFailed: 'TypeError: cannot clone a function; "It cannot work because functions are not cloned."',
    });
  });

  it("names the run that failed where no error was to be read", () => {
    const { error: _, ...bare } = attempt;
    const { error: __, ...silent } = test;

    const { draft } = learn({ actions: [edit, silent, edit, edit], attempts: [bare] });

    expect(draft?.content).toContain("Do not try editing `src/cache.ts`: `npm test` failed with it.");
  });

  it("names nothing that worked where that was about another request in another module", () => {
    const next = { kind: "prompt" as const, at: 0, text: "Now the colours of the page", order: 3 };
    const instead = { files: ["web/page/colours.css"], sayings: [], order: 3 };

    const said = { is: "abandonment" as const, text: "This won't work: rows are shared.", order: 2, at: 2, step: 2 };
    const told = { ...attempt, instead, because: ["error" as const, "said" as const], sayings: [said] };

    const { draft } = learn({ actions, attempts: [told], notes: [prompt, next] });

    expect(draft?.content).not.toContain("instead");
    expect(draft?.relatedFiles).toEqual(["src/cache.ts"]);
    expect(learn({ actions, attempts: [{ ...attempt, instead }], notes: [prompt, next] }).sighting).toBeUndefined();
  });

  it("is nothing for attempts that held, that are open, or that only words speak against", () => {
    const said = { is: "abandonment" as const, text: "Let me try a different approach.", order: 2, at: 2, step: 2 };

    expect(learn({ actions, attempts: [{ ...attempt, fate: "held" }] }).sighting).toBeUndefined();
    expect(learn({ actions, attempts: [{ ...attempt, fate: "open" }] }).sighting).toBeUndefined();
    expect(learn({ actions, attempts: [{ ...attempt, because: ["said"], sayings: [said] }] }).sighting).toBeUndefined();
  });

  it("is nothing without a word where the same file was edited until it worked, or nothing was taken back", () => {
    const same = { files: ["src/cache.ts"], sayings: [], order: 3 };

    expect(learn({ actions, attempts: [{ ...attempt, instead: same }] }).sighting).toBeUndefined();
    expect(learn({ actions, attempts: [{ ...attempt, because: ["error"] }] }).sighting).toBeUndefined();
  });

  it("does not take for a plan how the agent means to work", () => {
    const manner = { is: "plan" as const, text: "I'll keep the change small.", order: -1, at: 0, step: 0 };

    expect(learn({ actions, attempts: [{ ...attempt, sayings: [manner] }] }).draft?.content).toContain(
      "Do not try editing `src/cache.ts`",
    );
  });

  it("is nothing where edits were taken back and nothing shows why", () => {
    const { error: _, ...bare } = attempt;

    expect(learn({ actions: [edit, edit], attempts: [{ ...bare, because: ["reverted"] }] }).sighting).toBeUndefined();
  });

  it("is nothing for what was put in to look at something", () => {
    const plan = {
      is: "plan" as const,
      text: "Let me add some logging to see what happens.",
      order: -1,
      at: 0,
      step: 0,
    };

    expect(learn({ actions, attempts: [{ ...attempt, sayings: [plan] }] }).sighting).toBeUndefined();
  });

  it("is nothing for a line that was put in without a word while the same error was there, whatever took it out", () => {
    const line = { ...edit, edit: { pairs: [["a", "b"] as [string, string]], lines: 1 } };
    const restored = {
      does: "run" as const,
      command: {
        line: "git checkout -- src/cache.ts",
        name: "git checkout",
        purpose: "version-control" as const,
        restores: ["src/cache.ts"],
      },
    };
    const probe = { ...attempt, first: 1, last: 3, instead: { files: ["src/store.ts"], sayings: [], order: 4 } };
    const after = [line, test, restored, { does: "edit" as const, files: ["src/store.ts"] }];
    const plan = { is: "plan" as const, text: "Let me clone the cache.", order: 1, at: 0, step: 0 };

    expect(learn({ actions: [test, ...after], attempts: [probe] }).sighting).toBeUndefined();
    expect(learn({ actions: [{ ...test, failed: false }, ...after], attempts: [probe] }).sighting).toBeDefined();
    expect(learn({ actions: [test, ...after], attempts: [{ ...probe, sayings: [plan] }] }).sighting).toBeDefined();
  });

  it("is nothing where an error stayed and nothing else was done", () => {
    const { instead: _, ...bare } = attempt;

    expect(learn({ actions, attempts: [bare] }).sighting).toBeUndefined();
  });

  it("is nothing for files outside of the project", () => {
    expect(
      learn({ actions, attempts: [{ ...attempt, files: ["/tmp/x.ts", "package-lock.json"] }] }).sighting,
    ).toBeUndefined();
  });
});

describe("the subject of an attempt", () => {
  it("is the same whatever the order of its files", () => {
    const files = fc.uniqueArray(fc.constantFrom("src/a.ts", "src/b.ts", "lib/c.ts", "d.ts"), { minLength: 1 });
    fc.assert(
      fc.property(files, (some) => {
        const one = padOf({ attempts: [{ ...attempt, files: some }] }).attempts()[0] as Attempt;

        expect(deadEndSubject({ ...one, files: some.toReversed() })).toBe(deadEndSubject(one));
      }),
    );
  });
});

function learn(told: Told) {
  const pad = padOf(told);
  const [sighting] = deadEnd.detect(pad, aroundOf(pad));
  const past = sighting && { sessionId: "s", at: "2026-11-02T09:00:00.000Z", data: sighting.data, evidence: [] };
  const history = { sessions: 1, sessionsOfFile: () => 1, sessionsOfModule: () => 1 };
  return { sighting, draft: past && deadEnd.compose(sighting.subject, [past], history) };
}
