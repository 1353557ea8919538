import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { askedAs } from "../../../test/support/injection-asked.js";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import type { MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { SelectionOptions, Moment } from "../injection.js";
import { alternativesOf } from "./find-answer.js";
import { decideStep } from "./decide-step.js";

const file = "src/pdf/render.ts";
const trap = { content: "It leaks a process.", type: "gotcha", relatedFiles: [file] };

describe("a warning between two steps", () => {
  it("comes for a file that was just touched", async () => {
    const context = await projectWith(trap);

    expect(await decide(context, { touched: ["src/a.ts", file] })).toEqual({
      trigger: "warning",
      told: ["It leaks a process."],
    });
  });

  it("does not come for other files, other types, what is not sure enough, or what was told", async () => {
    const context = await projectWith(
      { ...trap, content: "Less sure.", confidence: 0.6 },
      { ...trap, content: "Coupled.", type: "causal_dependency" },
    );
    const [told] = await remember(context, [trap]);

    expect(await decide(context, { touched: [file] }, askedAs({ told: [told?.id ?? ""] }))).toBeUndefined();
    expect(await decide(context, { touched: ["src/a.ts"] })).toBeUndefined();
  });
});

describe("what a session has recorded", () => {
  it("comes back in it", async () => {
    const context = await projectWith({ content: "The flag is off.", sessionId: "s1" });

    expect(await decide(context, {})).toEqual({ trigger: "recorded", told: ["The flag is off."] });
  });

  it("does not come twice, nor in another session, nor what was only inferred, said in talk or is unverified", async () => {
    const context = await projectWith(
      { content: "Of another.", sessionId: "s2" },
      { content: "Inferred.", sessionId: "s1", source: "observer_inferred" },
      { content: "hello", sessionId: "s1", type: "conversation" },
    );
    const [told] = await remember(context, [{ content: "Told.", sessionId: "s1" }]);
    await remember(context, [{ content: "Nobody vouches.", sessionId: "s1" }], { unverified: "No hooks run." });

    expect(await decide(context, {}, askedAs({ told: [told?.id ?? ""] }))).toBeUndefined();
  });
});

describe("the answer to a search", () => {
  const insight: MemoryInput = { content: "`OrderBook` is in `src/trade/ledger.ts`.", type: "module_insight" };

  it.each([
    ["a name", "OrderBook"],
    ["a pattern", String.raw`class\s+OrderBook\b|price_feed`],
    ["the third to last search", "OrderBook", "zebra", "giraffe"],
    ["words", "leaks process"],
  ])("comes for %s", async (_what, ...searches) => {
    const context = await projectWith(insight, trap, { content: "Orders are sorted by price." });

    const decided = await decide(context, { searches });

    expect(decided).toMatchObject({ trigger: "answered-search", told: [expect.any(String)] });
  });

  it("comes for a plain word only where the observer knows what it was looked for", async () => {
    const known = { ...insight, content: "`ledger` is in `src/trade/x.ts`.", data: { lookedFor: "ledger" } };

    expect(await decide(await projectWith(known), { searches: ["ledger"] })).toMatchObject({
      trigger: "answered-search",
    });
    expect(
      await decide(await projectWith({ content: "The ledger is old." }), { searches: ["ledger"] }),
    ).toBeUndefined();
  });

  it.each([
    ["other words", "PriceFeed"],
    ["only some of its words", "OrderBook snapshot"],
    ["words that say nothing", "function test file"],
    ["a pattern of signs", String.raw`^\s*\w+\(.*\)$`],
    ["files by their ending", "**/*.test.ts"],
    ["the fourth to last search", "OrderBook", "lion", "zebra", "giraffe"],
    ["nothing", ""],
  ])("does not come for %s", async (_what, ...searches) => {
    const context = await projectWith(insight, trap, { content: "A test of the function is in each file." });

    expect(await decide(context, { searches })).toBeUndefined();
  });

  it("reads a pattern as the words it looks for", () => {
    expect(alternativesOf(String.raw`class\s+Foo(?:Bar|Baz)\b`)).toEqual(["FooBar", "FooBaz"]);
    expect(alternativesOf(String.raw`(get|set)_invoice\(`)).toEqual(["get_invoice", "set_invoice"]);
    expect(alternativesOf(String.raw`ledger\|^export const (price|feed)[A-Z]{2,3}`)).toEqual([
      "ledger",
      "price",
      "feed",
    ]);
    expect(alternativesOf("src/**/ledger-*.{ts,tsx}")).toEqual(["src ledger ts tsx"]);
    expect(alternativesOf("(".repeat(10_000))).toEqual([]);
  });
});

describe("a step", () => {
  it("is told nothing before the fifth", async () => {
    const context = await projectWith(trap);
    const early = { ...askedAs().soFar, steps: 4 };

    expect(await decide(context, { touched: [file], step: 4 })).toBeUndefined();
    expect(await decide(context, { touched: [file], step: 5 })).toBeDefined();
    expect(await decide(context, { touched: [file] }, askedAs({ soFar: early }))).toBeUndefined();
  });

  it("is told of one trigger, the warning first, and of none when the time is over", async () => {
    const context = await projectWith(trap, { content: "OrderBook moved.", sessionId: "s1" });
    const moment = { touched: [file], searches: ["OrderBook"] };

    expect(await decide(context, moment)).toMatchObject({ trigger: "warning" });
    expect(await decide(context, moment, askedAs({ deadline: { left: () => 0 } }))).toBe("late");
  });

  it("is late where the time is over before its last search was looked for", async () => {
    const context = await projectWith({ content: "`OrderBook` is in `src/trade/ledger.ts`.", type: "module_insight" });
    const left = [1, 1, 1, 0];
    const deadline = { left: () => left.shift() ?? 0 };

    expect(await decide(context, { searches: ["OrderBook"] }, askedAs({ deadline }))).toBe("late");
    expect(await decide(context, { searches: ["PriceFeed"] })).toBeUndefined();
  });
});

async function decide(
  context: MemoryContext,
  some: Partial<Extract<Moment, { point: "step" }>>,
  asked: SelectionOptions = askedAs(),
): Promise<{ trigger: string; told: string[] } | "late" | undefined> {
  const found = await decideStep(injectionPorts(context), { point: "step", sessionId: "s1", ...some }, asked);
  if (found === undefined || found === "late") return found;
  return { trigger: found.trigger, told: found.choices.map(({ memory }) => memory.content) };
}

async function projectWith(...inputs: MemoryInput[]): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(context, inputs);
  return context;
}
