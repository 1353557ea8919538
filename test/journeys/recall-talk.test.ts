import { describe, expect, it } from "vitest";
import { openTestMemory } from "../support/open-memories.js";

const facts = [
  "The orders service stores its data in Postgres 16.",
  "We deploy on Tuesdays and never on Fridays.",
  "Tests need a Redis on port 6380.",
  "Retries must be idempotent: the payment provider repeats webhooks.",
  "Login works with OAuth and a session cookie of eight hours.",
  "The job queue is BullMQ on the shared Redis.",
];

const asked: [question: string, fact: number][] = [
  ["which database do we use for orders", 0],
  ["when do we deploy", 1],
  ["what do the tests need", 2],
  ["are retries safe", 3],
  ["how does login work", 4],
  ["what is the job queue", 5],
];

const talk: [string, string][] = [
  [
    "Which database do we use here, I forgot?",
    "The orders data is in a database that ops look after; shall I look it up?",
  ],
  ["When do we deploy again? I want to plan my week.", "You deploy after the review; I can prepare the deploy notes."],
  ["What do the tests need to run on my machine?", "The tests run in the container; what do you see when they fail?"],
  ["Are retries safe in the client?", "Retries happen twice in the client; I would look at the retry code first."],
  [
    "How does login work for the admin page?",
    "Login goes through the same page; the login form posts to the login route.",
  ],
  ["What is the queue doing all night?", "The job queue is busy with the nightly job; the queue is long then."],
];

describe("recall in a project in which much was said", () => {
  it("[R10] gives what was kept before what was only said, and what was said where nothing else answers", async () => {
    const memory = await openTestMemory({ embedder: null });
    await memory.rememberMany(facts.map((content) => ({ type: "fact", content })));
    for (let session = 0; session < 12; session += 1) {
      const turns = talk.flatMap(([question, answer]) => [
        { role: "user" as const, content: `${question} (${session})` },
        { role: "assistant" as const, content: `${answer} (${session})` },
      ]);
      const conversation = memory.conversation(`s${session}`, { autoConsolidate: false });
      await conversation.append([
        ...turns,
        { role: "user", content: `The printer on floor ${session} is out of toner.` },
      ]);
    }

    const places = await Promise.all(
      asked.map(async ([question, fact]) =>
        (await memory.recall(question)).findIndex(({ memory: { content } }) => content === facts[fact]),
      ),
    );
    const [only] = await memory.recall("which printer is out of toner");

    expect(places).toEqual([0, 0, 0, 0, 0, 0]);
    expect(only?.memory).toMatchObject({ type: "conversation" });
  });

  it("[R10] gives a question that several sessions have asked once", async () => {
    const memory = await openTestMemory({ embedder: null });
    await memory.remember({ type: "gotcha", content: "Tests hang unless REDIS_URL is set" });
    for (const session of ["a", "b", "c"]) {
      await memory.conversation(session).append({ role: "user", content: "Why do the tests hang?" });
    }

    const [first, ...others] = await memory.recall("why do the tests hang", { limit: 5 });
    const turns = await memory.recall("why do the tests hang", { types: ["conversation"] });

    expect(first?.memory.type).toBe("gotcha");
    expect(others.map(({ memory: { content } }) => content)).toEqual(["Why do the tests hang?"]);
    expect(turns).toHaveLength(3);
  });
});
