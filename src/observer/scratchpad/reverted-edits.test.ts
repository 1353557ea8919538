import { describe, expect, it } from "vitest";
import { openRevertedEdits, type RevertedEdits } from "./reverted-edits.js";
import type { Revert } from "./reverts.js";
import type { Action } from "./session-view.js";
import { beginTry, type Try } from "./try.js";

describe("edits that are taken back", () => {
  it("are those of no try where nobody said whose they are", () => {
    const reverted = openRevertedEdits();

    expect(reverted.revert(revertOf(edit(1, "a.ts")))).toBeUndefined();
    expect(reverted.settle()).toEqual([]);
  });

  it("take their try along when they are most of it, and only once", () => {
    const reverted = openRevertedEdits();
    const whole = addTry(reverted, edit(1, "a.ts"), edit(2, "a.ts"), edit(3, "a.ts"));

    expect(reverted.revert(revertOf(whole.edits[2] as Action))).toBe(whole);
    expect(reverted.settle()).toEqual([]);
    for (const one of whole.edits.slice(0, 2)) reverted.revert(revertOf(one));

    expect(reverted.settle()).toMatchObject([{ isSplit: false, revert: { edit: { order: 2 } } }]);
    expect(reverted.settle()).toEqual([]);
  });

  it("are gone when they are taken back in all of their files", () => {
    const reverted = openRevertedEdits();
    const many = edit(1, "a.ts", "b.ts", "c.ts");
    addTry(reverted, many);

    reverted.revert(revertOf(many));
    expect(reverted.settle()).toEqual([]);
    for (const one of [many, many]) reverted.revert(revertOf(one));

    expect(reverted.settle()).toHaveLength(1);
  });

  it("become a try of their own where the rest stays and a check had failed", () => {
    const reverted = openRevertedEdits();
    const whole = addTry(reverted, edit(1, "a.ts"), edit(2, "b.ts"));
    const gone = whole.edits[1] as Action;
    whole.failures = [{ ...edit(3), does: "run", failed: true }];

    reverted.revert(revertOf(gone));
    const [settled] = reverted.settle();

    expect(settled).toMatchObject({ isSplit: true, gone: { edits: [gone] } });
    expect(whole.edits.map(({ order }) => order)).toEqual([1]);
    expect(reverted.revert(revertOf(gone))).toBe(settled?.gone);
  });
});

function addTry(reverted: RevertedEdits, ...edits: Action[]): Try {
  const whole = { ...beginTry(undefined), edits, files: new Set(edits.flatMap(({ files = [] }) => files)) };
  for (const one of edits) reverted.add(one, whole);
  return whole;
}

function edit(order: number, ...files: string[]): Action {
  return { order, at: order, step: order, tool: "Edit", does: "edit", files };
}

function revertOf(taken: Action): Revert {
  return { edit: taken, revert: edit(taken.order + 10), by: "edit", file: taken.files?.[0] ?? "" };
}
