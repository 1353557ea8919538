// What the designs for conversations that Tacit grew from got wrong, each once, so that it stays right here.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { PromptFn } from "../../src/index.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Tacit", () => {
  it("[X9] takes a user's metadata for metadata, never for the type or the time", async () => {
    const memory = await openTestMemory();

    const { id } = await memory.conversations.rememberFact("Alex likes tea", {
      metadata: { type: "context", created_at: "1999-01-01" },
    });

    const [found] = await memory.recall("tea", { type: "fact" });
    expect(found?.memory).toMatchObject({ id, type: "fact", metadata: { type: "context" } });
    expect(found?.memory.createdAt).not.toMatch(/^1999/);
  });

  it("[X10] reads the value that was set last, however often a context was set", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const [one, other] = [await openTestMemory({ db }), await openTestMemory({ db })];
    for (let n = 0; n < 5; n++) await (n % 2 ? one : other).conversations.setContext("task", `task ${n}`);

    expect([await one.conversations.getContext("task"), await other.conversations.getContext("task")]).toEqual([
      "task 4",
      "task 4",
    ]);
    expect(await one.list({ type: "context", status: "any" })).toHaveLength(1);
  });

  it("[X11] never returns what has expired, cleaned up or not", async () => {
    const clock = movableClock("2026-01-01T12:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.conversations.rememberTurn("we spoke of zebras");
    await memory.conversations.setContext("animal", "zebra");
    await memory.conversation("s1").append({ role: "user", content: "a zebra again" });

    clock.addDays(31);

    expect(await memory.recall("zebra")).toEqual([]);
    expect(await memory.conversations.getContext("animal")).toBeUndefined();
    expect((await memory.conversation("s1").window()).messages).toEqual([]);
  });

  it("[X12] ends the day in the user's time zone", async () => {
    vi.stubEnv("TZ", "Asia/Tokyo");
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = movableClock("2026-05-05T23:30:00+09:00");
    const memory = await openTestMemory({ now: clock.now });

    const { expiresAt } = await memory.conversations.setContext("task", "late work");

    expect(expiresAt).toBe("2026-05-05T15:00:00.000Z");
  });

  it("[X13] loses no archive and no note when several take turns at writing to the one file", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memories = await Promise.all([1, 2, 3].map(() => openTestMemory({ db })));

    for (let n = 0; n < 4; n += 1) {
      for (const [who, memory] of memories.entries()) {
        const talk = memory.conversation(`s${who}`);
        await talk.append([said("user", `${who} asks ${n}`), said("assistant", `${who} hears ${n}`)]);
        await talk.compact({ keepCount: 0 });
        await memory.remember({ content: `note ${who} ${n}`, name: `note-${who}-${n}` });
      }
    }

    const [memory] = memories;
    expect(await memory?.list({ type: "archive" })).toHaveLength(12);
    expect(await memory?.list({ type: "note" })).toHaveLength(12);
  });

  it("[X14] sets no marker where the archive could not be written", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append([said("user", "one"), said("assistant", "two")]);

    const refused = talk.compact({ keepCount: 0, summary: "x\0y" });

    await expect(refused).rejects.toMatchObject({ code: "content-refused" });
    expect(await talk.replay()).toMatchObject({ turns: [{ content: "one" }, { content: "two" }] });
    expect((await talk.state())?.markers).toEqual([]);
  });

  it("[X15] reads the current memory when its turn has come, so that no update is lost", async () => {
    const memory = await openTestMemory({ db: join(temporaryFolder(), "memory.db") });
    const names = ["Ada", "Grace", "Edsger", "Barbara"];

    await Promise.all(
      names.map(async (name) => {
        const talk = memory.conversation(name, { promptFn: adding(`${name} reviews the storage code.`) });
        await talk.append([said("user", `${name} is here`), said("assistant", "Welcome.")]);
        await talk.consolidate();
      }),
    );

    const { text } = await memory.conversations.memoryFile();
    const known = await memory.list({ status: "any" });
    for (const name of names) {
      expect(known.map(({ content }) => content)).toContain(`${name} reviews the storage code.`);
    }
    expect(text).toBeTypeOf("string");
  });

  it.each([
    ["empty", ""],
    ["an empty object", "{}"],
    ["empty fields", '{"history_entry": " ", "memory_update": ""}'],
    ["no JSON", "I am sorry, I cannot do that."],
    ["of wrong types", '{"history_entry": 7, "memory_update": ["x"]}'],
  ])("[X16] keeps every message where the reply is %s", async (_how, reply) => {
    const memory = await openTestMemory();
    await memory.remember({ content: "The staging server is called heron.", type: "fact" });
    const talk = memory.conversation("s1", { promptFn: async () => ({ content: reply }) });
    await talk.append([said("user", "Where is staging?"), said("assistant", "On heron.")]);

    const done = await talk.consolidate();

    expect(done.by).toBe("fallback");
    expect(done.compaction?.archive.content).toMatch(/^\[raw-fallback\]/);
    expect(
      (await memory.conversations.archivedTurns(done.compaction?.marker.archiveName ?? "")).map(
        ({ content }) => content,
      ),
    ).toEqual(["Where is staging?", "On heron."]);
    expect((await memory.list({ type: "fact" })).map(({ content }) => content)).toEqual([
      "The staging server is called heron.",
    ]);
  });

  it("[X17] keeps all messages whole in a fallback, not ten of them and not their beginnings", async () => {
    const home = temporaryFolder();
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const memory = await openTestMemory({ db: join(home, "memory.db") });
    const talk = memory.conversation("s1", { promptFn: async () => Promise.reject(new Error("no network")) });
    const texts = Array.from({ length: 30 }, (_, n) => `message ${n} ${"and so on ".repeat(60)}end of ${n}`);
    await talk.append(texts.map((content, n) => said(n % 2 ? "assistant" : "user", content)));

    const done = await talk.consolidate();
    const { folder = "" } = await memory.conversations.memoryFile();

    expect(done).toMatchObject({ by: "fallback", problem: expect.stringContaining("no network") });
    const names = readdirSync(folder).filter((file) => file.startsWith("HISTORY"));
    expect(names).toHaveLength(2);
    for (const name of names) {
      const history = readFileSync(join(folder, name), "utf8");
      expect(history).toContain("[raw-fallback]");
      expect(texts.filter((text) => !history.includes(text))).toEqual([]);
    }
  });

  it("[X18] reads a reply whose texts hold braces and quotes", async () => {
    const memory = await openTestMemory();
    const entry = 'Fixed `if (x) { y }` and the string "}" in {{ template }}.';
    const reply = `Sure! {not json} Here: ${JSON.stringify({ history_entry: entry, memory_update: "- The template uses {{ braces }}." })} {`;
    const talk = memory.conversation("s1", { promptFn: async () => reply });
    await talk.append([said("user", "Fix it"), said("assistant", "Done")]);

    const done = await talk.consolidate();

    expect(done).toMatchObject({ by: "model", compaction: { archive: { content: entry } } });
  });

  it("[X19] counts the size of its memory in bytes", async () => {
    const home = temporaryFolder();
    writeFileSync(join(home, "tacit.config.json"), '{ "maxMemorySize": 2048 }');
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const memory = await openTestMemory({ db: join(home, "memory.db") });
    for (let n = 0; n < 40; n++) {
      await memory.remember({ type: "fact", content: `第${n}个服务器在北京的数据中心里运行，编号是${n * 7919}。` });
    }

    const { file = "", bytes } = await memory.conversations.memoryFile();

    const written = readFileSync(file);
    expect(written.length).toBe(bytes);
    expect(written.length).toBeLessThanOrEqual(2048);
    // In characters it would have had room for more than half as much again.
    expect(written.length).toBeGreaterThan(1500);
  });

  it("[X20] waits for no call that has timed out: the next consolidation goes on", async () => {
    const memory = await openTestMemory();
    const hanging = memory.conversation("s1", { promptFn: () => new Promise(() => undefined) });
    const answering = memory.conversation("s2", { promptFn: async () => '{"history_entry": "All is well."}' });
    await hanging.append([said("user", "one"), said("assistant", "two")]);
    await answering.append([said("user", "three"), said("assistant", "four")]);

    const [late, next] = await Promise.all([
      hanging.consolidate({ timeoutMs: 100 }),
      answering.consolidate({ timeoutMs: 5000 }),
    ]);

    expect(late).toMatchObject({ by: "fallback", problem: expect.stringContaining("100 ms") });
    expect(next).toMatchObject({ by: "model", compaction: { archive: { content: "All is well." } } });
  });
});

function said(role: "user" | "assistant", content: string) {
  return { role, content };
}

/** A model that gives back the memory that it was shown, with a line more, after a moment in which others could come between. */
function adding(line: string): PromptFn {
  return async (message) => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const shown = [...message.matchAll(/^[>|\s]*- (.+)$/gm)].map(([, text = ""]) => `- ${text}`);
    return {
      content: JSON.stringify({ history_entry: "Somebody came.", memory_update: [...shown, `- ${line}`].join("\n") }),
    };
  };
}
