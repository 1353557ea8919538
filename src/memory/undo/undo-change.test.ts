import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { settled } from "../../../test/support/settled-memory.js";

describe("undo", () => {
  it("[L9] takes back the last change", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "use jest", name: "runner", tags: ["ci"] });
    await memory.revise("runner", { content: "use vitest", tags: [], expiresAt: "2999-01-01", confidence: 0.1 });

    const undone = await memory.undo("runner");

    expect(undone).toMatchObject({ id, content: "use jest", citationText: "use jest", tags: ["ci"], confidence: 0.8 });
    expect(undone.expiresAt).toBeUndefined();
    expect(await memory.recall("vitest")).toEqual([]);
    expect(await memory.recall("jest", { tags: ["ci"] })).toHaveLength(1);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[L9] takes back any single change, and leaves later changes of other fields", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "use jest", name: "runner" });
    await memory.revise(id, { content: "use vitest", metadata: { by: "me" } });
    await memory.rename(id, "test-runner", { keep: true });
    await memory.pin(id);

    const undone = await memory.undo(id, { number: 2 });

    expect(undone).toMatchObject({ content: "use jest", metadata: {}, name: "test-runner", aliases: ["runner"] });
    expect(undone.pinned).toBe(true);
    expect((await memory.history(id))[0]).toMatchObject({
      number: 5,
      verb: "undone",
      fields: { content: { before: "use vitest", after: "use jest" } },
    });
  });

  it("[L9] is refused where a later change built on it, and says which field and how to go on", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "one", name: "first" });
    await memory.revise(id, { content: "two" });
    await memory.revise(id, { content: "three" });
    await memory.rename(id, "second");
    await memory.rename(id, "third");
    const before = await memory.get(id);

    for (const [number, field] of [
      [2, "content"],
      [4, "name"],
    ] as const) {
      await expect(memory.undo(id, { number })).rejects.toMatchObject({
        code: "undo-refused",
        message: expect.stringMatching(`${field} of ${id.slice(-8)} was changed again after change ${number}`),
        hint: expect.stringContaining(`tacit undo ${id.slice(-8)} ${number} --force`),
      });
    }
    expect(await memory.get(id)).toEqual(before);
    expect(await memory.history(id)).toHaveLength(5);
  });

  it("[L9] with force sets back what the change changed, whatever came later", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "one", name: "first", aliases: ["a"], tags: ["t"] });
    await memory.revise(id, { content: "two" });
    await memory.revise(id, { content: "three" });
    await memory.rename(id, "second");
    await memory.rename(id, "third");
    await memory.alias(id, ["b"]);
    await memory.unalias("b");
    await memory.revise(id, { tags: [] });
    await memory.revise(id, { tags: ["u", "t"] });
    await memory.relate(id, { kind: "validates", file: "x.ts", confidence: 0.2 });
    await memory.relate(id, { kind: "validates", file: "x.ts", confidence: 0.4 });

    for (const number of [2, 4, 6, 8, 10]) {
      await expect(memory.undo(id, { number })).rejects.toMatchObject({ code: "undo-refused" });
      await memory.undo(id, { number, force: true });
    }

    const undone = await memory.get(id);
    expect(undone).toMatchObject({ content: "one", name: "first", aliases: ["a"], tags: ["u", "t"], relations: [] });
    expect(await Promise.all(["second", "third", "b"].map((name) => memory.get(name)))).toEqual(
      Array.from({ length: 3 }),
    );
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[L9] of a list takes away what the change added, gives back what it took, and leaves what others did", async () => {
    const memory = await openTestMemory();
    const other = await memory.remember({ content: "other" });
    const { id } = await memory.remember({ content: "x", name: "a", tags: ["one", "two"], relatedFiles: ["f"] });
    await memory.alias(id, ["x"]);
    await memory.rename(id, "b", { keep: true });
    await memory.revise(id, { tags: ["one"], relatedFiles: ["f", "g"], relatedModules: ["m"] });
    await memory.revise(id, { tags: ["one", "three"], relatedFiles: ["g", "h"], relatedModules: ["m", "n"] });
    await memory.relate(id, { kind: "validates", memory: other.id });
    await memory.relate(id, { kind: "validates", file: "f" });

    await memory.undo(id, { number: 2 });
    await memory.undo(id, { number: 4 });
    const undone = await memory.undo(id, { number: 6 });

    expect(undone).toMatchObject({ name: "b", aliases: ["a"], relatedFiles: ["h"], relatedModules: ["n"] });
    expect(undone.tags).toEqual(["one", "three", "two"]);
    expect(undone.relations).toMatchObject([{ kind: "validates", file: "f" }]);
    expect(await memory.get("x")).toBeUndefined();
    expect(await memory.recall("x", { tags: ["two"], files: ["h"], modules: ["n"] })).toHaveLength(1);
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[L9] of a list is refused where what it added is gone, or what it took is back", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", aliases: ["kept", "taken"] });
    await memory.alias(id, ["added"]);
    await memory.unalias("added");
    await memory.unalias("taken");
    await memory.alias(id, ["taken"]);
    await memory.relate(id, { kind: "validates", file: "f", confidence: 0.2 });
    await memory.unrelate(id, { kind: "validates", file: "f" });
    await memory.relate(id, { kind: "validates", file: "f", confidence: 0.4 });

    for (const [number, field] of [
      [2, "aliases"],
      [4, "aliases"],
      [6, "relations"],
      [7, "relations"],
    ] as const) {
      await expect(memory.undo(id, { number })).rejects.toMatchObject({
        code: "undo-refused",
        message: expect.stringContaining(`${field} of ${id.slice(-8)} was changed again after change ${number}`),
      });
    }
    expect(await memory.get(id)).toMatchObject({ aliases: ["kept", "taken"], relations: [{ confidence: 0.4 }] });
  });

  it("[L9] of restoring leaves no name behind that was added since", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n", aliases: ["a"] });
    await memory.forget(id);
    await memory.restore(id);
    await memory.alias(id, ["later"]);

    await memory.undo(id, { number: 3 });

    expect(await memory.get("later")).toBeUndefined();
    expect(await memory.restore(id)).toMatchObject({ name: "n", aliases: ["a", "later"] });
  });

  it("[L9] twice is redoing", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "one", name: "first" });
    await memory.rename(id, "second", { keep: true });
    await memory.revise(id, { content: "two" });
    const before = await memory.get(id);

    await memory.undo(id, { number: 2 });
    await memory.undo(id, { number: 3 });
    await memory.undo(id);
    await memory.undo(id, { number: 4 });

    expect(settled(await memory.get(id))).toEqual(settled(before));
  });

  it("[L9] of remembering forgets the memory, once", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "a slip", name: "slip", aliases: ["oops"] });
    await memory.pin(id);

    const undone = await memory.undo(id, { number: 1 });

    expect(undone).toMatchObject({ status: "forgotten", aliases: [] });
    expect(await memory.get("slip")).toBeUndefined();
    await expect(memory.undo(id, { number: 1 })).rejects.toMatchObject({ code: "undo-refused" });
    await expect(memory.undo(id, { number: 1, force: true })).rejects.toMatchObject({ code: "undo-refused" });
    expect(await memory.restore("oops")).toMatchObject({ id, status: "active", name: "slip", aliases: ["oops"] });
  });

  it("[L9] of a memory that changed nothing since is undoing its remembering", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "a slip" });

    await memory.undo(id);
    const redone = await memory.undo(id);

    expect(redone).toMatchObject({ id, status: "active" });
  });

  it("[L9] of superseding brings the old memory back under its names, and forgets the new one", async () => {
    const memory = await openTestMemory();
    const old = await memory.remember({ content: "the port is 8080", name: "port", aliases: ["api-port"] });
    const next = await memory.supersede("port", { content: "the port is 9090" });

    for (const reference of [next.id, old.id]) {
      await memory.undo(reference);

      expect(settled(await memory.get("api-port"))).toEqual(settled(old));
      expect(await memory.get(next.id)).toBeUndefined();
      expect((await memory.recall("port")).map((result) => result.memory.id)).toEqual([old.id]);

      const redone = await memory.undo(reference);

      expect(redone.status).toBe(reference === next.id ? "active" : "superseded");
      expect(settled(await memory.get("port"))).toEqual(settled(next));
    }
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[L9] of superseding brings the old memory back also when the new one is forgotten, whose names stay known", async () => {
    const memory = await openTestMemory();
    const old = await memory.remember({ content: "the port is 8080", name: "port" });
    const next = await memory.supersede("port", { content: "the port is 9090", aliases: ["new-port"] });
    await memory.forget(next.id);

    const undone = await memory.undo(old.id);
    const restored = await memory.restore("new-port");

    expect(undone).toMatchObject({ id: old.id, status: "active", name: "port" });
    expect(restored).toMatchObject({ id: next.id, aliases: ["new-port"] });
    expect(restored.name).toBeUndefined();
  });

  it("[L9] of superseding by a memory that was there already leaves that one as it was", async () => {
    const memory = await openTestMemory();
    const there = await memory.remember({ content: "listen on 9090", name: "new-port" });
    const old = await memory.remember({ content: "there is a proxy", name: "port" });
    const merged = await memory.supersede("port", { content: "listen on 9090", tags: ["net"] });
    expect(merged).toMatchObject({ id: there.id, merged: true, aliases: ["port"], tags: ["net"] });

    await memory.undo(old.id);

    expect(settled(await memory.get(there.id))).toEqual(settled(there));
    expect(settled(await memory.get("port"))).toEqual(settled(old));
  });

  it("[L9] of superseding by the same text as a third memory has undoes all of it", async () => {
    const memory = await openTestMemory();
    const old = await memory.remember({ content: "the same text", name: "one" });
    const twin = await memory.remember({ content: "the same text", name: "two" });
    const merged = await memory.supersede("one", { content: "the same text" });
    expect(merged).toMatchObject({ id: twin.id, merged: true, name: "two", aliases: ["one"] });

    await memory.undo(old.id);

    expect(settled(await memory.get("one"))).toEqual(settled(old));
    expect(settled(await memory.get("two"))).toEqual(settled(twin));
  });

  it("[L9] of taking a name gives it back to whom it was taken from", async () => {
    const memory = await openTestMemory();
    const holder = await memory.remember({ content: "holder", name: "n", aliases: ["m"] });
    const free = await memory.remember({ content: "free" });

    await memory.rename(free.id, "n", { rebind: true });
    await memory.undo(free.id);
    const afterRename = [await memory.get("n"), await memory.get(free.id)];
    await memory.alias(free.id, ["n", "m"], { rebind: true });
    await memory.undo(holder.id);
    const afterAlias = [await memory.get("m"), await memory.get(free.id)];
    const born = await memory.remember({ content: "born with it", name: "n" }, { rebind: true });
    await memory.undo(born.id);

    expect([...afterRename, ...afterAlias].map(settled)).toEqual([holder, free, holder, free].map(settled));
    expect(settled(await memory.get("n"))).toEqual(settled(holder));
    expect(await memory.get(born.id)).toBeUndefined();
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[L9] is refused where a name is with somebody else by now, who keeps it", async () => {
    const memory = await openTestMemory();
    const first = await memory.remember({ content: "first", name: "n" });
    await memory.rename(first.id, "m");
    const second = await memory.remember({ content: "second", name: "n" });

    for (const force of [false, true]) {
      await expect(memory.undo(first.id, { force })).rejects.toMatchObject({
        code: "name-taken",
        message: expect.stringContaining(second.id.slice(-8)),
      });
    }
    expect(await memory.get("n")).toMatchObject({ id: second.id });
    expect(await memory.get("m")).toMatchObject({ id: first.id });
  });

  it("[L9] of forgetting brings back the names, and fading begins anew", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ type: "work_state", content: "half done", name: "n", aliases: ["a"] });
    clock.addDays(22);
    await memory.store.prune();

    const undone = await memory.undo("a");
    const pruned = await memory.store.prune();

    expect(undone).toMatchObject({ id, status: "active", name: "n", aliases: ["a"] });
    expect(undone.forgottenReason).toBeUndefined();
    expect(pruned.faded).toEqual([]);
  });

  it("[L9] of forgetting ends with the grace, as restoring does", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "gone" });
    await memory.forget(id);
    clock.addDays(31);

    await expect(memory.undo(id)).rejects.toMatchObject({ code: "memory-not-found" });
    await expect(memory.undo(id, { force: true })).rejects.toMatchObject({ code: "memory-not-found" });
  });

  it("[L9] of restoring forgets again, with all names it has by now, for another 30 days", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "x", name: "n" });
    await memory.forget(id);
    clock.addDays(29);
    await memory.restore(id);
    await memory.alias(id, ["later"]);

    const undone = await memory.undo(id, { number: 3 });
    clock.addDays(29);
    await memory.store.prune();

    expect(undone).toMatchObject({ status: "forgotten", aliases: [], forgottenAt: "2026-01-30T00:00:00.000Z" });
    expect(await memory.remember({ content: "y", name: "later" })).toMatchObject({ merged: false });
    expect(await memory.restore(id)).toMatchObject({ id, name: "n", aliases: [] });
  });

  it("[L9] does not touch a forgotten memory, unless to bring it back", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "one", name: "n" });
    await memory.rename(id, "m");
    await memory.revise(id, { content: "two" });
    await memory.forget(id);

    for (const options of [{ number: 2 }, { number: 2, force: true }, { number: 3 }, { number: 3, force: true }]) {
      await expect(memory.undo(id, options)).rejects.toMatchObject({ code: "memory-forgotten" });
    }
    expect(await memory.get(id, { forgotten: true })).toMatchObject({ content: "two" });
    expect(await memory.get("n", { forgotten: true })).toBeUndefined();
    expect(await memory.undo(id)).toMatchObject({ status: "active", name: "m" });
  });

  it("[L9] brings back a review and its reason, and a relation with its confidence", async () => {
    const memory = await openTestMemory();
    const other = await memory.remember({ content: "other" });
    const { id } = await memory.remember({ content: "x" });
    await memory.flag(id, "it is wrong");
    await memory.verify(id);
    await memory.relate(id, { kind: "validates", memory: other.id, confidence: 0.3 });
    await memory.relate(id, { kind: "validates", memory: other.id, confidence: 0.6 });
    await memory.unrelate(id, { kind: "validates", memory: other.id });

    await memory.undo(id);
    const again = await memory.undo(id, { number: 5 });
    const flagged = await memory.undo(id, { number: 3 });

    expect(again.relations).toEqual([{ kind: "validates", memory: other.id, confidence: 0.3, automatic: false }]);
    expect(flagged).toMatchObject({ status: "flagged", userVerified: false, review: { reason: "it is wrong" } });
  });

  it("[L9] of an earlier step of a chain is refused, and says which memory comes first", async () => {
    const memory = await openTestMemory();
    const there = await memory.remember({ content: "the port is 9090" });
    const old = await memory.remember({ content: "there is a proxy", name: "port" });
    await memory.supersede("port", { content: "the port is 9090" });
    const third = await memory.supersede("port", { content: "the port is 9091" });
    await memory.supersede("port", { content: "the port is 9092" });

    for (const [reference, blocking] of [
      [old.id, there.id],
      [there.id, third.id],
    ] as const) {
      await expect(memory.undo(reference)).rejects.toMatchObject({
        code: "undo-refused",
        message: expect.stringContaining("later change built on"),
        hint: expect.stringContaining(`tacit undo ${blocking.slice(-8)}`),
      });
    }
    await memory.undo(third.id);
    await memory.undo(there.id);
    expect(await memory.undo(old.id)).toMatchObject({ status: "active", name: "port" });
    expect((await memory.list()).map(({ id }) => id).toSorted()).toEqual([old.id, there.id].toSorted());
  });

  it("[L9] takes back what led to a memory that was purged since", async () => {
    const memory = await openTestMemory();
    const [target, other] = await memory.rememberMany([{ content: "target" }, { content: "other" }]);
    const { id } = await memory.remember({ content: "the port is 8080", name: "port" });
    await memory.relate(id, { kind: "validates", memory: target?.id ?? "" });
    await memory.relate(id, { kind: "validates", memory: other?.id ?? "" });
    const next = await memory.supersede("port", { content: "the port is 9090" });
    await memory.purge(next.id);
    await memory.purge(target?.id ?? "");

    const back = await memory.undo(id);
    const unrelated = await memory.undo(id, { number: 3 });
    await memory.undo(id, { number: 2 });

    expect(back).toMatchObject({ status: "active", name: "port" });
    expect(back.supersededBy).toBeUndefined();
    expect(unrelated.relations).toEqual([]);
    expect(await memory.history(id)).toHaveLength(6);
  });

  it("[L9] leads to no memory of another project", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });
    const target = await memory.remember({ content: "target" });
    const { id } = await memory.remember({ content: "x" });
    await memory.relate(id, { kind: "validates", memory: target.id });
    await memory.unrelate(id, { kind: "validates", memory: target.id });
    const file = join(temporaryFolder(), "target.jsonl");
    await memory.exchange.export({ format: "jsonl", output: file });
    await memory.purge(target.id);
    const elsewhere = await openTestMemory({ db, project: "other" });
    await elsewhere.exchange.import(file);
    expect(await elsewhere.get(target.id)).toMatchObject({ content: "target" });

    await expect(memory.undo(id)).rejects.toMatchObject({ code: "undo-refused" });
  });

  it("[L9] is refused where it would lead to a memory that was purged", async () => {
    const memory = await openTestMemory();
    const target = await memory.remember({ content: "target" });
    const { id } = await memory.remember({ content: "x" });
    await memory.relate(id, { kind: "validates", memory: target.id });
    await memory.unrelate(id, { kind: "validates", memory: target.id });
    const next = await memory.supersede(id, { content: "y" });
    await memory.undo(id);
    await memory.purge(target.id);
    await memory.purge(next.id);

    await expect(memory.undo(id)).rejects.toMatchObject({ code: "undo-refused" });
    await expect(memory.undo(id, { number: 3, force: true })).rejects.toMatchObject({ code: "undo-refused" });
    expect(await memory.get(id)).toMatchObject({ status: "active" });
  });

  it("[L9] with options that a program left empty takes back the last change", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x" });
    await memory.pin(id);

    expect(await memory.undo(id, null as never)).toMatchObject({ status: "active", pinned: false });
  });

  it("[L9] of a change that is not there is an error", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x" });
    await memory.pin(id);

    for (const number of [0, 3, -1, 1.5, NaN, Infinity, "x", "2", null]) {
      await expect(memory.undo(id, { number: number as number })).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(await memory.get(id)).toMatchObject({ status: "active", pinned: true });
  });
});
