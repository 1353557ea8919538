import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { padOf } from "../../../test/support/pad-of.js";
import { findReverts } from "./reverts.js";
import type { Action } from "./session-view.js";

describe("an edit that was taken back", () => {
  it("is found by the edit that brings back what it replaced", () => {
    expect(revertsOf(edit("a.ts", ["A", "B"]), ran("npm test"), edit("a.ts", ["B", "A"]))).toEqual(["a.ts 0←2 edit"]);
  });

  it("is found over several steps, each edit once", () => {
    const actions = [edit("a.ts", ["A", "B"]), edit("a.ts", ["B", "C"]), edit("a.ts", ["C", "A"])];

    expect(revertsOf(...actions)).toEqual(["a.ts 0←2 edit", "a.ts 1←2 edit"]);
  });

  it("is only the last one where the one before it stays", () => {
    const actions = [edit("a.ts", ["A", "B"]), edit("a.ts", ["B", "C"]), edit("a.ts", ["C", "B"])];

    expect(revertsOf(...actions)).toEqual(["a.ts 1←2 edit"]);
  });

  it("is found when the file is written as it was before", () => {
    const actions = [wrote("a.ts", "one"), edit("a.ts", ["A", "B"]), wrote("a.ts", "two"), wrote("a.ts", "one")];

    expect(revertsOf(...actions)).toEqual(["a.ts 1←3 edit", "a.ts 2←3 edit"]);
  });

  it("is found by a command that restores its file, its folder or everything", () => {
    const edits = [edit("src/a.ts", ["A", "B"]), edit("src/b.ts", ["A", "B"])];

    expect(revertsOf(...edits, restored("src/a.ts"))).toEqual(["src/a.ts 0←2 command"]);
    expect(revertsOf(...edits, restored("src/"))).toEqual(["src/a.ts 0←2 command", "src/b.ts 1←2 command"]);
    expect(revertsOf(...edits, restored("."))).toEqual(["src/a.ts 0←2 command", "src/b.ts 1←2 command"]);
    expect(revertsOf(...edits, restored("sr"))).toEqual([]);
  });

  it("counts when nothing is left of it, and not before", () => {
    const both = edit("a.ts", ["A", "B"], ["C", "D"]);

    expect(revertsOf(both, edit("a.ts", ["B", "A"]))).toEqual([]);
    expect(revertsOf(both, edit("a.ts", ["B", "A"]), edit("a.ts", ["D", "C"]))).toEqual(["a.ts 0←2 edit"]);
  });

  it("is not one that was made again", () => {
    const toggled = [edit("a.ts", ["A", "B"]), edit("a.ts", ["B", "A"]), edit("a.ts", ["A", "B"])];
    const rewritten = [wrote("a.ts", "new"), restored("a.ts"), wrote("a.ts", "new")];

    expect(revertsOf(...toggled)).toEqual([]);
    expect(revertsOf(...rewritten)).toEqual([]);
  });

  it("is not one that was only stashed for a while", () => {
    const stash = restored(".", "git stash");
    const pop = ran("git stash pop");

    expect(revertsOf(edit("a.ts", ["A", "B"]), stash, ran("npm test"), pop)).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), restored(".", "git stash && npm test; git stash pop"))).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), stash, pop, restored("."))).toEqual(["a.ts 0←3 command"]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), stash)).toEqual(["a.ts 0←1 command"]);
  });

  it("is not the same words of another file, nor one that had failed", () => {
    expect(revertsOf(edit("a.ts", ["A", "B"]), edit("b.ts", ["B", "A"]))).toEqual([]);
    expect(revertsOf({ ...edit("a.ts", ["A", "B"]), failed: true }, restored("."))).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), { ...edit("a.ts", ["B", "A"]), failed: true })).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), { ...restored("."), failed: true })).toEqual([]);
  });

  it("is not one of a file that git knows, when git only cleans up", () => {
    expect(revertsOf(edit("a.ts", ["A", "B"]), restored(".", "git clean -fd"))).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), restored(".", "git checkout . && git clean -fd"))).toHaveLength(1);
  });

  it("is out of reach of a restoring command once it is committed", () => {
    const commit = ran("git add -A && git commit -m done");

    expect(revertsOf(edit("a.ts", ["A", "B"]), commit, restored("."))).toEqual([]);
    expect(revertsOf(edit("a.ts", ["A", "B"]), commit, edit("a.ts", ["B", "A"]))).toEqual(["a.ts 0←2 edit"]);
  });

  it("is always an earlier edit of that file, and taken back once", () => {
    const mark = fc.constantFrom("A", "B", "C", "D");
    const file = fc.constantFrom("a.ts", "b.ts");
    const action = fc.oneof(
      fc.tuple(file, mark, mark).map(([path, before, after]) => edit(path, [before, after])),
      fc.tuple(file, mark).map(([path, whole]) => wrote(path, whole)),
      file.map((path) => restored(path)),
      fc.constantFrom(restored(".", "git stash"), ran("git stash pop"), ran("git commit"), ran("npm test")),
    );

    fc.assert(
      fc.property(fc.array(action, { maxLength: 30 }), (some) => {
        const found = findReverts(padOf({ actions: some }).actions);

        for (const { edit: taken, revert, file: path } of found) {
          expect(taken.order).toBeLessThan(revert.order);
          expect(taken.files).toContain(path);
        }
        const once = new Set(found.map(({ edit: taken, file: path }) => `${taken.order} ${path}`));
        expect(once.size).toBe(found.length);
      }),
    );
  });
});

function revertsOf(...actions: Partial<Action>[]): string[] {
  return findReverts(padOf({ actions }).actions).map(
    ({ file, edit: taken, revert, by }) => `${file} ${taken.order}←${revert.order} ${by}`,
  );
}

function edit(file: string, ...pairs: [string, string][]): Partial<Action> {
  return { does: "edit", files: [file], edit: { pairs, lines: 1 } };
}

function wrote(file: string, whole: string): Partial<Action> {
  return { does: "edit", files: [file], edit: { pairs: [], whole, lines: 1 } };
}

function restored(path: string, line = `git checkout -- ${path}`): Partial<Action> {
  return { does: "run", command: { line, name: "git checkout", purpose: "version-control", restores: [path] } };
}

function ran(line: string): Partial<Action> {
  return { does: "run", command: { line, name: line, purpose: "other" } };
}
