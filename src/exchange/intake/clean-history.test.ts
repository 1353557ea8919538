import { describe, expect, it } from "vitest";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import type { FieldChanges, StoredChange } from "../../memory/history/stored-changes.js";
import { undo } from "../../memory/undo/undo-change.js";

describe("a history that arrives", () => {
  it.each<[FieldChanges, string]>([
    [{ id: [idOf(3), idOf(1)] }, "a field that no change can have"],
    [{ storedAt: [noon, noon] }, "a field that no change can have"],
    [{ __proto__x: [1, 2] }, "a field that no change can have"],
    [{ createdAt: ["garbage", noon] }, "createdAt must be a time"],
    [{ createdAt: ["2026-02-30T00:00:00.000Z", noon] }, "createdAt must be a time"],
    [{ content: [null, "a"] }, "content must be a text"],
    [{ metadata: ["zz", {}] }, "metadata must be an object"],
    [{ tags: ["x", []] }, "tags must be a list of texts"],
    [{ tags: [[1], []] }, "tags must be a list of texts"],
    [{ confidence: [5, 0.8] }, "confidence must be a number from 0 to 1"],
    [{ review: [null, { state: "none" }] }, "review must be { state, reason }"],
    [{ workUnit: ["a", null] }, "workUnit must be an object"],
    [{ scope: ["galaxy", "global"] }, "scope must be one of"],
    [{ supersededBy: ["me", null] }, "supersededBy must be an id"],
    [{ relations: [[{ kind: "validates", memory: idOf(1), file: "a" }], []] }, "relations must be a list"],
    [{ relations: [[null], []] }, "relations must be a list"],
    [{ releasedNames: [{ name: 1, aliases: [] }, null] }, "releasedNames must be { name, aliases }"],
    [{ halfLifeDays: [0, null] }, "halfLifeDays must be a number of days"],
    [{ name: ["deadbeef", null] }, "A name has the form of an id"],
    [{ aliases: [["a\nb"], []] }, "A name holds a control character"],
  ])("is refused by its line where undoing it would write what no memory can hold: %j", async (fields, message) => {
    const context = await projectContext();

    const refused = keep(context, [{ content: "a" }, { record: stored({ content: "b" }), history: [change(fields)] }]);

    await expect(refused).rejects.toMatchObject({
      code: "import-refused",
      message: expect.stringMatching(/^memories\.jsonl:2: /),
    });
    await expect(refused).rejects.toThrow(message);
    expect((await contentsOf(context))["memories"]).toEqual([]);
  });

  it("is kept as it is where it tells of what changes can do, and can be undone", async () => {
    const context = await projectContext();
    const fields: FieldChanges = {
      content: ["before", "after"],
      name: ["old", null],
      aliases: [["o"], []],
      tags: [["x"], ["y"]],
      metadata: [{ a: 1 }, {}],
      confidence: [0.5, 0.8],
      expiresAt: ["2999-01-01T00:00:00.000Z", null],
      createdAt: ["2020-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
      review: [{ state: "flagged", reason: "no" }, { state: "none" }],
      relations: [[{ kind: "validates", file: "a.ts", confidence: 1, automatic: false }], []],
    };
    const history = [change(fields)];

    await keep(context, [{ record: stored({ content: "after", tags: ["y"] }), history }]);

    expect((await recordsOf(context))[0]?.history).toEqual(history);
    expect(await undo(context, idOf(1))).toMatchObject({
      content: "before",
      name: "old",
      aliases: ["o"],
      tags: ["x"],
      metadata: { a: 1 },
      createdAt: "2020-01-01T00:00:00.000Z",
      relations: [{ kind: "validates", file: "a.ts" }],
    });
  });

  it("is cleaned to what can be undone: what becomes the same without its secrets is there once", async () => {
    const context = await projectContext();
    const secrets = ["0", "1"].map((digit) => ["ghp", `${digit}123456789abcdefABCDEF0123456789abcd`].join("_"));

    await keep(context, [{ record: stored({ content: "a" }), history: [change({ tags: [secrets, []] })] }]);

    expect((await undo(context, idOf(1))).tags).toEqual([expect.stringContaining("redacted")]);
  });
});

function change(fields: FieldChanges): StoredChange {
  return { number: 2, verb: "edited", at: noon, operation: idOf(7), fields };
}
