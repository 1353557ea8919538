import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";

describe("a memory", () => {
  it("[M6] that is superseded closes, hands on its name, and comes back only when asked for", async () => {
    const memory = await openTestMemory();
    const old = await memory.remember({
      type: "decision",
      content: "The API listens on 8080",
      name: "port",
      aliases: ["api-port"],
      tags: ["net"],
    });

    const next = await memory.supersede("api-port", { content: "The API listens on 9090" });

    expect(next).toMatchObject({ type: "decision", name: "port", aliases: ["api-port"], tags: ["net"] });
    expect(next.relations).toContainEqual({ kind: "supersedes", memory: old.id, confidence: 1, automatic: false });
    const closed = await memory.get(old.id);
    expect(closed).toMatchObject({ status: "superseded", supersededBy: next.id, validUntil: expect.any(String) });
    expect(closed?.name).toBeUndefined();
    expect((await memory.recall("which port does the API use")).map((result) => result.memory.id)).toEqual([next.id]);
    expect(await memory.recall("API", { status: "superseded" })).toHaveLength(1);
    await expect(memory.supersede(old.id, { content: "again" })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("[M7] that is forgotten can be restored for 30 days, by id or by the name it had", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id } = await memory.remember({ content: "the old wiki", name: "wiki", aliases: ["docs"] });

    await memory.forget("docs");
    const whileForgotten = [
      await memory.get(id),
      await memory.get("wiki"),
      ...(await memory.recall("wiki")),
      ...(await memory.list()),
    ];
    clock.addDays(29);
    const restored = await memory.restore("wiki");

    expect(whileForgotten).toEqual([undefined, undefined]);
    expect(restored).toMatchObject({ id, status: "active", name: "wiki", aliases: ["docs"] });
    expect((await memory.recall("wiki"))[0]?.memory.id).toBe(id);
    await memory.forget(id);
    clock.addDays(31);
    await expect(memory.restore(id)).rejects.toMatchObject({ code: "memory-not-found" });
  });

  it("[M7] that is forgotten gives its name back at once, and comes back without it when it is taken", async () => {
    const memory = await openTestMemory();
    const first = await memory.remember({ content: "first", name: "n" });
    await memory.forget("n");
    await memory.remember({ content: "second", name: "n" });

    const restored = await memory.restore(first.id);

    expect(restored.name).toBeUndefined();
    expect((await memory.get("n"))?.content).toBe("second");
  });

  it("[M7] that is forgotten is not touched by anything but restore and purge", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "called" });
    await memory.forget(id);

    const attempts = [
      () => memory.revise(id, { content: "y" }),
      () => memory.pin(id),
      () => memory.verify(id),
      () => memory.forget(id),
    ];
    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ code: "memory-forgotten" });
    }
    expect(await memory.get(id, { forgotten: true })).toMatchObject({ content: "x", status: "forgotten" });
    expect(await memory.get("called", { forgotten: true })).toMatchObject({ id });
  });

  it("[M7] is forgotten with others all together or not at all", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x" });

    await expect(memory.forgetMany([id, "nobody"])).rejects.toMatchObject({ code: "memory-not-found" });

    expect(await memory.list()).toHaveLength(1);
  });

  it("[M8] that is flagged wrong stays away until it is verified", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "tests need docker" });

    const flagged = await memory.flag(id, "they do not");
    const found = await memory.recall("docker");
    const verified = await memory.verify(id);

    expect(flagged).toMatchObject({ status: "flagged", review: { state: "flagged", reason: "they do not" } });
    expect(found).toEqual([]);
    expect(await memory.list({ status: "flagged" })).toEqual([]);
    expect(verified).toMatchObject({ status: "active", userVerified: true, review: { state: "none" } });
    expect(await memory.recall("docker")).toHaveLength(1);
  });

  it("[M8] can be pinned and unpinned", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x" });

    expect((await memory.pin(id)).pinned).toBe(true);
    expect((await memory.pin(id, false)).pinned).toBe(false);
  });

  it("[C4] is purged by nothing but a reference, { project: true } or { all: true }", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "still here" });

    for (const target of [
      { all: false },
      { project: false },
      {},
      [],
      null,
      undefined,
      { project: "test" },
      { id: "x" },
      { project: true, all: false },
      "",
    ]) {
      await expect(memory.purge(target as never)).rejects.toMatchObject({ code: "invalid-input" });
    }
    expect(await memory.list()).toHaveLength(1);
  });

  it("is never touched by a call that makes no sense", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "still here" });

    const calls: (() => unknown)[] = [
      () => memory.flag(id, undefined as never),
      () => memory.forget(undefined as never),
      () => memory.forgetMany({} as never),
      () => memory.rememberMany({} as never),
      () => memory.store.backup(undefined as never),
      () => memory.projects.join(undefined as never),
      () => memory.pin(id, "no" as never),
      () => memory.recall(7 as never),
      () => memory.recall("x", { limt: 5 } as never),
      () => memory.list({ staus: "any" } as never),
      () => memory.explain(undefined as never),
      () => openTestMemory({ dbb: "x.db" } as never),
    ];
    for (const call of calls) await expect((async () => call())()).rejects.toMatchObject({ code: "invalid-input" });
    expect(await memory.get(id)).toMatchObject({ pinned: false, status: "active" });
  });

  it("is revised in place: found by its new words, no longer by its old ones", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const { id, createdAt } = await memory.remember({ content: "use jest", name: "runner", expiresAt: "2999-01-01" });
    clock.addDays(1);

    const revised = await memory.revise("runner", {
      content: "use vitest",
      tags: ["test"],
      name: "test-runner",
      expiresAt: null,
    });

    expect(revised).toMatchObject({
      id,
      createdAt,
      content: "use vitest",
      citationText: "use vitest",
      name: "test-runner",
    });
    expect(revised.updatedAt).not.toBe(createdAt);
    expect(revised.expiresAt).toBeUndefined();
    expect(await memory.recall("jest")).toEqual([]);
    expect(await memory.recall("vitest", { tags: ["test"] })).toHaveLength(1);
    expect(await memory.get("runner")).toBeUndefined();
  });

  it("[M2] is revised with data in the schema of its type", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ type: "dead_end", content: "x" });

    const refusal = memory.revise(id, { data: { approachTried: "a" } });

    await expect(refusal).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("whyItFailed"),
    });
    expect((await memory.revise(id, { data: { approachTried: "a", whyItFailed: "b" } })).data).toMatchObject({
      whyItFailed: "b",
    });
    expect((await memory.revise(id, { data: null })).data).toBeUndefined();
  });

  it("is named by its id, its short id, its name or an alias", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "x", name: "n", aliases: ["a"] });

    for (const reference of [id, id.slice(-8), "n", "a"]) expect((await memory.get(reference))?.id).toBe(id);
    expect(await memory.get(id.slice(0, 8))).toBeUndefined();
  });

  it("[M10] keeps its own name when the same word comes as an alias", async () => {
    const memory = await openTestMemory();

    const both = await memory.remember({ content: "one", name: "a", aliases: ["a"] });
    await memory.remember({ content: "two", name: "b" });
    const again = await memory.remember({ content: "two", aliases: ["b", "c"] });

    expect(both).toMatchObject({ name: "a", aliases: [] });
    expect(again).toMatchObject({ merged: true, name: "b", aliases: ["c"] });
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[M6] that takes the place of another answers to its names, whatever name it brings itself", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "old", name: "c", aliases: ["c2"] });
    await memory.remember({ content: "there already", name: "other" });
    await memory.remember({ content: "old too", name: "d" });

    const renamed = await memory.supersede("c", { content: "new", name: "c2" });
    const merged = await memory.supersede("d", { content: "there already" });

    expect(renamed).toMatchObject({ name: "c2", aliases: ["c"] });
    expect(merged).toMatchObject({ merged: true, name: "other", aliases: ["d"] });
    expect((await memory.store.diagnose()).ok).toBe(true);
  });

  it("[M6] that takes the place of another keeps what is passed as undefined", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "old", name: "c", tags: ["t"] });

    expect(await memory.supersede("c", { content: "new", tags: undefined } as never)).toMatchObject({ tags: ["t"] });
  });

  it("[M8] that was flagged wrong does not become right by being said again", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "tests need docker" });
    await memory.flag(id, "they do not");

    const again = await memory.remember({ content: "tests need docker" });

    expect(again).toMatchObject({ id, merged: true, status: "flagged" });
    expect(await memory.recall("docker")).toEqual([]);
  });

  it("[S5] that is not there creates no store by being looked for", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db });

    const verbs = [
      () => memory.forget("x"),
      () => memory.restore("x"),
      () => memory.pin("x"),
      () => memory.revise("x", { content: "y" }),
      () => memory.supersede("x", { content: "y" }),
      () => memory.purge("x"),
    ];
    for (const verb of verbs) await expect(verb()).rejects.toMatchObject({ code: "memory-not-found" });
    expect(existsSync(db)).toBe(false);
  });

  it("[M11] counts its uses after the answer, which verify nothing", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "count me" });

    for (let n = 0; n < 7; n += 1) await memory.recall("count");
    await expect.poll(async () => (await memory.list())[0]?.accessCount).toBe(7);

    const used = (await memory.list({ sort: "uses" }))[0];
    expect(used).toMatchObject({ id, userVerified: false, lastAccessedAt: expect.any(String) });
  });
});
