import { describe, expect, it } from "vitest";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import { shortId } from "../../base/ids/new-id.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import { readHistory } from "../../memory/history/read-history.js";
import { remember } from "../../memory/remember/remember-memories.js";

const later = "2026-06-01T00:00:00.000Z";

describe("a name that arrives", () => {
  it("[E6] is refused where another memory holds it, with its line and the holder, and nothing is changed", async () => {
    const context = await projectContext();
    const [holder] = await remember(context, [{ content: "Deploy on Friday", aliases: ["rule"] }]);
    const before = await contentsOf(context);

    const refused = keep(context, [{ content: "a" }, { content: "Deploy on Monday", name: "rule" }]);

    await expect(refused).rejects.toMatchObject({
      code: "import-refused",
      message: `memories.jsonl:2: the name "rule" belongs to ${shortId(holder?.id ?? "")} (Deploy on Friday).`,
      hint: expect.stringContaining("--rebind"),
    });
    expect(await contentsOf(context)).toEqual(before);
  });

  it("moves when it is to be rebound, and the history of the holder tells of it", async () => {
    const context = await projectContext();
    const [holder] = await remember(context, [{ content: "Deploy on Friday", name: "rule" }]);

    await keep(context, [{ content: "Deploy on Monday", name: "rule" }], { rebind: true });

    const [loser, winner] = (await recordsOf(context)).map(({ record }) => record);
    expect(loser).not.toHaveProperty("name");
    expect(winner).toMatchObject({ content: "Deploy on Monday", name: "rule" });
    expect(await context.store.read(countOutOfStep)).toBe(0);
    expect((await readHistory(context, holder?.id ?? ""))[0]).toMatchObject({
      verb: "imported",
      fields: { name: { before: "rule" } },
    });
  });

  it("moves to a memory that took the record in, which is found by it then", async () => {
    const context = await projectContext();
    const [, holder] = await remember(context, [
      { content: "Use pnpm" },
      { content: "Deploy on Monday", name: "tool" },
    ]);

    const report = await keep(context, [{ content: "Use pnpm", name: "tool" }], { rebind: true });

    expect(report).toMatchObject({ added: 0, merged: 1, takenFrom: [holder?.id] });
    expect((await recordsOf(context)).map(({ record }) => record.name)).toEqual(["tool", undefined]);
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it("keeps records of the same text apart that bring two, as it does where nobody holds them", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use pnpm" }, { content: "a", name: "tool" }, { content: "b", name: "rule" }]);
    const records = [
      { content: "Use pnpm", name: "tool" },
      { content: "Use pnpm", name: "rule" },
      { content: "Use pnpm", name: "free" },
    ];

    const report = await keep(context, records, { rebind: true });

    expect(report).toMatchObject({ added: 2, merged: 1 });
    expect((await recordsOf(context)).map(({ record }) => [record.content, record.name])).toEqual([
      ["Use pnpm", "tool"],
      ["a", undefined],
      ["b", undefined],
      ["Use pnpm", "rule"],
      ["Use pnpm", "free"],
    ]);
    expect(await keep(context, records, { rebind: true })).toMatchObject({ unchanged: 3, takenFrom: [] });
  });

  it("moves once for two records of the same text that bring it", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use npm", name: "tool" }]);

    const report = await keep(
      context,
      [
        { content: "Use pnpm", name: "tool" },
        { content: "Use pnpm", name: "tool" },
      ],
      { rebind: true },
    );

    expect(report).toMatchObject({ added: 1, unchanged: 1 });
    expect((await recordsOf(context)).map(({ record }) => record.name)).toEqual([undefined, "tool"]);
  });

  it("stays an alias of the memory that has it as one, which is no change", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use pnpm", aliases: ["tool"] }]);
    const before = await contentsOf(context);

    const report = await keep(context, [{ content: "Use pnpm", name: "tool" }]);

    expect(report).toMatchObject({ unchanged: 1, merged: 0 });
    expect(await contentsOf(context)).toEqual(before);
  });

  it("is refused for two records of one import, with both lines, even if it is to be rebound", async () => {
    const context = await projectContext();

    const refused = keep(
      context,
      [{ content: "a", name: "rule" }, { content: "b" }, { content: "c", aliases: ["rule"] }],
      { rebind: true },
    );

    await expect(refused).rejects.toMatchObject({
      code: "import-refused",
      message: 'memories.jsonl:3: the name "rule" is also that of memories.jsonl:1.',
    });
  });

  it("may be that of a memory which gives it up in the same import", async () => {
    const context = await projectContext();
    await keep(context, [
      stored({ id: idOf(1), content: "a", name: "x" }),
      stored({ id: idOf(2), content: "b", name: "y" }),
    ]);

    const report = await keep(context, [
      stored({ id: idOf(3), content: "c", name: "z", aliases: ["old x"] }),
      stored({ id: idOf(1), content: "a", name: "y", updatedAt: later }),
      stored({ id: idOf(2), content: "b", name: "x", updatedAt: later }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 2 });
    expect((await recordsOf(context)).map(({ record }) => record.name)).toEqual(["y", "x", "z"]);
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it("is not wanted any more when a newer state of the same memory has another", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "holder", name: "rule" }]);

    const report = await keep(context, [
      stored({ id: idOf(1), content: "a", name: "rule" }),
      stored({ id: idOf(1), content: "a", name: "other", updatedAt: later }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 1 });
    expect((await recordsOf(context)).map(({ record }) => record.name)).toEqual(["rule", "other"]);
  });

  it("is not bound to a forgotten memory, which remembers that it had it", async () => {
    const context = await projectContext();

    await keep(context, [
      stored({ id: idOf(1), content: "a", name: "rule", aliases: ["r"], forgottenAt: noon }),
      stored({ id: idOf(2), content: "b", name: "rule" }),
    ]);

    const [forgotten, named] = (await recordsOf(context)).map(({ record }) => record);
    expect(forgotten).toMatchObject({ aliases: [], releasedNames: { name: "rule", aliases: ["r"] } });
    expect(forgotten).not.toHaveProperty("name");
    expect(named?.name).toBe("rule");
  });
});
