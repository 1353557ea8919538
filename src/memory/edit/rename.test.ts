import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";

describe("names and aliases", () => {
  it("[N1] are one namespace: what one memory answers to, no other can take, and who holds it is told", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "the holder's own text", name: "n", aliases: ["a"] });
    const other = await memory.remember({ content: "other" });

    const attempts = ["n", "a"].flatMap((name) => [
      () => memory.remember({ content: "new", name }),
      () => memory.remember({ content: "new", aliases: [name] }),
      () => memory.remember({ content: "other", name }),
      () => memory.rename(other.id, name),
      () => memory.alias(other.id, [name]),
      () => memory.revise(other.id, { name }),
      () => memory.supersede(other.id, { content: "new", name }),
    ]);
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: "name-taken",
        message: expect.stringContaining(`${id.slice(-8)} (the holder's own text)`),
        hint: expect.stringContaining("--rebind"),
      });
    }
    expect(await memory.list()).toHaveLength(2);
    expect(await memory.history(other.id)).toHaveLength(1);
  });

  it("[N1] are each project's own", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const here = await openTestMemory({ db });
    const elsewhere = await openTestMemory({ db, project: "other" });
    const { id } = await here.remember({ content: "x", name: "n" });

    const other = await elsewhere.remember({ content: "y", name: "n" });

    expect(await elsewhere.get("n")).toMatchObject({ id: other.id });
    expect(await here.get("n")).toMatchObject({ id });
  });

  it("[N1] of a superseded memory stay beside the name that its successor brings, or has already", async () => {
    const memory = await openTestMemory();
    const there = await memory.remember({ content: "there already" });
    await memory.remember({ content: "old", name: "n" });

    const merged = await memory.supersede("n", { content: "there already", name: "brought" });
    const next = await memory.supersede("brought", { content: "new", name: "n" });

    expect(merged).toMatchObject({ id: there.id, merged: true, name: "brought", aliases: ["n"] });
    expect(next).toMatchObject({ merged: false, name: "n", aliases: ["brought"] });
  });

  it.each(["id", "short id", "name", "alias"] as const)(
    "[N2] work wherever an id does: every verb takes the %s",
    async (kind) => {
      const memory = await openTestMemory();
      await memory.remember({ content: "target", name: "target" });
      const { id } = await memory.remember({ content: "first", name: "n", aliases: ["a"] });
      const reference = { id, "short id": id.slice(-8), name: "n", alias: "a" }[kind];

      const answers = [
        await memory.get(reference),
        await memory.revise(reference, { content: "second" }),
        await memory.alias(reference, ["b"]),
        await memory.relate(reference, { kind: "validates", memory: "target" }),
        await memory.unrelate(reference, { kind: "validates", memory: "target" }),
        await memory.pin(reference),
        await memory.verify(reference),
        await memory.flag(reference, "wrong"),
        await memory.undo(reference),
        await memory.forget(reference),
        await memory.restore(reference),
        await memory.rename(reference, "m", { keep: true }),
      ];
      const related = await memory.relate("target", { kind: "derived_from", memory: reference });
      const history = await memory.history(reference);
      const successor = await memory.supersede(reference, { content: "third" });

      expect(answers.map((answer) => answer?.id)).toEqual(answers.map(() => id));
      expect(related.relations).toMatchObject([{ kind: "derived_from", memory: id }]);
      expect(history).toHaveLength(12);
      expect(successor.relations).toMatchObject([{ kind: "supersedes", memory: id }]);
      expect(await memory.purge(reference)).toMatchObject({ purged: 1 });
    },
  );

  it("[N2] are found however their letters are put together", async () => {
    const memory = await openTestMemory();
    const [composed, apart] = ["caf\u00e9", "cafe\u0301"];
    const { id } = await memory.remember({ content: "x", name: apart, aliases: [`${apart} bar`, `${composed} bar`] });
    await memory.rename(id, `${apart} two`, { keep: true });
    await memory.alias(id, [`${apart} three`]);

    const named = await memory.get(id);
    const found = await Promise.all([composed, apart].map((name) => memory.get(`${name} three`)));
    await memory.unalias(`${apart} three`);
    const recalled = await memory.recall(`${apart} bar`);
    await memory.forget(apart);
    const restored = await memory.restore(`${apart} two`);

    expect(named).toMatchObject({
      name: `${composed} two`,
      aliases: [composed, `${composed} bar`, `${composed} three`],
    });
    expect(found.map((each) => each?.id)).toEqual([id, id]);
    expect(recalled[0]).toMatchObject({ memory: { id } });
    expect(restored).toMatchObject({ name: `${composed} two`, aliases: [composed, `${composed} bar`] });
    await expect(memory.remember({ content: "y", name: apart })).rejects.toMatchObject({ code: "name-taken" });
  });

  it("[N2] that only hold everywhere are not changed from a project, and it is told where they are", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const everywhere = await openTestMemory({ db, project: "user" });
    const { id } = await everywhere.remember({ content: "x", name: "n" });
    const here = await openTestMemory({ db });

    for (const reference of ["n", id, id.slice(-8)]) {
      const attempts = [
        () => here.history(reference),
        () => here.pin(reference),
        () => here.forget(reference),
        () => here.restore(reference),
        () => here.undo(reference),
      ];
      for (const attempt of attempts) {
        await expect(attempt()).rejects.toMatchObject({
          code: "memory-not-found",
          hint: "It is in the project user, which holds everywhere: add --project user.",
        });
      }
    }
    for (const memory of [here, everywhere]) {
      await expect(memory.pin("nobody")).rejects.toMatchObject({ hint: expect.stringContaining("tacit list") });
    }
  });

  it("[N3] change hands by renaming: the old name is free, unless it is kept as an alias", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "one", aliases: ["a"] });

    const renamed = await memory.rename("a", "two");
    const freed = await memory.get("one");
    const kept = await memory.rename("two", "three", { keep: true });
    const promoted = await memory.rename("three", "a");

    expect(renamed).toMatchObject({ id, name: "two", aliases: ["a"], takenFrom: [] });
    expect(freed).toBeUndefined();
    expect(kept).toMatchObject({ name: "three", aliases: ["a", "two"] });
    expect(promoted).toMatchObject({ name: "a", aliases: ["two"] });
    expect(await memory.get("three")).toBeUndefined();
  });

  it("[N3] are given by renaming a memory that had none", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x" });

    expect(await memory.rename(id, "n", { keep: true })).toMatchObject({ name: "n", aliases: [] });
    expect(await memory.get("n")).toMatchObject({ id });
  });

  it("[N4] can be added and taken away one by one", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n" });

    const aliased = await memory.alias("n", ["b", "a", "n"]);
    const unaliased = await memory.unalias("b");

    expect(aliased).toMatchObject({ id, name: "n", aliases: ["a", "b"] });
    expect(unaliased).toMatchObject({ id, name: "n", aliases: ["a"] });
    expect(await memory.get("b")).toBeUndefined();
  });

  it("[N4] that a memory has already change nothing when they are added", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "x", name: "n", aliases: ["a"] });
    const before = await memory.get(id);
    clock.addDays(1);

    const again = await memory.alias(id, ["n", "a", "a"], { rebind: true });
    const added = await memory.alias(id, ["b", "b", "a"]);

    expect(again).toMatchObject({ name: "n", aliases: ["a"], takenFrom: [], updatedAt: before?.updatedAt });
    expect(added).toMatchObject({ aliases: ["a", "b"], updatedAt: "2026-01-02T00:00:00.000Z" });
    expect(await memory.history(id)).toHaveLength(2);
  });

  it("[N4] are refused where they hold a secret, and nothing is kept", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n" });
    const secret = "password=hunter2hunter2";

    const attempts = [
      () => memory.remember({ content: "y", name: secret }),
      () => memory.remember({ content: "y", aliases: ["fine", secret] }),
      () => memory.supersede(id, { content: "y", name: secret }),
      () => memory.revise(id, { name: secret }),
      () => memory.rename(id, secret),
      () => memory.alias(id, ["fine", secret]),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({
        code: "content-refused",
        message: "A name cannot hold a secret.",
      });
    }
    expect(await memory.list({ status: "any" })).toMatchObject([{ id, name: "n", aliases: [] }]);
  });

  it("[N4] are no aliases where they are something else, and that is said", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n", aliases: ["a"] });

    await expect(memory.unalias("n")).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("name"),
    });
    await expect(memory.unalias(id)).rejects.toMatchObject({ code: "memory-not-found" });
    await expect(memory.unalias("nobody")).rejects.toMatchObject({ code: "memory-not-found" });
    for (const names of [[], [""], ["two\nlines"], [id], "a" as never, [7] as never]) {
      await expect(memory.alias("n", names)).rejects.toMatchObject({ code: "invalid-input" });
    }
    await expect(memory.rename("n", " ")).rejects.toMatchObject({ code: "invalid-input" });
    expect(await memory.get("n")).toMatchObject({ id, aliases: ["a"] });
  });

  it("[N5] move with rebind, and it is told from whom", async () => {
    const memory = await openTestMemory();
    const one = await memory.remember({ content: "one", name: "n", aliases: ["a"] });
    const two = await memory.remember({ content: "two", name: "m" });

    const renamed = await memory.rename("m", "n", { rebind: true });
    const aliased = await memory.alias("n", ["a", "m"], { rebind: true });
    const again = await memory.rename("n", "n", { rebind: true });

    expect(renamed).toMatchObject({ id: two.id, name: "n", takenFrom: [one.id] });
    expect(aliased).toMatchObject({ id: two.id, name: "n", aliases: ["a", "m"], takenFrom: [one.id] });
    expect(again.takenFrom).toEqual([]);
    const loser = await memory.get(one.id);
    expect(loser).toMatchObject({ content: "one", status: "active", aliases: [] });
    expect(loser?.name).toBeUndefined();
  });

  it.each<[string, (memory: TacitMemory, id: string) => Promise<{ id: string; takenFrom?: string[] }>]>([
    ["remembering", (memory) => memory.remember({ content: "new", name: "n", aliases: ["a"] }, { rebind: true })],
    ["saying it again", (memory) => memory.remember({ content: "two", name: "n", aliases: ["a"] }, { rebind: true })],
    [
      "superseding",
      (memory, id) => memory.supersede(id, { content: "new", name: "n", aliases: ["a"] }, { rebind: true }),
    ],
    [
      "revising",
      async (memory, id) => {
        await memory.alias(id, ["a"], { rebind: true });
        return memory.revise(id, { name: "n" }, { rebind: true });
      },
    ],
  ])("[N5] move with rebind by %s too, and it is told from whom", async (_verb, take) => {
    const memory = await openTestMemory();
    const one = await memory.remember({ content: "one", name: "n", aliases: ["a"] });
    const two = await memory.remember({ content: "two" });

    const taker = await take(memory, two.id);

    expect(taker.takenFrom).toEqual([one.id]);
    expect(await memory.get("n")).toMatchObject({ id: taker.id, name: "n", aliases: ["a"] });
    const loser = await memory.get(one.id);
    expect(loser?.aliases).toEqual([]);
    expect(loser?.name).toBeUndefined();
    expect((await memory.history(one.id))[0]?.alsoChanged).toContain(taker.id);
  });

  it("[N5] are not taken from a memory that gets them", async () => {
    const memory = await openTestMemory();
    const heir = await memory.remember({ content: "heir", name: "n" });
    const old = await memory.remember({ content: "old", aliases: ["a"] });

    const again = await memory.remember({ content: "heir", name: "n", aliases: ["n"] }, { rebind: true });
    const merged = await memory.supersede(old.id, { content: "heir", name: "n", aliases: ["a"] }, { rebind: true });

    expect([again, merged]).toMatchObject([{ id: heir.id }, { id: heir.id, name: "n", aliases: ["a"] }]);
    expect([again, merged].some((each) => "takenFrom" in each)).toBe(false);
  });

  it("[N6] [N10] of an archive can be changed, and it can be removed; its text stays unless forced", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ type: "archive", content: "what was said on Monday", name: "monday" });

    for (const change of [{ content: "something else" }, { type: "note" }, { content: "x", type: "note" }]) {
      await expect(memory.revise(id, change)).rejects.toMatchObject({
        code: "archive-kept",
        hint: expect.stringContaining("--force"),
      });
    }
    await memory.rename(id, "day-one");
    await memory.alias(id, ["start"]);
    const tagged = await memory.revise("start", { tags: ["week"], type: "archive" });
    const forced = await memory.revise("start", { content: "what was really said" }, { force: true });

    expect(tagged).toMatchObject({ content: "what was said on Monday", tags: ["week"], name: "day-one" });
    expect(forced).toMatchObject({ id, type: "archive", content: "what was really said" });
    expect(await memory.forget("start")).toMatchObject({ id, status: "forgotten" });
  });

  it("[N7] leave the creation time as it was, as does every other change", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "x", name: "n", createdAt: "2020-02-02T02:02:02.020Z" });

    const steps = [
      () => memory.rename(id, "m", { keep: true }),
      () => memory.alias(id, ["a"]),
      () => memory.unalias("a"),
      () => memory.revise(id, { content: "y", type: "fact" }),
      () => memory.relate(id, { kind: "validates", file: "f" }),
      () => memory.pin(id),
      () => memory.verify(id),
      () => memory.flag(id, "wrong"),
      () => memory.remember({ type: "fact", content: "y", tags: ["t"] }),
      () => memory.forget(id),
      () => memory.restore(id),
      () => memory.undo(id, { number: 5 }),
      () => memory.supersede(id, { content: "z" }),
    ];
    for (const step of steps) {
      clock.addDays(1);
      await step();
      const now = await memory.get(id, { forgotten: true });
      expect(now).toMatchObject({ createdAt: "2020-02-02T02:02:02.020Z", storedAt: "2026-01-01T00:00:00.000Z" });
    }
  });

  it("[N8] are changed all together or not at all", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n" });
    await memory.remember({ content: "y", name: "taken", aliases: ["also"] });
    // Without its uses, which are counted some time after it was got.
    const seen = async () => ({ ...(await memory.get(id)), accessCount: 0, lastAccessedAt: "" });
    const before = await seen();

    const attempts = [
      () => memory.alias(id, ["free", "taken"]),
      () => memory.rename(id, "also", { keep: true }),
      () => memory.revise(id, { name: "taken", content: "z", tags: ["t"] }),
      () => memory.remember({ content: "new", name: "free", aliases: ["also"] }),
      () => memory.remember({ content: "x", aliases: ["free", "also"], tags: ["t"] }),
      () => memory.supersede(id, { content: "new", aliases: ["taken"] }),
      () =>
        memory.rememberMany([
          { content: "new", name: "free" },
          { content: "newer", name: "free" },
        ]),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: "name-taken" });

    expect(await seen()).toEqual(before);
    expect(await memory.get("free")).toBeUndefined();
    expect(await memory.list({ status: "any" })).toHaveLength(2);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[N9] go with the memory that is removed, all of them, and are free at once", async () => {
    const memory = await openTestMemory();
    const names = ["n", "a", "b"];
    await memory.remember({ content: "x", name: "n", aliases: ["a", "b"] });

    await memory.forget("b");

    expect(await Promise.all(names.map((name) => memory.get(name)))).toEqual([undefined, undefined, undefined]);
    for (const name of names) await expect(memory.pin(name)).rejects.toMatchObject({ code: "memory-not-found" });
    expect(await memory.remember({ content: "y", name: "a", aliases: ["b", "n"] })).toMatchObject({ merged: false });
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[N10] of notes and archives are searched together, by the words of their text and name", async () => {
    const memory = await openTestMemory();
    const note = await memory.remember({ content: "walrus", name: "penguin-colony", aliases: ["ostrich-egg"] });
    const archive = await memory.remember({ type: "archive", content: "walrus again", name: "heron-nest" });

    const ids = async (query: string) => (await memory.recall(query)).map((result) => result.memory.id).toSorted();

    expect(await ids("walrus")).toEqual([note.id, archive.id].toSorted());
    expect(await ids("penguin")).toEqual([note.id]);
    expect(await ids("heron")).toEqual([archive.id]);
    expect(await ids("ostrich")).toEqual([]);
    expect(await ids("ostrich-egg")).toEqual([note.id]);
  });

  it("[N10] are found by the words they have now, however they were changed", async () => {
    const memory = await openTestMemory();
    const one = await memory.remember({ content: "one", name: "penguin-colony" });
    const two = await memory.remember({ content: "two" });
    const found = async () =>
      Promise.all(
        ["penguin", "heron"].map(async (word) => (await memory.recall(word)).map((result) => result.memory.id)),
      );

    await memory.rename(one.id, "heron-nest", { keep: true });
    const renamed = await found();
    await memory.rename(two.id, "heron-nest", { rebind: true });
    const taken = await found();
    await memory.undo(two.id);
    const undone = await found();
    await memory.forget(one.id);
    await memory.rename(two.id, "heron-nest");
    await memory.restore(one.id);
    const restored = await found();

    expect(renamed).toEqual([[], [one.id]]);
    expect(taken).toEqual([[], [two.id]]);
    expect(undone).toEqual([[], [one.id]]);
    expect(restored).toEqual([[], [two.id]]);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });
});
