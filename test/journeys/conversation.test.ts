import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("turns", () => {
  it("[T1] are memories with session, role, sequence and tools, each as it was said", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");

    await talk.append({ role: "user", content: "Why do retries fail?", timestamp: "2026-11-01T10:00:00.000Z" });
    await talk.append({ role: "assistant", content: "The token is stale.\n\n  indented", toolsUsed: ["Bash", "Read"] });

    const [first, second] = await talk.turns();
    expect(first).toMatchObject({ role: "user", content: "Why do retries fail?", sequence: 1 });
    expect(first?.timestamp).toBe("2026-11-01T10:00:00.000Z");
    expect(second).toMatchObject({
      content: "The token is stale.\n\n  indented",
      sequence: 2,
      toolsUsed: ["Bash", "Read"],
    });
    expect(await memory.get(second?.ids[0] ?? "")).toMatchObject({
      type: "conversation",
      sessionId: "s1",
      data: { role: "assistant", sequence: 2, toolsUsed: ["Bash", "Read"] },
    });
    expect((await memory.recall("stale token"))[0]?.memory.id).toBe(second?.ids[0]);
  });

  it("[T2] of several processes that append at once are all there, each in a place of its own", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memories = await Promise.all([1, 2, 3].map(() => openTestMemory({ db })));

    await Promise.all(
      memories.map(async (memory, who) => {
        const talk = memory.conversation("shared");
        for (let n = 0; n < 10; n++) await talk.append({ role: "user", content: `${who} says ${n}` });
      }),
    );

    const turns = (await memories[0]?.conversation("shared").turns()) ?? [];
    expect(turns.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 30 }, (_, n) => n + 1));
    expect(new Set(turns.map(({ content }) => content)).size).toBe(30);
  });

  it("[T3] that are too long for one memory come back whole, and private parts of them not at all", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const long = Array.from({ length: 9000 }, (_, n) => `line ${n} äöü 😀 of a log\n`).join("");
    const hidden = `a${"x ".repeat(30_000)}<private>${"secret plan ".repeat(5000)}</private>end`;

    await talk.append([
      { role: "user", content: long },
      { role: "assistant", content: hidden },
      { role: "user", content: "<private>nothing else</private>" },
    ]);

    const turns = await talk.turns();
    expect(turns.map(({ content }) => content === long)).toEqual([true, false, false]);
    expect(turns[0]?.ids.length).toBeGreaterThan(3);
    expect(turns[1]?.content).toBe(`a${"x ".repeat(30_000)}end`);
    expect(turns[2]?.content).toBe("[private]");
    const { messages } = await talk.window({ turns: 1 });
    expect(messages.map(({ content }) => content.length)).toEqual([turns[2]?.content.length]);
    expect((await talk.window({ turns: 2 })).messages[0]?.content).toBe(long);
  });

  it("[T4] keep when their session began for ever, and how many stay is kept with it", async () => {
    const clock = movableClock("2026-11-01T08:00:00Z");
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, now: clock.now });
    await memory.conversation("s1", { keepCount: 2 }).append(talkOf(4));
    clock.addDays(3);
    await memory.conversation("s1").append(talkOf(4));
    await memory.conversation("s1").compact();
    await memory.conversation("s1").startNew();

    const again = await openTestMemory({ db, now: clock.now });
    const state = await again.conversation("s1").state();

    expect(state).toMatchObject({ createdAt: "2026-11-01T08:00:00.000Z", keepCount: 2, lastSequence: 8 });
    expect(state?.markers.map(({ first, last }) => [first, last])).toEqual([
      [1, 6],
      [7, 8],
    ]);
  });

  it("[T5] of no role, without a text or without a session are refused, and nothing of the others is kept", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");

    await expect(talk.append([talkOf(1)[0] as never, { role: "robot" as never, content: "x" }])).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(talk.append({ role: "user", content: " " })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(memory.conversation("").append(talkOf(1))).rejects.toMatchObject({ code: "invalid-input" });

    expect(await talk.turns()).toEqual([]);
    expect(await talk.state()).toBeUndefined();
  });
});

describe("the window", () => {
  it("[W1] shows the last five turns, question and answer, oldest first, of this session only", async () => {
    const memory = await openTestMemory();
    await memory.conversation("other").append(talkOf(4, "elsewhere"));
    const talk = memory.conversation("s1");
    await talk.append([...talkOf(14), { role: "tool", content: "noise" }, { role: "system", content: "rules" }]);

    const { messages, leftOut } = await talk.window();

    expect(messages.map(({ content }) => content)).toEqual(Array.from({ length: 10 }, (_, n) => `message ${n + 4}`));
    expect(messages[0]).toMatchObject({ role: "user" });
    expect(messages[1]).toMatchObject({ role: "assistant" });
    expect(leftOut).toBe(0);
    expect((await memory.conversation("new").window()).messages).toEqual([]);
  });

  it("[W2] stays within its tokens, begins with the user, and cuts only what would not fit alone", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append(talkOf(6));

    const some = await talk.window({ maxTokens: 30 });
    await talk.append({ role: "user", content: `start ${"word ".repeat(2000)}finish` });
    const cut = await talk.window({ maxTokens: 50 });

    expect(some.tokens).toBeLessThanOrEqual(30);
    expect(some.messages.map(({ content }) => content)).toEqual(
      ["message 2", "message 3", "message 4", "message 5"].slice(-some.messages.length),
    );
    expect(some.messages[0]?.role).toBe("user");
    expect(some.leftOut).toBe(6 - some.messages.length);
    expect(cut.messages).toHaveLength(1);
    expect(cut.tokens).toBeLessThanOrEqual(50);
    expect(cut.messages[0]?.content).toMatch(/^\[…\] .*finish$/s);
    await expect(talk.window({ turns: 0 })).rejects.toMatchObject({ code: "invalid-input" });
  });

  it("[W3] is empty after it was cleared, and what was said is still there", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append(talkOf(4));

    await talk.clearWindow();
    const cleared = await talk.window();
    await talk.append({ role: "user", content: "anew" });

    expect(cleared).toEqual({ messages: [], tokens: 0, leftOut: 0 });
    expect((await talk.window()).messages.map(({ content }) => content)).toEqual(["anew"]);
    expect(await talk.turns()).toHaveLength(5);
  });
});

describe("the context of the day", () => {
  it("[W4] is replaced, not added to: there is one value for a key, and the newest is read", async () => {
    const memory = await openTestMemory();

    await memory.conversations.setContext("task", "write the parser");
    await memory.conversations.setContext("task", "test the parser");
    await memory.conversations.setContext("task", "of one session", { sessionId: "s1" });
    await memory.conversations.setContext("topic", "test the parser");

    expect(await memory.conversations.getContext("task")).toBe("test the parser");
    expect(await memory.conversations.getContext("task", { sessionId: "s1" })).toBe("of one session");
    expect(await memory.conversations.getContext("nothing")).toBeUndefined();
    expect(await memory.list({ type: "context" })).toHaveLength(3);
  });

  it("[W5] is gone at the end of the user's day, in their time zone, before anything cleans up", async () => {
    vi.stubEnv("TZ", "America/New_York");
    onTestFinished(() => void vi.unstubAllEnvs());
    const clock = movableClock("2026-11-15T23:00:00-05:00");
    const memory = await openTestMemory({ now: clock.now });
    await memory.conversations.setContext("task", "until midnight");

    clock.moveTo("2026-11-15T23:59:59-05:00");
    const before = await memory.conversations.getContext("task");
    clock.moveTo("2026-11-16T00:00:00-05:00");
    const after = await memory.conversations.getContext("task");
    const found = await memory.recall("midnight");
    await memory.conversations.setContext("task", "the next day");

    expect([before, after, found]).toEqual(["until midnight", undefined, []]);
    expect(await memory.conversations.getContext("task")).toBe("the next day");
  });
});

describe("facts and clean-up", () => {
  it("[W6] profile facts are facts with a category and a field, and a new value takes the place of the old one", async () => {
    const memory = await openTestMemory();
    await memory.conversations.rememberFact("User prefers to be called Alex", {
      category: "user_profile",
      field: "name",
    });
    await memory.conversations.rememberFact("User is interested in robotics", {
      category: "user_profile",
      field: "interests",
    });

    await memory.conversations.rememberFact("Call the user Sasha", { category: "user_profile", field: "name" });

    const facts = await memory.list({ type: "fact", metadata: { category: "user_profile" } });
    expect(facts.map(({ content }) => content).toSorted()).toEqual([
      "Call the user Sasha",
      "User is interested in robotics",
    ]);
    expect(facts.every(({ expiresAt }) => expiresAt === undefined)).toBe(true);
  });

  it("[W7] metadata cannot change what a memory is, and rememberConversation keeps for 30 days", async () => {
    const clock = movableClock("2026-11-01T12:00:00Z");
    const memory = await openTestMemory({ now: clock.now });

    const fact = await memory.conversations.rememberFact("Port 8080 is taken", {
      metadata: { type: "context", created_at: "1999" },
    });
    const said = await memory.conversations.rememberTurn("We talked about ports", { metadata: { type: "fact" } });
    const turn = await memory.conversations.rememberTurn("And about names", { sessionId: "s1", role: "assistant" });

    expect(fact).toMatchObject({ type: "fact", createdAt: "2026-11-01T12:00:00.000Z" });
    expect(said).toMatchObject({ type: "conversation", expiresAt: "2026-12-01T12:00:00.000Z" });
    expect(turn).toMatchObject({ type: "conversation", sessionId: "s1", data: { role: "assistant", sequence: 1 } });
  });

  it("[W8] clean-up tells how many it removed, and leaves turns that an archive leads to", async () => {
    const clock = movableClock("2026-01-01T12:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.conversation("kept").append(talkOf(4));
    await memory.conversation("kept").compact({ keepCount: 0 });
    await memory.conversation("gone").append(talkOf(3, "passing"));

    clock.addDays(200);
    const removed = await memory.store.cleanUp();

    expect(removed).toBe(3);
    expect(await memory.store.cleanUp()).toBe(0);
    expect(await memory.conversation("kept").turns()).toHaveLength(4);
    expect(await memory.conversation("gone").turns()).toEqual([]);
  });
});

describe("compaction", () => {
  it("[Y1] makes of a prefix one archive with a readable name, and a marker that names it", async () => {
    const clock = movableClock("2026-11-16T09:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    const talk = memory.conversation("s1");
    await talk.append([
      { role: "user", content: "Please fix the retry backoff in src/http/retry.ts." },
      { role: "assistant", content: "We decided to cap the backoff at 30 seconds." },
      { role: "user", content: "Thanks, what is next?" },
    ]);

    const done = await talk.compact({ keepCount: 1 });

    expect(done?.marker).toMatchObject({ archivedAt: "2026-11-16T09:00:00.000Z", first: 1, last: 2 });
    expect(done?.marker.archiveName).toMatch(/^2026-11-16(-[a-z0-9]+)+$/);
    const archive = await memory.get(done?.marker.archiveName ?? "");
    expect(archive).toMatchObject({ type: "archive", sessionId: "s1" });
    expect(archive?.content).toContain("cap the backoff at 30 seconds");
    expect(
      (await memory.conversations.archivedTurns(done?.marker.archiveName ?? "")).map(({ sequence }) => sequence),
    ).toEqual([1, 2]);
    expect((await memory.recall("backoff", { type: "archive" })).map(({ memory: { id } }) => id)).toEqual([
      archive?.id,
    ]);
  });

  it("[Y2] can be done any number of times; replay starts at the newest marker, and every archive has its own turns", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const names: string[] = [];
    for (let round = 0; round < 3; round++) {
      await talk.append(talkOf(4, `round ${round}`));
      names.push((await talk.compact({ keepCount: 1 }))?.marker.archiveName ?? "");
    }

    const { marker, archive, turns } = await talk.replay();

    expect(new Set(names).size).toBe(3);
    expect(marker?.archiveName).toBe(names[2]);
    expect(archive?.name).toBe(names[2]);
    expect(turns.map(({ content }) => content)).toEqual(["round 2 3"]);
    const archived = await Promise.all(names.map((name) => memory.conversations.archivedTurns(name)));
    expect(archived.map((list) => list.map(({ sequence }) => sequence))).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7],
      [8, 9, 10, 11],
    ]);
    expect((await talk.state())?.markers).toHaveLength(3);
    expect(await talk.compact({ keepCount: 1 })).toBeUndefined();
  });

  it("[Y3] leaves no marker without its archive: forgotten, it gives its turns back, and renamed, the marker follows", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append(talkOf(4));
    const done = await talk.compact({ keepCount: 2 });
    const name = done?.marker.archiveName ?? "";

    await memory.rename(name, "the-beginning");
    const renamed = await talk.replay();
    await memory.forget("the-beginning");
    const without = await talk.replay();
    await memory.restore(done?.archive.id ?? "");

    expect(renamed.marker?.archiveName).toBe("the-beginning");
    expect(without).toMatchObject({ turns: [{ sequence: 1 }, { sequence: 2 }, { sequence: 3 }, { sequence: 4 }] });
    expect(without.marker).toBeUndefined();
    expect((await talk.replay()).turns).toHaveLength(2);
  });

  it("[Y4] by two processes at once archives every turn once", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memories = await Promise.all([1, 2, 3].map(() => openTestMemory({ db })));
    await memories[0]?.conversation("s1").append(talkOf(20));

    await Promise.all(
      memories.map((memory, index) => memory.conversation("s1").compact({ keepCount: 12 - 4 * index })),
    );

    const state = await memories[0]?.conversation("s1").state();
    const places = (state?.markers ?? []).flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, n) => first + n),
    );
    expect(places).toEqual(Array.from({ length: 16 }, (_, n) => n + 1));
  });

  it("[Y5] survives export and import: turns, order, archive and marker", async () => {
    const folder = temporaryFolder();
    const memory = await openTestMemory();
    await memory.conversation("s1").append(talkOf(5));
    const done = await memory.conversation("s1").compact({ keepCount: 2 });
    await memory.exchange.export({ format: "jsonl", output: join(folder, "all.jsonl") });
    const other = await openTestMemory({ project: "elsewhere" });

    await other.exchange.import(join(folder, "all.jsonl"));

    const { marker, turns } = await other.conversation("s1").replay();
    expect(marker).toEqual(done?.marker);
    expect(turns.map(({ content }) => content)).toEqual(["message 3", "message 4"]);
    await other.conversation("s1").append({ role: "user", content: "and on" });
    expect((await other.conversation("s1").state())?.lastSequence).toBe(6);
  });
});

describe("purging", () => {
  it("[D7] takes what quotes a turn with it, out of the store and out of HISTORY.md, and leaves the turns beside it", async () => {
    const home = temporaryFolder();
    vi.stubEnv("TACIT_HOME", home);
    onTestFinished(() => void vi.unstubAllEnvs());
    const memory = await openTestMemory({ db: join(home, "memory.db") });
    const talk = memory.conversation("s1");
    await talk.append([...talkOf(2), { role: "user", content: "We decided that the merger with Initech is secret." }]);
    const done = await talk.compact({ keepCount: 0 });
    await memory.rename(done?.marker.archiveName ?? "", "the-plan");
    const { folder = "" } = await memory.conversations.memoryFile();
    const filesHold = () =>
      readdirSync(folder).filter((name) => readFileSync(join(folder, name), "utf8").includes("Initech"));
    const before = filesHold();
    const [, , secret] = await talk.turns();

    const { purged } = await memory.purge(secret?.ids[0] ?? "");
    await memory.close();

    expect(before).toHaveLength(2);
    expect(purged).toBe(2);
    expect(filesHold()).toEqual([]);
    expect(readdirSync(home).filter((name) => readFileSafely(join(home, name)).includes("Initech"))).toEqual([]);
    const again = await openTestMemory({ db: join(home, "memory.db") });
    expect((await again.conversation("s1").replay()).turns.map(({ content }) => content)).toEqual([
      "message 0",
      "message 1",
    ]);
  });
});

function readFileSafely(path: string): string {
  return statSync(path).isFile() ? readFileSync(path, "latin1") : "";
}

function talkOf(count: number, what = "message"): { role: "user" | "assistant"; content: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    role: n % 2 === 0 ? ("user" as const) : ("assistant" as const),
    content: `${what} ${n}`,
  }));
}
