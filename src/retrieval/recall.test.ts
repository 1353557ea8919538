import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import type { MemoryInput, TacitMemory } from "../index.js";

describe("recall", () => {
  it.each([
    ["another form of the word", "migrations are slow", "migrating"],
    ["the parts of an identifier", "call getUserById twice", "user id"],
    ["the identifier itself", "call getUserById twice", "getUserById"],
    ["the identifier in other letters", "call getUserById twice", "getuserbyid"],
    ["a part of snake_case", "set max_retry_count to 3", "retry"],
    ["a word without its accent", "the café service", "cafe"],
    ["a file's name in a path", "look at src/billing/invoice.ts", "invoice"],
    ["two Chinese characters", "数据库连接池的大小是十", "连接"],
    ["one Chinese character at the end", "用户数据库", "库"],
    ["two Japanese characters", "本番環境へのデプロイは金曜日に行わない", "環境"],
    ["a Korean word in a longer one", "데이터베이스를 먼저 백업하세요", "데이터"],
    ["a Thai word", "ฐานข้อมูลต้องสำรองก่อน", "ข้อมูล"],
  ])("[R1] finds a memory by %s", async (_what, content, query) => {
    const memory = await memoryWith({ content }, { content: "something altogether different" });

    expect((await memory.recall(query)).map((result) => result.memory.content)).toEqual([content]);
  });

  it("[R1] finds by name, tags and files too", async () => {
    const memory = await memoryWith({
      content: "x1",
      name: "release-train",
      tags: ["shipping"],
      relatedFiles: ["src/depot.ts"],
    });

    for (const query of ["train", "shipping", "depot"]) expect(await memory.recall(query)).toHaveLength(1);
    expect((await memory.recall("train shipping depot"))[0]?.why).toBe(
      "has train in its name, shipping in its tags, depot in its files",
    );
  });

  it("[R2] says in which part a word stands, whichever parts are empty", async () => {
    const memory = await memoryWith(
      { content: "first", relatedFiles: ["depot.ts"] },
      { content: "second", tags: ["depot"] },
    );

    expect((await memory.recall("depot")).map(({ why }) => why)).toEqual([
      "has depot in its tags",
      "has depot in its files",
    ]);
  });

  it("[R2] says a score from 0 to 1, the words that matched as they were asked, and why", async () => {
    const memory = await memoryWith(
      { content: "Deploying on Friday breaks the cache" },
      { content: "Fridays are quiet" },
    );

    const [best, second] = await memory.recall("What breaks when we deploy on a Friday?");

    expect(best).toMatchObject({
      matched: ["breaks", "deploy", "Friday"],
      why: "has breaks and deploy and Friday in its text",
    });
    expect(best?.score).toBeGreaterThan(second?.score ?? 1);
    expect(best?.score).toBeLessThanOrEqual(1);
    expect(second?.score).toBeGreaterThan(0);
  });

  it("[R3] resolves an alias that is the whole question, but aliases add no words", async () => {
    const memory = await memoryWith({ content: "press the red button", name: "big-red", aliases: ["emergency stop"] });

    expect((await memory.recall("emergency stop"))[0]).toMatchObject({
      score: 1,
      matched: [],
      why: 'it is called "emergency stop"',
    });
    expect(await memory.recall("emergency")).toEqual([]);
  });

  it("[R3] puts what is called like the question before what says exactly that, and its own before what holds everywhere", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const own = await openTestMemory({ db, project: "own" });
    const user = await openTestMemory({ db, project: "user" });
    await own.remember({ content: "press the red button", name: "emergency stop" });
    await own.remember({ content: "emergency stop emergency stop emergency stop" });
    await user.remember({ content: "call the hotline", name: "emergency stop" });

    const results = await own.recall("emergency stop");

    expect(results.map(({ memory }) => memory.content)).toEqual([
      "press the red button",
      "call the hotline",
      "emergency stop emergency stop emergency stop",
    ]);
    expect(results.map(({ score }) => score).slice(0, 2)).toEqual([1, 1]);
  });

  it("[P4] finds what is true everywhere in every project: a better answer first, an equal one after its own", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const user = await openTestMemory({ db, project: "user" });
    const empty = await openTestMemory({ db, project: "empty" });
    const own = await openTestMemory({ db, project: "own" });
    await user.remember({ content: "commit messages say why, in the imperative", name: "commits" });
    await own.remember({ content: "commit to the branch develop" });
    await own.remember({ content: "releases are cut on Tuesday" });
    await user.remember({ content: "releases are cut on Tuesday" });
    const found = async (memory: TacitMemory, options = {}) =>
      (await memory.recall("commit messages imperative", options)).map((result) => result.memory.project);

    expect(await found(own)).toEqual(["user", "own"]);
    expect((await own.recall("releases on Tuesday")).map((result) => result.memory.project)).toEqual(["own", "user"]);
    expect(await found(empty)).toEqual(["user"]);
    expect(await found(user)).toEqual(["user"]);
    expect(await found(own, { limit: 1 })).toEqual(["user"]);
    expect(await found(own, { includeUser: false })).toEqual(["own"]);
    expect((await own.recall("commits")).map(({ why }) => why)).toContain('it is called "commits"');
    expect(await own.get("commits")).toMatchObject({ project: "user" });
    expect(await own.list()).toHaveLength(2);
  });

  it("[P4] lets no folder be part of the project user", async () => {
    const memory = await openTestMemory({ project: undefined });

    await expect(memory.projects.join("user")).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("[R4] takes several tags as all of them, and several types, files and modules as any", async () => {
    const memory = await memoryWith(
      { content: "word one", tags: ["a", "b"], type: "fact", relatedFiles: ["x.ts"], relatedModules: ["m"] },
      { content: "word two", tags: ["a"], type: "gotcha", relatedFiles: ["y.ts"], relatedModules: ["n"] },
    );

    expect(await memory.recall("word", { tags: ["a", "b"] })).toHaveLength(1);
    expect(await memory.recall("word", { tags: ["a"] })).toHaveLength(2);
    expect(await memory.recall("word", { type: ["fact", "gotcha"] })).toHaveLength(2);
    expect(await memory.recall("word", { type: "fact" })).toHaveLength(1);
    expect(await memory.recall("word", { files: ["x.ts", "z.ts"] })).toHaveLength(1);
    expect(await memory.recall("word", { modules: ["m", "n"] })).toHaveLength(2);
    expect(await memory.recall("word", { tags: ["a", "c"] })).toEqual([]);
  });

  it("[R4] filters by scope, session, metadata and time", async () => {
    const memory = await memoryWith(
      {
        content: "word one",
        scope: "module",
        sessionId: "s1",
        metadata: { port: 8080, on: true, "odd.key": "v" },
        createdAt: "2020-01-01",
      },
      { content: "word two", createdAt: "2021-01-01" },
    );
    const found = async (options: object) =>
      (await memory.recall("word", options)).map((result) => result.memory.content);

    expect(await found({ scope: "module" })).toEqual(["word one"]);
    expect(await found({ sessionId: "s1" })).toEqual(["word one"]);
    expect(await found({ metadata: { port: 8080 } })).toEqual(["word one"]);
    expect(await found({ metadata: { port: "8080", on: true, "odd.key": "v" } })).toEqual(["word one"]);
    expect(await found({ metadata: { port: 8081 } })).toEqual([]);
    expect(await found({ metadata: { port: undefined } })).toHaveLength(2);
    expect(await found({ status: [] })).toEqual([]);
    expect(await found({ since: "2020-06-01" })).toEqual(["word two"]);
    expect(await found({ until: "2020-06-01" })).toEqual(["word one"]);
  });

  it("[R5] has no limit and no cutoff unless given", async () => {
    const memory = await memoryWith(
      ...Array.from({ length: 120 }, (_, n): MemoryInput => ({
        content: `common ${n === 7 ? "rare " : ""}number ${n}`,
      })),
    );

    const all = await memory.recall("common rare");
    const best = await memory.recall("common rare", { limit: 3 });
    const strong = await memory.recall("common rare", { minScore: all[0]?.score ?? 1 });

    expect(all).toHaveLength(120);
    expect(best).toHaveLength(3);
    expect(best[0]?.memory.content).toBe("common rare number 7");
    expect(strong).toHaveLength(1);
    expect(await memory.recall("common rare", { limit: 0 })).toEqual([]);
    expect(await memory.list()).toHaveLength(120);
    expect(await memory.list({ limit: 5 })).toHaveLength(5);
  });

  it("[R5] leaves no word out of a long question", async () => {
    const memory = await memoryWith(...Array.from({ length: 100 }, (_, n): MemoryInput => ({ content: `item${n}` })));

    expect(await memory.recall(Array.from({ length: 100 }, (_, n) => `item${n}`).join(" "))).toHaveLength(100);
  });

  it("[R6] finds nothing for a question without a searchable word, and can say why", async () => {
    const memory = await memoryWith({ content: "what is it about" });

    expect(await memory.recall("what is it?")).toEqual([]);
    expect(memory.explain("what is it?")).toMatchObject({
      words: [],
      note: expect.stringContaining("no searchable word"),
    });
    expect(memory.explain("?!")).toMatchObject({ words: [], ignored: [], note: expect.any(String) });
    expect(memory.explain("what is deployed")).toEqual({ words: ["deployed"], ignored: ["what", "is"] });
  });

  it("[R7] takes any text for a question, operators of the search language included", async () => {
    const memory = await memoryWith({ content: "quotes NEAR parentheses" });

    for (const query of [
      '"',
      "a OR",
      "NEAR(",
      "content:x",
      "x*",
      "-x",
      "^x",
      "(((",
      "{a b}",
      "'; DROP TABLE memories; --",
      "\0",
    ]) {
      await expect(memory.recall(query)).resolves.toBeInstanceOf(Array);
    }
    expect(await memory.recall('("NEAR"')).toHaveLength(1);
  });

  it.each([{ limit: -1 }, { limit: 1.5 }, { minScore: 2 }, { status: "lost" }, { since: "last week" }])(
    "refuses %o with a clear error",
    async (options) => {
      const memory = await memoryWith({ content: "x" });

      await expect(memory.recall("x", options as object)).rejects.toMatchObject({
        code: "invalid-input",
        hint: expect.any(String),
      });
    },
  );
});

async function memoryWith(...inputs: MemoryInput[]): Promise<TacitMemory> {
  const memory = await openTestMemory();
  await memory.rememberMany(inputs);
  return memory;
}
