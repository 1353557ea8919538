import { describe, expect, it } from "vitest";
import { edited, failed, ran, read, searched } from "../../../test/support/acts.js";
import { padOf, type Told } from "../../../test/support/pad-of.js";
import type { RecordedMemory } from "./injection-queries.js";
import { useOf } from "./use-of.js";

const error = "TypeError: rates is undefined";

describe("a memory that an agent was told", () => {
  it.each([
    ["in what it says", { cited: [{ shortId: "1a2b3c4d", order: 3 }] }],
    ["to Tacit", { actions: [read("a.ts"), ran("tacit show 1a2b3c4d")] }],
    [
      "in a commit",
      { notes: [{ kind: "commit", at: 0, sha: "abcd", message: "Pin it (#1a2b3c4d)", files: [], order: 3 }] },
    ],
  ] as [string, Told][])("is cited where it is named %s", (_, told) => {
    expect(useOf({ order: 0 }, memory({ type: "decision" }), padOf(told))).toBe("cited");
    expect(useOf({ order: 9 }, memory({ type: "decision" }), padOf(told))).toBeUndefined();
  });

  it("is not cited by a command that takes it away", () => {
    const pad = padOf({ actions: [read("a.ts"), ran("tacit forget 1a2b3c4d")] });

    expect(useOf({ order: 0 }, memory({ type: "constructor" }), pad)).toBeUndefined();
  });

  it("is used in no way that can be seen where it is of another type, or nothing follows", () => {
    const pad = padOf({ actions: [read("src/tax.ts"), edited("src/tax.ts"), ran("npm test")] });

    expect(useOf({ order: 0 }, memory({ type: "decision" }), pad)).toBeUndefined();
    expect(useOf({ order: 2 }, warning(), pad)).toBeUndefined();
  });
});

describe("a warning", () => {
  it("is followed where its file is edited and what used to fail passes", () => {
    expect(useOf({ order: 0 }, warning(), acting(edited("src/tax.ts"), ran("npm test")))).toBe("followed");
  });

  it.each([
    ["its error comes back", [edited("src/tax.ts"), failed("npm test", error), ran("npm test")]],
    ["only another file is edited", [edited("src/cart.ts"), ran("npm test")]],
    ["nothing is run that could show it", [edited("src/tax.ts"), ran("git diff")]],
    ["it is edited again afterwards", [ran("npm test"), edited("src/tax.ts")]],
  ])("is not where %s", (_, actions) => {
    expect(useOf({ order: 0 }, warning(), acting(...actions))).toBeUndefined();
  });

  it("of which no error is known is not, whatever passes", () => {
    const stated = memory({ type: "gotcha", relatedFiles: ["src/tax.ts"] });

    expect(useOf({ order: 0 }, stated, acting(edited("src/tax.ts"), ran("npm test")))).toBeUndefined();
  });

  it("that names a command is followed where that is run and helps", () => {
    const gotcha = warning({ type: "gotcha", relatedFiles: [], data: { error, fixedBy: ["npm run generate"] } });

    expect(useOf({ order: 0 }, gotcha, acting(failed("npm test", error), ran("npm run generate")))).toBe("followed");
    expect(useOf({ order: 0 }, gotcha, acting(ran("npm run generate"), failed("npm test", error)))).toBeUndefined();
  });

  it("of a dead end is not followed where its files are tried again and given up", () => {
    const deadEnd = warning({ type: "dead_end", subjects: [{ signal: "dead-end", subject: `src/tax.ts: ${mark}` }] });
    const actions = [read("a.ts"), edited("src/tax.ts"), ran("npm test")];
    const attempts = [{ first: 1, last: 2, files: ["src/tax.ts"] }];

    expect(useOf({ order: 0 }, deadEnd, padOf({ actions }))).toBe("followed");
    expect(useOf({ order: 0 }, deadEnd, padOf({ actions, attempts }))).toBeUndefined();
  });
});

describe("a causal dependency", () => {
  const pair = memory({ type: "causal_dependency", relatedFiles: ["src/a.ts", "src/b.ts"] });

  it("is followed where one file is edited and the other opened for the first time", () => {
    expect(useOf({ order: 0 }, pair, padOf({ actions: [edited("src/a.ts"), read("src/b.ts")] }))).toBe("followed");
  });

  it("is not where the other was open before, or nothing is edited", () => {
    const known = padOf({ actions: [read("src/b.ts"), edited("src/a.ts"), edited("src/b.ts")] });

    expect(useOf({ order: 1 }, pair, known)).toBeUndefined();
    expect(useOf({ order: 0 }, pair, padOf({ actions: [read("src/a.ts"), read("src/b.ts")] }))).toBeUndefined();
  });
});

describe("what says where something is", () => {
  const insight = memory({ type: "module_insight", relatedFiles: ["src/rates.ts"], data: { lookedFor: "rateOf" } });

  it("is followed where that file is opened at once, and not where it is searched for again", () => {
    const opened = padOf({ actions: [read("src/a.ts"), read("src/rates.ts")] });
    const searching = padOf({ actions: [read("src/a.ts"), searched("rateOf\\(", 3), read("src/rates.ts")] });

    expect(useOf({ order: 0 }, insight, opened)).toBe("followed");
    expect(useOf({ order: 0 }, insight, searching)).toBeUndefined();
  });
});

const mark = "0123456789abcdef";

function memory(more: Partial<RecordedMemory>): RecordedMemory {
  return {
    id: "019a0000-0000-7000-8000-00001a2b3c4d",
    type: "note",
    relatedFiles: [],
    data: {},
    subjects: [],
    ...more,
  };
}

function warning(more: Partial<RecordedMemory> = {}): RecordedMemory {
  return memory({
    type: "error_pattern",
    relatedFiles: ["src/tax.ts"],
    data: { error, command: "npm test" },
    subjects: [{ signal: "error-retry", subject: mark }],
    ...more,
  });
}

function acting(...actions: Parameters<typeof padOf>[0]["actions"] & object) {
  return padOf({ actions: [read("src/other.ts"), ...actions] });
}
