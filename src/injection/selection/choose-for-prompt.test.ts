import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { askedAs } from "../../../test/support/injection-asked.js";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import type { MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { chooseForPrompt } from "./choose-for-prompt.js";
import type { SelectionOptions, Choice, Moment } from "../injection.js";

const webhooks = "Stripe webhooks arrive twice under load; handlers must check the event id first.";
const money = "Money is kept as integer cents with a currency code; floats are forbidden.";
const router = "Error TS2742, the inferred type cannot be named: export the type of the router explicitly.";
const session = "Whoever changes this must change the refresh of the mobile client too.";
const shop: MemoryInput[] = [
  { content: webhooks, type: "gotcha" },
  { content: money, type: "decision" },
  { content: router, type: "error_pattern", relatedFiles: ["src/api/router.ts"] },
  { content: session, type: "causal_dependency", relatedFiles: ["src/auth/session.ts"] },
  { content: "To add a settings page, create the route and write a test.", type: "workflow_recipe" },
  { content: "Stripe webhooks, said somebody.", type: "conversation", sessionId: "s0" },
];

describe("chooseForPrompt", () => {
  it.each([
    ["a memory that has its words", "the stripe webhook handler books payments twice", webhooks],
    ["a memory about a file that it names", "Look at src/auth/session.ts, please, and rotate it.", session],
    ["what explains an error in a long log", longLog(), router],
  ])("tells %s", async (_what, prompt, expected) => {
    const choices = await choose(await projectWith(...shop), { prompt });

    expect(choices.map(({ memory }) => memory.content)).toEqual([expected]);
    expect(choices[0]?.why).not.toBe("");
  });

  it.each([
    "write a test for the slug helper and create a page",
    "what is the difference between a mutex and a semaphore?",
    "continue",
    "yes",
    "ok go on",
    "stripe",
    "/stripe webhooks twice under load",
    "!grep -r webhooks stripe",
    "",
    "?!",
    "half \ud800 a \0 character",
  ])("tells nothing for %j", async (prompt) => {
    expect(await choose(await projectWith(...shop), { prompt })).toEqual([]);
  });

  it("tells nothing that was told, is not sure, waits or is unverified", async () => {
    const context = await projectWith({ content: "Perhaps stripe webhooks come thrice.", confidence: 0.4 });
    const [told] = await remember(context, [{ content: webhooks }]);
    await remember(context, [{ content: "Stripe webhooks, from the web." }], { doubts: ["It was read on the web."] });
    await remember(context, [{ content: "Stripe webhooks, unverified." }], { unverified: "No hooks run." });
    const prompt = "stripe webhooks arrive twice";

    expect(await choose(context, { prompt }, askedAs({ told: [told?.id ?? ""] }))).toEqual([]);
    expect(await choose(context, { prompt })).toHaveLength(1);
  });

  it("tells what is of a type that this process does not know", async () => {
    const context = await projectWith({ content: webhooks, type: "tdd_cycle" });

    expect(await choose(context, { prompt: "stripe webhooks arrive twice" })).toHaveLength(1);
  });

  it("is not crowded out by what may not be told, or is told to nobody", async () => {
    const prompt = "stripe webhooks arrive twice";
    const context = await projectWith({ content: `${webhooks} ${money.repeat(3)}`, type: "gotcha" });
    const others = Array.from({ length: 60 }, (_, n) => ({ content: `Stripe webhooks arrive twice, ${n}.` }));
    await remember(context, others, { unverified: "No hooks run." });
    await remember(
      context,
      others.slice(0, 24).map((one) => ({ ...one, type: "gotcha", scope: "session", sessionId: "s0" })),
    );
    await remember(
      context,
      others.map((one) => ({ ...one, type: "conversation", sessionId: "s0" })),
    );

    expect(await choose(context, { prompt })).toHaveLength(1);
  });

  it("goes by words where a model hangs, and takes a megabyte for a prompt", async () => {
    const context = await projectWith(...shop);
    const embedder = fakeEmbedder();
    embedder.hang();
    const embedding = async () => ({
      embedQuery: () => embedder.embed([""], { kind: "query" } as never) as never,
      listNearest: async () => [],
    });
    const asked = askedAs({ deadline: { left: () => 100 } });
    const prompt = `stripe webhooks twice ${"lorem ipsum dolor ".repeat(60_000)}`;

    const ports = { ...injectionPorts(context), recall: { embedding } };
    const moment = { point: "prompt" as const, sessionId: "s1" };
    const byWords = await chooseForPrompt(ports, { ...moment, prompt: "stripe webhooks twice" }, asked);
    const long = await choose(context, { prompt });

    expect(byWords.map(({ memory }) => memory.content)).toEqual([webhooks]);
    expect(long.length).toBeLessThanOrEqual(1);
  });
});

async function choose(
  context: MemoryContext,
  some: Partial<Extract<Moment, { point: "prompt" }>>,
  asked: SelectionOptions = askedAs(),
): Promise<Choice[]> {
  return chooseForPrompt(injectionPorts(context), { point: "prompt", sessionId: "s1", prompt: "", ...some }, asked);
}

async function projectWith(...inputs: MemoryInput[]): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(context, inputs);
  return context;
}

function longLog(): string {
  const lines = Array.from({ length: 40 }, (_, n) => `info transformed ${n} of 40 chunk-${n * 7}.js gzip ${n}.${n} kB`);
  const error =
    "src/api/main.ts(12,14): error TS2742: The inferred type of 'appRouter' cannot be named without a router.";
  return `The build says:\n${lines.join("\n")}\n${error}\nWhat is going on?`;
}
