import { describe, expect, it } from "vitest";
import type { Action } from "./session-view.js";
import { beginTry, type Try } from "./try.js";
import { openUnjudgedTries } from "./unjudged-tries.js";

describe("the try that is worked on", () => {
  it("goes on with the same files, and with others until a check or a new plan", () => {
    const tries = openUnjudgedTries();
    const one = tryOf("a.ts");
    tries.edit(one);

    expect(tries.findCurrent(["b.ts"])).toBe(one);
    tries.plan();
    expect(tries.findCurrent(["b.ts"])).toBeUndefined();
    expect(tries.findCurrent(["a.ts"])).toBe(one);
    tries.edit(one);
    tries.fail(check("npm test"), one);

    expect(tries.findCurrent(["b.ts"])).toBeUndefined();
    expect(tries.findCurrent(["a.ts"])).toBe(one);
  });

  it("is none once it passed, was closed, or has more edits than any way takes", () => {
    const tries = openUnjudgedTries();
    const [passed, closed, long] = [tryOf("a.ts"), tryOf("a.ts"), tryOf("a.ts")];

    tries.edit(passed);
    tries.pass(check("npm test"));
    expect(tries.findCurrent(["a.ts"])).toBeUndefined();
    tries.edit(closed);
    tries.close(closed);
    expect(tries.findCurrent(["a.ts"])).toBeUndefined();
    tries.edit(long);
    long.edits = Array.from({ length: 200 }, () => check("edit"));
    expect(tries.findCurrent(["a.ts"])).toBeUndefined();
  });
});

describe("a check that fails", () => {
  it("speaks against what was edited since the last one, and without an edit against the latest, unless it was given up", () => {
    const tries = openUnjudgedTries();
    const one = tryOf("a.ts");
    tries.edit(one);

    tries.fail(check("npm test", "E"), one);
    tries.fail(check("npm test", "E"), one);
    one.givenUp = { order: 3, at: 3, step: 3, is: "abandonment", text: "Not this way." };
    tries.fail(check("npm test", "E"), one);

    expect(one.failures).toHaveLength(2);
    expect([...one.returned]).toEqual([["E", 1]]);
    expect(tries.errorBefore()).toBe("E");
  });
});

describe("a check that passes", () => {
  it("holds what failed in it, and leaves open what failed in a check of another kind", () => {
    const tries = openUnjudgedTries();
    const one = tryOf("a.ts");
    tries.edit(one);
    tries.fail(check("npm test", ""), one);

    tries.pass(check("npm run lint", undefined, "check"));
    expect([one.passed, tries.errorBefore()]).toEqual([undefined, ""]);
    tries.pass(check("npm test"));

    expect(one.passed?.command?.line).toBe("npm test");
    expect(tries.errorBefore()).toBeUndefined();
  });

  it("says nothing about the eleventh try before it", () => {
    const tries = openUnjudgedTries();
    const all = Array.from({ length: 11 }, (_, n) => tryOf(`${n}.ts`));
    for (const one of all) tries.edit(one);

    tries.pass(check("npm test"));

    expect(all.map(({ passed }) => passed !== undefined)).toEqual([false, ...Array(10).fill(true)]);
  });
});

function tryOf(file: string): Try {
  return { ...beginTry(undefined), files: new Set([file]) };
}

function check(line: string, fingerprint?: string, purpose: "test" | "check" = "test"): Action {
  const error = fingerprint === undefined ? undefined : { fingerprint, message: fingerprint, kind: "Error" };
  const command = { line, name: line, purpose };
  return { order: 0, at: 0, step: 0, tool: "Bash", does: "run", command, ...(error && { error, failed: true }) };
}
