import { describe, expect, it } from "vitest";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import { readHistory } from "../../memory/history/read-history.js";
import type { StoredChange } from "../../memory/history/stored-changes.js";
import { remember } from "../../memory/remember/remember-memories.js";

describe("a record without an id", () => {
  it("is merged into the memory that says so already, which gains what it adds", async () => {
    const context = await projectContext();
    const [known] = await remember(context, [{ content: "Use  pnpm", tags: ["build"], expiresAt: "2027-01-01" }]);

    const report = await keep(context, [
      { content: "Use pnpm", tags: ["npm"], relatedFiles: ["package.json"], name: "tool", metadata: { a: 1 } },
    ]);

    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 0, merged: 1 });
    const [merged, ...others] = await recordsOf(context);
    expect(others).toEqual([]);
    expect(merged?.record).toMatchObject({
      id: known?.id,
      content: "Use  pnpm",
      name: "tool",
      tags: ["build", "npm"],
      metadata: { a: 1 },
      relatedFiles: ["package.json"],
    });
    expect(merged?.record).not.toHaveProperty("expiresAt");
    expect(await context.store.read(countOutOfStep)).toBe(0);
    expect((await readHistory(context, "tool"))[0]).toMatchObject({ verb: "merged" });
  });

  it("[E7] changes nothing when it adds nothing, not even the time of the last change", async () => {
    const context = await projectContext();
    const records = [
      { content: "Use pnpm", tags: ["build"], name: "tool", aliases: ["pm"] },
      { content: "we said so", type: "conversation", sessionId: "s1" },
      { content: "until tonight", type: "context", scope: "session" as const, sessionId: "s1" },
    ];
    await keep(context, records);
    const before = await contentsOf(context);
    const anHourLater = await projectContext({ store: context.store, now: "2026-11-15T13:00:00.000Z" });

    const report = await keep(anHourLater, records);

    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 3, merged: 0 });
    expect(await contentsOf(context)).toEqual(before);
  });

  it("is merged with the one before it in the same file", async () => {
    const context = await projectContext();

    const report = await keep(context, [
      { content: "Use pnpm", tags: ["a"] },
      { content: "Use npm" },
      { content: "Use pnpm", tags: ["b"] },
      { content: "Use pnpm", tags: ["b"] },
    ]);

    expect(report).toMatchObject({ added: 2, updated: 0, unchanged: 1, merged: 1 });
    expect((await recordsOf(context)).map(({ record }) => record.tags)).toEqual([["a", "b"], []]);
  });

  it("is a further change of the one before it, after those that one came with", async () => {
    const context = await projectContext();
    const edited: StoredChange = {
      number: 2,
      verb: "edited",
      at: noon,
      operation: idOf(7),
      fields: { tags: [[], ["a"]] },
    };

    const report = await keep(context, [
      { record: stored({ content: "Use pnpm", tags: ["a"] }), history: [edited] },
      { content: "Use pnpm", tags: ["b"] },
    ]);

    expect(report).toMatchObject({ added: 1, merged: 1 });
    expect((await readHistory(context, idOf(1))).map(({ number, verb }) => [number, verb])).toEqual([
      [3, "merged"],
      [2, "edited"],
      [1, "remembered"],
    ]);
  });

  it.each([
    [{ name: "other" }],
    [{ scope: "module" as const }],
    [{ visibility: "team" as const }],
    [{ metadata: { a: 2 } }],
    [{ type: "gotcha" }],
    [{ review: { state: "flagged" as const, reason: "no" } }],
    [{ userVerified: true }],
    [{ forgottenAt: noon }],
    [{ validUntil: noon }],
    [{ expiresAt: "2026-01-01T00:00:00.000Z" }],
  ])("stays apart where merging would lose what it says: %j", async (differing) => {
    const context = await projectContext();
    await keep(context, [stored({ content: "Use pnpm", name: "tool", metadata: { a: 1 } })]);

    const report = await keep(context, [{ content: "Use pnpm", ...differing }]);

    expect(report).toMatchObject({ added: 1, updated: 0, unchanged: 0, merged: 0 });
  });

  it("is a memory of its own where each one counts, unless it is the very same event", async () => {
    const context = await projectContext();
    const turn = { content: "yes", type: "conversation", sessionId: "s1", createdAt: "2026-11-01T00:00:00.000Z" };

    // The last one comes when the others are in the store.
    const first = await keep(
      context,
      Array.from({ length: 401 }, () => turn),
    );
    const again = await keep(context, [turn, { ...turn, createdAt: noon }, { ...turn, sessionId: "s2" }]);

    expect(first.added).toBe(401);
    expect(again).toMatchObject({ added: 2, updated: 0, unchanged: 1, merged: 0 });
  });
});

describe("a record with an id that is not known", () => {
  it("is merged by its text, and what leads to it leads to the memory that took it in", async () => {
    const context = await projectContext();
    const [known] = await remember(context, [{ content: "Use pnpm" }]);
    const relation = { kind: "validates", confidence: 1, automatic: false } as const;

    const report = await keep(context, [
      stored({ id: idOf(1), content: "because", relations: [{ ...relation, memory: idOf(2) }] }),
      stored({ id: idOf(2), content: "Use pnpm", tags: ["npm"], relations: [{ ...relation, memory: idOf(1) }] }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 0, unchanged: 0, merged: 1 });
    const [old, reason] = (await recordsOf(context)).map(({ record }) => record);
    expect(old).toMatchObject({ id: known?.id, tags: ["npm"], relations: [{ ...relation, memory: idOf(1) }] });
    expect(reason?.relations).toEqual([{ ...relation, memory: known?.id }]);
  });

  it("is not added by an older state that the same file holds", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use pnpm" }]);
    const newer = stored({ id: idOf(1), content: "Use pnpm", updatedAt: noon });

    const report = await keep(context, [newer, stored({ id: idOf(1), content: "Use npm" })]);

    expect(report).toMatchObject({ added: 0, unchanged: 2 });
  });

  it("leads no longer to itself when both ends are merged into one memory", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use pnpm" }]);
    const similar = { kind: "similar", memory: idOf(2), confidence: 1, automatic: false } as const;

    await keep(context, [
      stored({ id: idOf(1), content: "Use pnpm", relations: [similar] }),
      stored({ id: idOf(2), content: "Use pnpm" }),
    ]);

    expect((await recordsOf(context)).map(({ record }) => record.relations)).toEqual([[]]);
  });

  it("is not merged when it is forgotten, beside one that is", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "Use pnpm" }]);

    const report = await keep(context, [
      stored({ id: idOf(1), content: "Use pnpm" }),
      stored({ id: idOf(2), content: "Use pnpm", forgottenAt: noon }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 0, unchanged: 1, merged: 0 });
  });

  it("stays two where it was two before, whatever the texts say", async () => {
    const context = await projectContext();
    // Far enough apart for the first to be in the store when the second comes.
    const records = Array.from({ length: 500 }, (_, n) => stored({ id: idOf(n), content: `Use pnpm ${n % 450}` }));

    const report = await keep(context, records);

    expect(report.added).toBe(500);
    expect((await recordsOf(context)).map(({ record }) => record)).toEqual(records);
  });
});
