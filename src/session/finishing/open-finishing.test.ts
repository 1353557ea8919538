import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commitFiles } from "../../../test/support/git-repository.js";
import { toldProject } from "../../../test/support/told-project.js";
import { toldSession } from "../../../test/support/told-session.js";
import { observeOnce } from "../../hook/observe-once.js";
import type { LanguageModel } from "../../index.js";

it("[O19] a session that goes on and ends while it is learned from is learned from again", async () => {
  const { open } = await toldProject();
  const model = slowModel();
  const memory = await open({ languageModel: model });

  for (const event of corrects("first").events) memory.observe(event);
  const first = memory.finishSession("s1");
  await model.isAsked;
  for (const event of corrects("second").events) memory.observe(event);
  const second = memory.finishSession("s1");
  model.answer();
  const learned = (await Promise.all([first, second])).map((report) => report?.learned ?? []);

  expect(learned.map((all) => all.map(({ content }) => /`(\w+)`/.exec(content)?.[1]))).toEqual([["first"], ["second"]]);
  expect(spools()).toEqual([]);
});

it("[O19] what a session does while it is learned from begins another part, and takes no end away", async () => {
  const { open, root } = await toldProject();
  const commit = commitFiles(root, {});
  const model = slowModel();
  const memory = await open({ languageModel: model });

  for (const event of corrects("first").events) memory.observe(event);
  const first = memory.finishSession("s1");
  await model.isAsked;
  for (const event of toldSession("s1").prompts("Go on.").reads("src/cart.ts").events) memory.observe(event);
  await memory.sessionSummary("s1");
  const notes = spools()
    .filter((name) => !name.includes("."))
    .map((name) =>
      readFileSync(join(home(), "sessions", name, "main.jsonl"), "utf8")
        .split("\n")
        .slice(1, 3),
    );
  model.answer();

  expect(notes).toEqual([
    [expect.stringContaining(`"commit":"${commit}"`), expect.stringContaining('"kind":"prompt"')],
  ]);
  expect((await first)?.session).toMatchObject({ outcome: "success", toolCalls: 1 });
  expect((await memory.finishSession("s1"))?.session).toMatchObject({ toolCalls: 1 });
  expect((await memory.sessions()).map(({ toolCalls }) => toolCalls)).toEqual([2]);
});

it("[O19] a session that begins has those learned from that are over, though nobody asks for anything", async () => {
  const { memory, root, db } = await toldProject();
  await observeOnce(corrects("first").events, { db, directory: root });

  for (const event of toldSession("s2").starts().events) memory.observe(event);

  await expect.poll(async () => (await memory.sessions()).length, { timeout: 20_000 }).toBe(1);
});

/** A session that learns one thing. */
function corrects(name: string) {
  const session = toldSession("s1").starts().reads("src/tax.ts");
  return session.says(`I was wrong about \`${name}\`. The limit of \`${name}\` is given in seconds.`).ends("success");
}

/** A model that words nothing, and not before it is told to. A session is claimed when it is asked. */
function slowModel(): LanguageModel & { isAsked: Promise<void>; answer: () => void } {
  let [asked, answer] = [() => {}, () => {}];
  const isAsked = new Promise<void>((done) => (asked = done));
  const isAnswered = new Promise<void>((done) => (answer = done));
  return {
    modelId: "fake:slow",
    lastProblem: undefined,
    isAsked,
    answer: () => answer(),
    generate: async () => {
      asked();
      await isAnswered;
      return "";
    },
  };
}

function home(): string {
  return process.env["TACIT_HOME"] as string;
}

function spools(): string[] {
  return readdirSync(join(home(), "sessions"));
}
