import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { movableClock, openTestMemory } from "../../../test/support/open-memories.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { MemoryInput } from "../memory.js";

describe("remember", () => {
  it("[M1] gives back every field as it was given", async () => {
    const memory = await openTestMemory();
    const other = await memory.remember({ content: "the other one" });
    const input: MemoryInput = {
      content: "  kept to the last blank \n",
      type: "gotcha",
      name: "blanks",
      aliases: ["white space"],
      metadata: { n: 1, deep: { list: [true, null, "x"] } },
      tags: ["a", "b"],
      relatedFiles: ["src/a.ts"],
      relatedModules: ["core"],
      confidence: 0,
      scope: "work_unit",
      visibility: "team",
      source: "qa_auto",
      sessionId: "s1",
      agent: "claude",
      commit: "abc",
      branch: "main",
      createdAt: "2020-02-03T04:05:06.007Z",
      expiresAt: "2999-01-01T00:00:00.000Z",
      halfLifeDays: 3,
      pinned: true,
      relations: [
        { kind: "required_with", memory: other.id, confidence: 0.5, automatic: false },
        { kind: "validates", file: "src/b.ts", confidence: 1, automatic: true },
      ],
      graphNodes: ["node-1"],
      citationText: "blanks stay",
      workUnit: { methodology: "native", hierarchy: ["spec_1", "task_2"], label: "Spec 1 / Task 2" },
      methodology: "native",
      chunk: { kind: "function", startLine: 1, endLine: 9, contextPrefix: "File: a" },
    };

    const kept = await memory.remember(input);

    expect(kept).toMatchObject(input);
    const { merged, ...returned } = kept;
    expect(await memory.get(kept.id)).toEqual(returned);
    expect(merged).toBe(false);
    expect(kept).toMatchObject({ provenanceSessionIds: ["s1"], status: "active", accessCount: 0 });
  });

  it("[M2] keeps structured data in the schema of its type, and what it does not know of it", async () => {
    const memory = await openTestMemory();
    const data = {
      taskPattern: "add a command",
      steps: [{ order: 1, description: "write it" }],
      madeBy: "a newer Tacit",
    };

    const kept = await memory.remember({ type: "workflow_recipe", content: "How to add a command", data });
    const refusal = memory.remember({ type: "e2e_observation", content: "x", data: { observationType: "guess" } });

    expect(kept.data).toEqual(data);
    await expect(refusal).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining("data.observationType"),
    });
  });

  it("[M2] keeps a type that this version does not know, and treats it as a note", async () => {
    const memory = await openTestMemory();

    const kept = await memory.remember({ type: "from_the_future", content: "hover boards need charging" });

    expect(kept.type).toBe("from_the_future");
    expect((await memory.recall("charging"))[0]?.memory.type).toBe("from_the_future");
    expect((await memory.list({ type: "from_the_future" })).length).toBe(1);
  });

  it("[M3] merges the same text into the older memory, keeps where it came from, and tells", async () => {
    const memory = await openTestMemory();
    const older = await memory.remember({ content: "Use pnpm here", tags: ["a"], sessionId: "s1", confidence: 0.5 });

    const again = await memory.remember({
      content: "Use  pnpm\nhere",
      tags: ["b"],
      relatedFiles: ["package.json"],
      sessionId: "s2",
      confidence: 0.9,
    });

    expect(again).toMatchObject({
      id: older.id,
      merged: true,
      content: "Use pnpm here",
      tags: ["a", "b"],
      relatedFiles: ["package.json"],
      provenanceSessionIds: ["s1", "s2"],
      confidence: 0.5,
      createdAt: older.createdAt,
    });
    expect(await memory.list()).toHaveLength(1);
    expect(await memory.recall("pnpm", { tags: ["b"], files: ["package.json"] })).toHaveLength(1);
  });

  it.each<[why: string, first: MemoryInput, second: MemoryInput]>([
    ["of another type", { content: "same", type: "fact" }, { content: "same", type: "note" }],
    ["in other letters", { content: "use getUser" }, { content: "use getuser" }],
    ["with two names", { content: "same", name: "one" }, { content: "same", name: "two" }],
    [
      "of two sessions",
      { content: "same", scope: "session", sessionId: "a" },
      { content: "same", scope: "session", sessionId: "b" },
    ],
    [
      "with other metadata",
      { content: "same", metadata: { who: "bob" } },
      { content: "same", metadata: { who: "eve" } },
    ],
    ["of which only the newer expires", { content: "same" }, { content: "same", expiresAt: "2999-01-01" }],
    ["of which only the older expires", { content: "same", expiresAt: "2999-01-01" }, { content: "same" }],
    [
      "said twice in a conversation",
      { content: "yes", type: "conversation" },
      { content: "yes", type: "conversation" },
    ],
    ["archived twice", { content: "summary", type: "archive" }, { content: "summary", type: "archive" }],
  ])("[M3] never merges the same text %s", async (_why, first, second) => {
    const memory = await openTestMemory();

    await memory.remember(first);
    const { merged } = await memory.remember(second);

    expect(merged).toBe(false);
    expect(await memory.list()).toHaveLength(2);
  });

  it("[M3] merges what expires into what expires, and the later time holds", async () => {
    const memory = await openTestMemory();
    const times = ["2998-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z", "2997-01-01T00:00:00.000Z"];

    const kept = await memory.rememberMany(times.map((expiresAt) => ({ content: "same", expiresAt })));

    expect(kept.map(({ merged }) => merged)).toEqual([false, true, true]);
    expect(await memory.list()).toMatchObject([{ expiresAt: "2999-01-01T00:00:00.000Z" }]);
  });

  it("[M3] does not merge into what is forgotten, superseded or expired", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const forgotten = await memory.remember({ content: "one" });
    await memory.forget(forgotten.id);
    const old = await memory.remember({ content: "two" });
    await memory.supersede(old.id, { content: "two and a half" });
    await memory.remember({ content: "three", expiresAt: "2026-01-02T00:00:00Z" });
    clock.addDays(2);

    const again = await memory.rememberMany([{ content: "one" }, { content: "two" }, { content: "three" }]);

    expect(again.map(({ merged }) => merged)).toEqual([false, false, false]);
  });

  it("[M5] keeps many in one go and in order, or none of them", async () => {
    const memory = await openTestMemory();

    const kept = await memory.rememberMany([{ content: "b" }, { content: "a" }, { content: "b" }]);
    const refusal = memory.rememberMany([{ content: "fine" }, { content: "not \0 fine" }]);
    await expect(refusal).rejects.toMatchObject({
      code: "content-refused",
      message: expect.stringContaining("2 of 2"),
    });
    const taken = memory.rememberMany([
      { content: "c", name: "n" },
      { content: "d", name: "n" },
    ]);
    await expect(taken).rejects.toMatchObject({ code: "name-taken" });

    expect(kept.map(({ content, merged }) => [content, merged])).toEqual([
      ["b", false],
      ["a", false],
      ["b", true],
    ]);
    expect((await memory.list()).map(({ content }) => content).toSorted()).toEqual(["a", "b"]);
  });

  it("[M9] lets what a type says expire by itself, counted from when it was stored", async () => {
    const clock = movableClock("2026-03-10T15:00:00Z");
    const memory = await openTestMemory({ now: clock.now });

    const turn = await memory.remember({ type: "conversation", content: "hi", createdAt: "2001-01-01" });
    const today = await memory.remember({ type: "context", content: "on it", scope: "session", sessionId: "s" });
    const always = await memory.remember({ type: "context", content: "we use GraphQL" });
    const midnight = new Date(
      clock.now().getFullYear(),
      clock.now().getMonth(),
      clock.now().getDate() + 1,
    ).toISOString();
    clock.addDays(2);
    const left = await memory.list();

    expect(turn.expiresAt).toBe("2026-04-09T15:00:00.000Z");
    expect(today.expiresAt).toBe(midnight);
    expect(always.expiresAt).toBeUndefined();
    expect(left.map(({ content }) => content).toSorted()).toEqual(["hi", "we use GraphQL"]);
    expect(await memory.recall("on it", { status: "expired" })).toEqual([]);
    expect((await memory.get(today.id))?.status).toBe("expired");
  });

  it("[M10] refuses a name that another memory holds, and says who", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "the first holder", name: "deploy", aliases: ["ship"] });

    const byName = memory.remember({ content: "the second", name: "deploy" });
    const byAlias = memory.remember({ content: "the third", name: "ship" });

    await expect(byName).rejects.toMatchObject({
      code: "name-taken",
      message: expect.stringContaining("the first holder"),
    });
    await expect(byAlias).rejects.toMatchObject({ code: "name-taken" });
    expect(await memory.list()).toHaveLength(1);
  });

  it.each<[what: string, input: object, field: string]>([
    ["no content", {}, "content"],
    ["a content that is no text", { content: 7 }, "content"],
    ["a confidence above 1", { content: "x", confidence: 1.1 }, "confidence"],
    ["an unknown scope", { content: "x", scope: "galaxy" }, "scope"],
    ["a day that is none", { content: "x", createdAt: "2026-02-30" }, "time"],
    ["a name that looks like a short id", { content: "x", name: "deadbeef" }, "name"],
    ["a time that is none", { content: "x", createdAt: "yesterday" }, "time"],
    ["tags that are no list", { content: "x", tags: "a,b" }, "tags"],
    ["a field it does not know", { content: "x", relatedFile: "a.ts" }, "relatedFile"],
    ["a type that cannot be one", { content: "x", type: "Not A Type" }, "type"],
    ["a name that looks like an id", { content: "x", name: "01a1de40-18d4-7051-9b40-c6f31d632c1b" }, "name"],
    [
      "a relation to nobody",
      { content: "x", relations: [{ kind: "similar", confidence: 1, automatic: true }] },
      "relations",
    ],
  ])("refuses %s and names the field", async (_what, input, field) => {
    const memory = await openTestMemory();

    await expect(memory.remember(input as MemoryInput)).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(field),
      hint: expect.any(String),
    });
    expect(await memory.list()).toEqual([]);
  });

  it("[H1] redacts secrets in every part but the names, which are refused, before anything is stored", async () => {
    const memory = await openTestMemory();
    const secret = `ghp_${"a1B2c3D4".repeat(5).slice(0, 36)}`;

    const kept = await memory.remember({
      content: `the token is ${secret}`,
      tags: [secret],
      relatedFiles: [`keys/${secret}`],
      relatedModules: [secret],
      metadata: { [secret]: secret, list: [{ deep: secret }] },
      data: { text: secret },
      sessionId: secret,
      agent: secret,
      commit: secret,
      branch: secret,
      methodology: secret,
      citationText: secret,
      graphNodes: [secret],
      workUnit: { methodology: secret, hierarchy: [secret], label: secret },
      chunk: { kind: "prose", startLine: 1, endLine: 2, contextPrefix: secret },
      relations: [{ kind: "validates", file: `keys/${secret}`, confidence: 1, automatic: false }],
    });

    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(kept.trustFlags).toContain("secret-redacted");
  });

  it("takes one file written in several ways for one", async () => {
    const directory = temporaryFolder();
    const memory = await openTestMemory({ directory });

    const kept = await memory.remember({
      content: "x",
      relatedFiles: ["src/a.ts", join(directory, "src/a.ts"), "./src/a.ts", "..odd"],
    });

    expect(kept.relatedFiles).toEqual(["src/a.ts", "..odd"]);
    expect(await memory.list({ files: ["./src/a.ts"] })).toHaveLength(1);
  });

  it("[H2] drops private parts, [H4] strips invisible characters, and says so", async () => {
    const memory = await openTestMemory();

    const kept = await memory.remember({ content: "pay\u202e <private>my pin</private>at the desk" });

    expect(kept).toMatchObject({ content: "pay at the desk", trustFlags: ["invisible-removed", "private-removed"] });
  });

  it("[H3] [H5] refuses NUL, lone surrogates, more than 64 KiB, and nothing at all", async () => {
    const memory = await openTestMemory();

    for (const content of ["a\0b", "a\ud800b", "x".repeat(65_537), "", " \n", "<private>all of it</private>"]) {
      await expect(memory.remember({ content })).rejects.toMatchObject({ code: "content-refused" });
    }
    expect((await memory.remember({ content: "x".repeat(65_536) })).content).toHaveLength(65_536);
  });
});
