import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { contentsOf, openWithMeaning, withSynonyms } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const asked = "Ada: have you booked the flight to Lisbon?";
const answered = "Bob: yes, for the ninth";

describe("recall in a conversation", () => {
  it("[R10] finds the answer in the turn after the one that has the words", async () => {
    const memory = await conversation(
      "s",
      ...smallTalk("before"),
      asked,
      answered,
      ...smallTalk("after", "later", "at last"),
    );

    const results = await memory.recall("When is the flight to Lisbon?", { explain: true });

    expect(contentsOf(results).slice(0, 2)).toEqual([asked, answered]);
    expect(results[1]).toMatchObject({ matched: [], why: "was said next to what matches" });
    expect(results[1]?.explanation?.lifts.turns).toBeGreaterThan(1);
    expect(contentsOf(results)).not.toContain(smallTalk("at last")[0]);
  });

  it("[R10] [R15] lets nothing that was called wrong speak for those beside it", async () => {
    const memory = await conversation("s", "Ada: the flight to Lisbon leaves at nine", "Bob: my cat is called Tom");
    const [wrong] = await memory.recall("flight to Lisbon");
    await memory.flag(wrong?.memory.id ?? "", "it leaves at ten");

    expect(await memory.recall("When is the flight to Lisbon?")).toEqual([]);
  });

  it("[R10] is about turns: notes of one session do not lift each other", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany([
      { content: "billing staging host is b7", sessionId: "s" },
      { content: "the desk of billing has a logo", sessionId: "s" },
    ]);

    const results = await memory.recall("billing staging host", { explain: true });

    expect(results.map(({ explanation }) => explanation?.lifts.turns)).toEqual([1, 1]);
  });

  it("[R10] lifts a turn by the words of those around it", async () => {
    const memory = await conversation("s", "Ada: the flight to Lisbon", "Bob: the price is 90 euros");
    await remember(memory, "t", "Cem: the garden is green", "Dan: the price is 70 euros");

    const results = await memory.recall("the price of the flight to Lisbon");

    expect(rankOf(results, "90")).toBeLessThan(rankOf(results, "70"));
  });

  it("[R10] lifts a turn by what else was said in its session, however far away", async () => {
    const memory = await conversation(
      "s",
      "Ada: the flight to Lisbon",
      ...smallTalk("one", "two", "three", "four", "five"),
      "Bob: the price is 90 euros",
    );
    await remember(memory, "t", ...smallTalk("six"), "Dan: the price is 70 euros");

    const results = await memory.recall("the price of the flight to Lisbon");

    expect(rankOf(results, "90")).toBeLessThan(rankOf(results, "70"));
  });

  it("[R10] lifts a turn by the meaning of those around it", async () => {
    const embedder = withSynonyms(fakeEmbedder(), { motor: "engine", racket: "noise" });
    const memory = await openWithMeaning(embedder, turns("s", ["Ada: engine noise", "Bob: same here"]));

    const [first, second] = await memory.recall("motor racket", { explain: true });

    expect(first).toMatchObject({ memory: { content: "Ada: engine noise" }, matched: [] });
    expect(second).toMatchObject({ memory: { content: "Bob: same here" }, matched: [] });
    expect(second?.explanation?.lifts.turns).toBeGreaterThan(1);
  });

  it("[R10] prefers what the speaker whom the question names has said", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany([
      { ...turn("s", 0, "I like green tea"), metadata: { speaker: "Bob" } },
      { ...turn("t", 0, "I like green tea"), metadata: { speaker: "Ada Lovelace" } },
      { content: "green tea is what we like", type: "note" },
    ]);
    const order = async (question: string) =>
      (await memory.recall(question, { explain: true })).map((result) => ({
        speaker: result.memory.metadata["speaker"],
        lift: result.explanation?.lifts.speaker,
      }));

    const ofBob = await order("Does Bob like green tea?");
    const ofAda = await order("Does Ada like green tea?");
    const ofBoth = await order("Do Ada and Bob like green tea?");

    const speakers = (found: typeof ofBob) => found.flatMap(({ speaker }) => speaker ?? []);
    expect(speakers(ofBob)).toEqual(["Bob", "Ada Lovelace"]);
    expect(speakers(ofAda)).toEqual(["Ada Lovelace", "Bob"]);
    expect(ofAda.find(({ speaker }) => speaker === "Bob")?.lift).toBeLessThan(1);
    expect(ofAda.find(({ speaker }) => speaker === undefined)?.lift).toBe(1);
    expect(ofBoth.map(({ lift }) => lift)).toEqual([1, 1, 1]);
  });

  it("[R10] looks at no turn of another session, even where they alternate", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany([
      turn("s", 0, asked),
      turn("t", 1, "Cem: the soup is cold"),
      turn("s", 2, answered),
      turn("t", 3, "Dan: ask the cook"),
    ]);

    const found = contentsOf(await memory.recall("When is the flight to Lisbon?"));

    expect(found).toEqual([asked, answered]);
  });

  it("[R10] [P1] looks at no turn of another project, nor of what holds everywhere, in a session of the same id", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const mine = await openTestMemory({ db, project: "mine" });
    const theirs = await openTestMemory({ db, project: "theirs" });
    const user = await openTestMemory({ db, project: "user" });
    await mine.rememberMany([turn("s", 1, "Bob: the price is 90 euros"), turn("t", 1, "Dan: the price is 70 euros")]);
    await theirs.rememberMany([turn("s", 0, "Cem: the flight to Lisbon"), turn("s", 2, "Cem: is for the ninth")]);
    await user.rememberMany([turn("s", 0, "Eve: the flight to Lisbon"), turn("s", 2, "Eve: is for the ninth")]);

    const results = await mine.recall("the price of the flight to Lisbon");

    const scores = new Map(results.map(({ memory, score }) => [memory.content, score]));
    expect(results.map(({ memory }) => memory.project)).not.toContain("theirs");
    expect(scores.get("Bob: the price is 90 euros")).toBe(scores.get("Dan: the price is 70 euros"));
    expect(scores.get("Eve: is for the ninth")).toBeGreaterThan(0);
  });

  it("[R10] is introduced by its neighbours only to turns; any other memory has to answer by itself", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany([
      turn("s", 0, asked),
      { ...turn("s", 1, "the ninth is a holiday"), type: "note" },
      turn("s", 2, answered),
    ]);

    expect(contentsOf(await memory.recall("When is the flight to Lisbon?"))).toEqual([asked, answered]);
  });

  it("[R10] introduces no turn that the filter leaves out", async () => {
    const memory = await conversation("s", asked, answered);
    const turnOfBob = (await memory.list()).find(({ content }) => content === answered);
    const found = async (options: object) => contentsOf(await memory.recall("the flight to Lisbon", options));

    expect(await found({})).toEqual([asked, answered]);
    expect(await found({ excludeIds: [turnOfBob?.id] })).toEqual([asked]);
    await memory.forget(turnOfBob?.id ?? "");
    expect(await found({ status: "any" })).toEqual([asked]);
  });

  it("[R10] takes turns in the order of their times, and of their arrival where those are equal", async () => {
    const outOfOrder = await openTestMemory();
    await outOfOrder.rememberMany([
      turn("s", 1, answered),
      turn("s", 9, "Cem: the soup is cold"),
      turn("s", 0, asked),
      turn("s", 8, "Dan: ask the cook"),
      turn("s", 7, "Eve: it is the oven"),
    ]);
    const atOnce = await openTestMemory();
    await atOnce.rememberMany(
      [asked, answered, "Cem: next to it", "Dan: too far", "Eve: further"].map((text) => turn("s", 0, text)),
    );
    const question = "When is the flight to Lisbon?";

    expect(contentsOf(await outOfOrder.recall(question))).toEqual([asked, answered, "Eve: it is the oven"]);
    expect(contentsOf(await atOnce.recall(question))).toEqual([asked, answered, "Cem: next to it"]);
  });
});

describe("recall of a time", () => {
  it("[R11] prefers what was told in the month that the question names, and hides nothing", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany(
      ["2022-05-10", "2023-05-10", "2023-06-05", "2024-02-10"].map((createdAt, n) => ({
        content: `release meeting number ${n}`,
        createdAt,
      })),
    );
    const order = async (question: string) =>
      (await memory.recall(question)).map((result) => result.memory.createdAt.slice(0, 7));

    expect((await order("the release meeting in May 2023")).slice(0, 2)).toEqual(["2023-05", "2023-06"]);
    expect(await order("the release meeting in May 2023")).toHaveLength(4);
    expect((await order("the release meeting of 2024"))[0]).toBe("2024-02");
    expect((await order("the release meeting in May")).slice(0, 2)).toEqual(["2023-05", "2022-05"]);
    expect((await order("this release meeting may fail"))[0]).toBe("2024-02");
  });

  it("[R11] counts back from the clock of the store, and says what time did", async () => {
    const memory = await openTestMemory({ now: () => new Date("2024-02-11T12:00:00Z") });
    await memory.rememberMany([
      { content: "the build broke", createdAt: "2024-02-10T12:00:00Z" },
      { content: "the build broke again", createdAt: "2023-02-10T12:00:00Z" },
    ]);

    const [best, other] = await memory.recall("why did the build break yesterday?", { explain: true });

    expect(best).toMatchObject({ memory: { content: "the build broke" }, explanation: { lifts: { time: 1 } } });
    expect(other?.explanation?.lifts.time).toBeLessThan(1);
  });
});

function rankOf(results: Awaited<ReturnType<TacitMemory["recall"]>>, words: string): number {
  const rank = results.findIndex(({ memory }) => memory.content.includes(words));
  expect(rank, words).toBeGreaterThanOrEqual(0);
  return rank;
}

function smallTalk(...words: string[]): string[] {
  return words.map((word) => `Zoe: hm, ${word}`);
}

async function conversation(sessionId: string, ...texts: string[]): Promise<TacitMemory> {
  const memory = await openTestMemory();
  await remember(memory, sessionId, ...texts);
  return memory;
}

async function remember(memory: TacitMemory, sessionId: string, ...texts: string[]): Promise<void> {
  await memory.rememberMany(turns(sessionId, texts));
}

function turns(sessionId: string, texts: string[]): MemoryInput[] {
  return texts.map((text, minute) => turn(sessionId, minute, text));
}

function turn(sessionId: string, minute: number, content: string): MemoryInput {
  const createdAt = `2026-11-15T08:${String(minute).padStart(2, "0")}:00Z`;
  return { type: "conversation", sessionId, content, createdAt };
}
