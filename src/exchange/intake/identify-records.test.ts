import { describe, expect, it } from "vitest";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import { idFrom } from "../../base/ids/new-id.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import { readHistory } from "../../memory/history/read-history.js";
import type { StoredChange } from "../../memory/history/stored-changes.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { purge } from "../../memory/retention/purge.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { undo } from "../../memory/undo/undo-change.js";

const later = "2026-06-01T00:00:00.000Z";

describe("a record whose id is known", () => {
  it("replaces what is older, whole, as a step of history that can be undone", async () => {
    const context = await projectContext();
    const old = stored({ content: "use jest", name: "runner", tags: ["test"], branch: "main", accessCount: 3 });
    await keep(context, [old]);

    const report = await keep(context, [stored({ content: "use vitest", name: "tests", updatedAt: later })]);

    expect(report).toMatchObject({ added: 0, updated: 1, unchanged: 0, merged: 0 });
    const [replaced] = await recordsOf(context);
    expect(replaced?.record).toEqual(stored({ content: "use vitest", name: "tests", updatedAt: later }));
    expect(await context.store.read(countOutOfStep)).toBe(0);
    expect((await readHistory(context, "tests"))[0]).toMatchObject({
      verb: "imported",
      fields: { content: { before: "use jest", after: "use vitest" }, branch: { before: "main" } },
    });
    expect(await undo(context, "tests")).toMatchObject({ content: "use jest", name: "runner", tags: ["test"] });
  });

  it("[E7] changes nothing when it is not newer, or does not say", async () => {
    const context = await projectContext();
    await keep(context, [stored({ content: "use vitest", updatedAt: later })]);
    const before = await contentsOf(context);
    const { updatedAt: _unsaid, ...undated } = stored({ content: "use mocha" });

    const report = await keep(context, [stored({ content: "use jest" }), undated]);

    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 2, merged: 0 });
    expect(await contentsOf(context)).toEqual(before);
  });

  it("counts once where a file holds it several times, and the newest stays", async () => {
    const context = await projectContext();

    const report = await keep(context, [
      stored({ content: "first" }),
      stored({ content: "third", updatedAt: noon }),
      stored({ content: "second", updatedAt: later }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 1, unchanged: 1, merged: 0 });
    expect((await recordsOf(context)).map(({ record }) => record.content)).toEqual(["third"]);
  });

  it("becomes a further change of what came with a history in the same file, and nothing of the older stays", async () => {
    const context = await projectContext();
    const edited: StoredChange = {
      number: 2,
      verb: "edited",
      at: noon,
      operation: idOf(7),
      fields: { content: ["zeroth", "first"] },
    };

    await keep(context, [
      { record: stored({ id: idOf(1), content: "first", supersededBy: idOf(2) }), history: [edited] },
      stored({ id: idOf(2), content: "another" }),
      stored({ id: idOf(1), content: "second", updatedAt: later }),
    ]);

    const [replaced] = await recordsOf(context);
    expect(replaced?.record).not.toHaveProperty("supersededBy");
    expect(replaced?.history.map(({ number, verb }) => [number, verb])).toEqual([
      [2, "edited"],
      [3, "imported"],
    ]);
  });

  it("drops the links that Tacit had found for its old text", async () => {
    const context = await projectContext();
    await keep(context, [
      stored({ id: idOf(1), content: "the build needs node 20" }),
      stored({
        id: idOf(2),
        content: "the build does need node 20",
        relations: [{ kind: "similar", memory: idOf(1), confidence: 0.9, automatic: true }],
      }),
    ]);

    await keep(context, [stored({ id: idOf(1), content: "something else altogether", updatedAt: later })]);

    expect((await recordsOf(context)).map(({ record }) => record.relations)).toEqual([[], []]);
  });
});

describe("what leads from one record to another", () => {
  it("is kept whichever comes first, and dropped where it leads nowhere", async () => {
    const context = await projectContext();
    const relation = (n: number) => ({ kind: "validates", memory: idOf(n), confidence: 1, automatic: false }) as const;

    await keep(context, [
      stored({ id: idOf(1), content: "a", supersededBy: idOf(2), relations: [relation(2), relation(9)] }),
      stored({ id: idOf(2), content: "b", supersededBy: idOf(9), relations: [relation(1)] }),
    ]);

    const [first, second] = (await recordsOf(context)).map(({ record }) => record);
    expect(first).toMatchObject({ supersededBy: idOf(2), relations: [relation(2)] });
    expect(second?.relations).toEqual([relation(1)]);
    expect(second).not.toHaveProperty("supersededBy");
  });

  it("is kept where the newer state of a known memory leads to a new one", async () => {
    const context = await projectContext();
    await keep(context, [stored({ id: idOf(1), content: "a" })]);

    await keep(context, [
      stored({ id: idOf(1), content: "a", supersededBy: idOf(2), validUntil: later, updatedAt: later }),
      stored({ id: idOf(2), content: "b" }),
    ]);

    expect((await recordsOf(context))[0]?.record).toMatchObject({ supersededBy: idOf(2), validUntil: later });
  });
});

describe("a record whose id belongs to another project of the store", () => {
  const twoRecords = [
    {
      record: stored({ id: idOf(1), content: "old", supersededBy: idOf(2), validUntil: later }),
      history: [
        { number: 2, verb: "superseded", at: noon, operation: idOf(7), fields: { supersededBy: [null, idOf(2)] } },
      ] as StoredChange[],
    },
    stored({
      id: idOf(2),
      content: "new",
      relations: [{ kind: "supersedes", memory: idOf(1), confidence: 1, automatic: false }],
    }),
  ];

  it("[P1] gets an id of its own, and what leads to it follows", async () => {
    const { theirs, ours } = await twoProjects();
    await keep(theirs, twoRecords);
    const before = (await recordsOf(theirs)).slice(0, 2);

    await keep(ours, twoRecords);

    const [, , old, next] = await recordsOf(ours);
    expect(old?.record.id).not.toBe(idOf(1));
    expect(old?.record.supersededBy).toBe(next?.record.id);
    expect(next?.record.relations[0]?.memory).toBe(old?.record.id);
    expect(old?.history[0]?.fields).toEqual({ supersededBy: [null, next?.record.id] });
    expect((await recordsOf(theirs)).slice(0, 2)).toEqual(before);
  });

  it("[P1] shares no step of history with the other project", async () => {
    const { theirs, ours } = await twoProjects();
    await keep(theirs, twoRecords);
    await keep(ours, twoRecords);

    const [, , old] = await recordsOf(ours);
    const [change] = await readHistory(ours, old?.record.id ?? "");

    expect(change).toMatchObject({ verb: "superseded", alsoChanged: [] });
  });

  it("is found again under its own id, also when the other project is gone", async () => {
    const { theirs, ours } = await twoProjects();
    await keep(theirs, twoRecords);
    await keep(ours, twoRecords);

    const again = await keep(ours, twoRecords);
    await purge(theirs, { project: true });
    const alone = await keep(ours, twoRecords);

    expect(again).toMatchObject({ added: 0, updated: 0, unchanged: 2, merged: 0 });
    expect(alone).toMatchObject({ added: 0, updated: 0, unchanged: 2, merged: 0 });
  });

  it("[P1] gets another one when that project has taken over even its own id", async () => {
    const { theirs, ours } = await twoProjects();
    await keep(theirs, [stored({ id: idOf(1), content: "theirs" })]);
    await keep(ours, [stored({ id: idOf(1), content: "ours" })]);
    const own = (await recordsOf(ours))[1]?.record as MemoryRecord;
    await purge(ours, { project: true });
    await keep(theirs, [own]);

    const records = [stored({ id: idOf(1), content: "ours" }), { ...own, content: "ours, too" }];
    const report = await keep(ours, records);

    expect(report).toMatchObject({ added: 1, unchanged: 1 });
    expect(new Set((await recordsOf(ours)).map(({ record }) => record.id)).size).toBe(3);
    expect(await keep(ours, records)).toMatchObject({ added: 0, unchanged: 2 });
  });

  it("[P1] is the same as a record that comes by that id", async () => {
    const { theirs, ours } = await twoProjects();
    await keep(theirs, [stored({ id: idOf(1), content: "theirs" })]);
    const own = idFrom("ours", idOf(1));

    const report = await keep(ours, [
      stored({ id: idOf(1), content: "ours" }),
      stored({ id: own, content: "edited", updatedAt: later }),
    ]);

    expect(report).toMatchObject({ added: 1, updated: 1 });
    expect((await recordsOf(ours))[1]?.record).toMatchObject({ id: own, content: "edited" });
  });

  it("[P1] does not merge with the same text of the other project", async () => {
    const { theirs, ours } = await twoProjects();
    await remember(theirs, [{ content: "same", tags: ["theirs"] }]);

    const report = await keep(ours, [{ content: "same", tags: ["ours"] }]);

    expect(report.added).toBe(1);
    expect((await recordsOf(ours)).map(({ record }) => record.tags)).toEqual([["theirs"], ["ours"]]);
  });
});

describe("a record of what is true everywhere", () => {
  const records = [
    { record: { content: "Use pnpm", name: "rule" } },
    { record: { content: "Answer in German", name: "rule" }, project: "user" as const },
  ];

  it("goes into the project for that, in the same import, with names of its own", async () => {
    const context = await projectContext({ project: "here" });

    const report = await keep(context, records);

    const projects = await context.store.read(async (reader) =>
      reader.rows("SELECT p.id, m.content FROM memories AS m JOIN projects AS p ON p.number = m.project_number"),
    );
    expect(report).toMatchObject({ added: 2, updated: 0, unchanged: 0, merged: 0 });
    expect(projects.map((row) => ({ ...row }))).toEqual([
      { id: "here", content: "Use pnpm" },
      { id: "user", content: "Answer in German" },
    ]);
    expect(await keep(context, records)).toMatchObject({ added: 0, unchanged: 2 });
  });

  it("is not kept when one of the others is refused", async () => {
    const context = await projectContext({ project: "here" });
    await remember(context, [{ content: "holder", name: "rule" }]);
    const before = await contentsOf(context);

    await expect(keep(context, records.toReversed())).rejects.toMatchObject({ code: "import-refused" });

    expect(await contentsOf(context)).toEqual(before);
  });
});

async function twoProjects() {
  const theirs = await projectContext({ project: "theirs" });
  return { theirs, ours: await projectContext({ store: theirs.store, project: "ours" }) };
}
