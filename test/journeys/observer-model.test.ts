import { describe, expect, it } from "vitest";
import type { LanguageModel, Memory } from "../../src/index.js";
import { toldSession, type ToldSession } from "../support/told-session.js";
import { watchedProject } from "../support/watched-project.js";

const draft = "The limit of `field` is 64 KB, not 64 MB. It came up in `src/cart.ts`.";

describe("a language model", () => {
  it("[O15] words everything that a session led to in one call, from the drafts alone", async () => {
    const worded = "In `src/cart.ts` the limit of `field` is 64 KB and not 64 MB.";
    const model = fakeModel(({ prompt }) => {
      const [, list = "[]"] = /(\[\{.*\])/s.exec(prompt) ?? [];
      const drafts = JSON.parse(list) as { n: number; draft: string }[];
      const mine = drafts.find(({ draft: text }) => text === draft)?.n;
      return `Here you are:\n\`\`\`json\n${JSON.stringify([{ n: mine, content: worded }])}\n\`\`\``;
    });
    const session = corrects(corrects(toldSession("s1").starts()), "`other`").qa(false, [
      { title: "An empty basket must be refused", file: "src/cart.ts" },
    ]);

    const project = watchedProject();
    const { learned } = await project.learn(session.qa(true).ends(), { languageModel: model });

    expect(model.requests).toHaveLength(1);
    expect(model.requests[0]?.purpose).toBe("word");
    expect(learned.map(({ content }) => content)).toContain(worded);
    expect(learned.map(({ content }) => content)).toContain(draft.replace("`field`", "`other`"));
    expect(learned).toHaveLength(3);
    const memory = await project.open();
    const found = (await memory.recall("limit of field")).map(({ memory: one }) => one);
    const mine = found.find(({ content }) => content === worded);
    expect(mine).toMatchObject({ type: "gotcha", data: { actual: expect.stringContaining("64 KB") as string } });
    expect(await memory.review.evidence(mine?.id ?? "")).toMatchObject([{ signal: "self-correction" }]);
  });

  const replies: [string, string | undefined][] = [
    ["names another file", "In `src/tax.ts` the limit of `field` is 64 KB and not 64 MB."],
    ["adds a file", "In `src/cart.ts` and `src/tax.ts` the limit of `field` is 64 KB and not 64 MB."],
    ["leaves one out", "The limit of the field is 64 KB and not 64 MB."],
    ["says another number", "In `src/cart.ts` the limit of `field` is 65 KB and not 64 MB."],
    ["takes a denial away", "In `src/cart.ts` the limit of `field` is 64 KB instead of 64 MB."],
    ["brings an address", "In `src/cart.ts` the limit of `field` is 64 KB and not 64 MB, see https://example.com/a."],
    [
      "speaks of something else",
      "In `src/cart.ts` do not keep `field`; 64 users were told that 64 passwords leaked yesterday.",
    ],
    ["is too long", `In \`src/cart.ts\` the limit of \`field\` is 64 KB and not 64 MB. ${"It is so. ".repeat(80)}`],
    ["is empty", ""],
  ];

  it.each(replies)("[O15] that %s is not believed", async (_, content) => {
    const model = fakeModel(() => JSON.stringify([{ n: 1, content }]));

    expect(await learnWith(model)).toBe(draft);
    expect(model.requests).toHaveLength(1);
  });

  it.each<[string, () => string | undefined]>([
    ["answers with no list", () => "I cannot do that."],
    ["answers with half a list", () => '[{"n": 1, "content": "In `src/cart.ts` the limit'],
    ["answers with other types", () => '[null, 1, {"n": "1", "content": 5}, {"n": 2, "content": "x"}]'],
    ["has no answer", () => undefined],
    [
      "throws",
      () => {
        throw new Error("The model is down.");
      },
    ],
  ])("[O15] that %s costs nothing but its words", async (_, reply) => {
    expect(await learnWith(fakeModel(reply))).toBe(draft);
  });

  it("[O15] is not shown what came from outside, and asked nothing where there is nothing else", async () => {
    const model = fakeModel(() =>
      JSON.stringify([0, 1, 2].map((n) => ({ n, content: draft.replace("It came up", "It was") }))),
    );
    // What an agent does just after it says something may be what it speaks of.
    const session = corrects(toldSession("s1").starts()).runs("ls src").runs("ls test").runs("git status --short");
    session.uses("WebFetch", { url: "https://example.com/a" }, "A page.");

    const { learned, waiting } = await watchedProject().learn(corrects(session, "`hostile`").ends(), {
      languageModel: model,
    });
    const outside = toldSession("s2").starts().uses("WebFetch", { url: "https://example.com/a" }, "A page.");
    await watchedProject().learn(corrects(outside, "`hostile`").ends(), { languageModel: model });

    expect([learned.length, waiting.length]).toEqual([1, 1]);
    expect(waiting[0]?.content).toContain("`hostile`");
    expect(model.requests).toHaveLength(1);
    expect(JSON.stringify(model.requests)).not.toContain("hostile");
  });

  it("[O15] is not asked by a process that somebody waits for", async () => {
    const model = fakeModel(() => "[]");
    const memory = await watchedProject().open({ languageModel: model });
    for (const event of corrects(toldSession("s1").starts()).events) memory.observe(event);

    const report = await memory.finishSession("s1", { isQuick: true });

    expect(report?.learned.map(({ content }) => content)).toEqual([draft]);
    expect(model.requests).toEqual([]);
  });

  it("[O15] whose words were refused for ever does not bring it back in others", async () => {
    const project = watchedProject();
    const model = fakeModel(() =>
      JSON.stringify([{ n: 1, content: "In `src/cart.ts` the limit of `field` is 64 KB and not 64 MB." }]),
    );
    const outside = toldSession("s1").starts().uses("WebFetch", { url: "https://example.com/a" }, "A page.");
    const [one] = (await project.learn(corrects(outside).ends())).waiting as [Memory];
    await (await project.open()).review.reject(one.id, { forever: true });

    const { learned } = await project.learn(corrects(toldSession("s2").starts()).ends(), { languageModel: model });

    expect(learned).toEqual([]);
  });
});

interface FakeModel extends LanguageModel {
  readonly requests: Parameters<LanguageModel["generate"]>[0][];
}

function fakeModel(reply: (request: Parameters<LanguageModel["generate"]>[0]) => string | undefined): FakeModel {
  const requests: FakeModel["requests"] = [];
  return {
    modelId: "fake:model",
    lastProblem: undefined,
    requests,
    async generate(request) {
      requests.push(request);
      return reply(request);
    },
  };
}

/** What a session with one correction leads to. */
async function learnWith(languageModel: LanguageModel): Promise<string | undefined> {
  const { learned } = await watchedProject().learn(corrects(toldSession("s1").starts()).ends(), { languageModel });
  return learned[0]?.content;
}

function corrects(session: ToldSession, name = "`field`"): ToldSession {
  return session
    .reads("src/cart.ts")
    .says(`Correction: the limit of ${name} is 64 KB, not 64 MB.`)
    .edits("src/cart.ts", "64", `64 * 1024 // ${name}`);
}
