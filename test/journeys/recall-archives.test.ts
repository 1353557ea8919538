import { describe, expect, it } from "vitest";
import type { RecallResult, TacitMemory } from "../../src/index.js";
import { weighed } from "../../src/retrieval/ranking/weigh.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { openTestMemory } from "../support/open-memories.js";
import { contentsOf, openWithMeaning } from "../support/open-with-meaning.js";

describe("recall over archives and turns", () => {
  it.each(["words", "hybrid"] as const)("[Y6] finds the turns as well as without archives, by %s", async (mode) => {
    const alone = await talkedOver({ isCompacted: false, mode });
    const together = await talkedOver({ isCompacted: true, mode });
    const ranksIn = async (memory: TacitMemory) =>
      Promise.all(
        topics.map(async ({ question, answer }) =>
          contentsOf(await memory.recall(question, { mode, limit: 5 })).indexOf(answer),
        ),
      );

    const before = await ranksIn(alone);
    const after = await ranksIn(together);

    expect(before).not.toContain(-1);
    expect(after.map((rank, n) => rank !== -1 && rank <= (before[n] ?? -1))).toEqual(topics.map(() => true));
    expect(await together.list({ types: ["archive"] })).toHaveLength(topics.length);
  });

  it("[Y6] [R13] puts an archive behind the best of its turns, however much it repeats, and says so", async () => {
    const memory = await talkedOver();
    const talk = memory.conversation("again");
    const said = ["Do retries have a queue of their own?", "They do, and it is a slow queue.", "Then let us watch it."];
    await talk.append(said.map((content) => ({ role: "user", content })));
    const summary = "The queue of retries: retries have a queue, a slow queue, a queue for retries.";
    await talk.compact({ keepCount: 0, summary });

    const results = await memory.recall("queue of retries", { explain: true });

    const [first, second, third] = results.filter((result) => result.memory.sessionId === "again");
    expect([first, second, third].map((result) => result?.memory.content)).toEqual([said[0], said[1], summary]);
    expect(third?.why).toContain("sums up turns that match and come first");
    expect(third?.explanation?.lifts.turns).toBeLessThan(1);
    for (const { score, explanation } of results) {
      expect(score).toBeCloseTo(explanation ? weighed(explanation.evidence, explanation.weights) : -1, 3);
    }
  });

  it("[Y6] shows what was decided on the first page, with the archive that sums it up", async () => {
    const memory = await talkedOver();

    for (const { thing, answer } of topics) {
      const results = await memory.recall(`What did we decide about ${thing}?`, { limit: 8 });

      const archives = results.filter(isArchive).map(({ memory: { content } }) => content);
      expect(contentsOf(results).slice(0, 3), thing).toContain(answer);
      expect(
        archives.some((content) => content.includes(answer)),
        thing,
      ).toBe(true);
    }
  });

  it("[Y6] [R3] finds an archive by its name first, and by its words where its turns are gone or do not match", async () => {
    const memory = await talkedOver();
    const [named] = await memory.recall("Which queue do retries go through?", { types: ["archive"], limit: 1 });
    const name = named?.memory.name ?? "";

    const [byName] = await memory.recall(name);
    expect(byName).toMatchObject({ score: 1, memory: { id: named?.memory.id } });

    for (const { ids } of await memory.conversations.archivedTurns(name)) for (const id of ids) await memory.forget(id);
    const [byWords] = await memory.recall("Which queue do retries go through?");
    expect(byWords).toMatchObject({ memory: { id: named?.memory.id }, why: expect.not.stringContaining("come first") });

    await memory.conversation("own").append([{ role: "user", content: "Hello there" }]);
    await memory.conversation("own").compact({ keepCount: 0, summary: "The zeppelin was moored in Lisbon." });
    expect(contentsOf(await memory.recall("zeppelin"))).toEqual(["The zeppelin was moored in Lisbon."]);
  });

  it("[Y6] lets an archive speak for its session, and one that the filter leaves out for nobody", async () => {
    const memory = await openTestMemory();
    const say = async (session: string, summary: string) => {
      const talk = memory.conversation(session);
      await talk.append({ role: "user", content: "The price is 90 euros" });
      await talk.compact({ keepCount: 0, summary });
    };
    await say("flight", "About: the flight to Lisbon.");
    await say("dinner", "About: a dinner with friends.");

    const turns = (await memory.recall("the price of the flight to Lisbon")).filter((result) => !isArchive(result));
    const without = await memory.recall("the price of the flight to Lisbon", { types: ["conversation"] });

    expect(turns.map((result) => result.memory.sessionId)).toEqual(["flight", "dinner"]);
    expect(turns[0]?.score).toBeGreaterThan(turns[1]?.score ?? 1);
    expect(without[0]?.score).toBe(without[1]?.score);
  });
});

const topics = [
  ["retries", "Which queue do retries go through?", "We decided that retries go through the outbox queue."],
  [
    "the login page",
    "How does the login page keep a session?",
    "We decided that the login page keeps a session in a cookie.",
  ],
  [
    "the nightly backup",
    "Where is the nightly backup stored?",
    "We decided that the nightly backup is stored in Frankfurt.",
  ],
  [
    "the release train",
    "When does the release train leave?",
    "We decided that the release train leaves every second Tuesday.",
  ],
  ["invoices", "Which currency do invoices use?", "We decided that invoices use euros, whatever the customer pays in."],
].map(([thing = "", question = "", answer = ""]) => ({ thing, question, answer }));

/** A session for each topic, in which others are touched on as well. */
async function talkedOver({ isCompacted = true, mode = "words" } = {}): Promise<TacitMemory> {
  const memory = mode === "words" ? await openTestMemory() : await openWithMeaning(fakeEmbedder());
  for (const [n, { thing, answer }] of topics.entries()) {
    const other = topics[(n + 1) % topics.length]?.thing;
    const talk = memory.conversation(`session ${n}`);
    await talk.append([
      { role: "user", content: `Let us talk about ${thing} today, it keeps coming back.` },
      { role: "assistant", content: `There are three ways for ${thing}, and each has its price.` },
      { role: "user", content: `Is that the same as with ${other}?` },
      { role: "assistant", content: `No, ${other} is another matter; let us keep it apart.` },
      { role: "user", content: "The cheapest one will do, the numbers are small." },
      { role: "assistant", content: answer },
      { role: "user", content: "Good. I will write that down." },
    ]);
    if (isCompacted) await talk.compact({ keepCount: 0 });
  }
  if (mode === "hybrid") await memory.embedPending();
  return memory;
}

function isArchive({ memory }: RecallResult): boolean {
  return memory.type === "archive";
}
