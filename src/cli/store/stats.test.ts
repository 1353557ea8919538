import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import type { Stats, TacitMemory } from "../../index.js";
import { addStats } from "./stats.js";

const now = new Date("2026-03-10T12:00:00Z");

describe("tacit stats", () => {
  it("reads well where nothing was kept and nothing asked", async () => {
    const { answer } = await runLine(await openTestMemory(), addStats, ["stats"]);

    expect(textOf(answer).split("\n")).toEqual([
      "Vectors of the whole store",
      "model    none has been used yet",
      "vectors  none; there are no memories yet",
      "meaning  not yet",
      "",
      "Questions in this project, 30 days",
      "none yet",
      "",
      "Told to agents in this project, 30 days",
      "none yet",
      "",
      "Language models, 30 days",
      "none yet",
    ]);
    expect(answer.document).toMatchObject({
      recalls: [],
      modelCalls: [],
      totals: { recalls: { questions: 0 }, modelCalls: { calls: 0 } },
    });
  });

  it("adds up the last days by mode, and by model and purpose, and all days in the last line", async () => {
    const text = await render({
      recalls: [
        { day: "2026-03-10", mode: "hybrid", questions: 3, unanswered: 1, lifted: 2, topChanged: 1 },
        { day: "2026-03-01", mode: "hybrid", questions: 1200, unanswered: 0, lifted: 0, topChanged: 0 },
        { day: "2026-03-01", mode: "words", questions: 2, unanswered: 0, lifted: 0, topChanged: 0 },
        { day: "2026-01-01", mode: "words", questions: 5, unanswered: 5, lifted: 0, topChanged: 0 },
      ],
      modelCalls: [
        call({ day: "2026-03-10", calls: 2, failures: 1, inputTokens: 1500, outputTokens: 100 }),
        call({ day: "2026-03-09", calls: 1, inputTokens: 500, outputTokens: 50 }),
        call({ day: "2026-03-09", purpose: "graph", calls: 1, inputTokens: 1, outputTokens: 1 }),
        call({ day: "2025-03-09", calls: 10, inputTokens: 1000, outputTokens: 1000 }),
      ],
      totals: {
        recalls: { questions: 1210, unanswered: 6, lifted: 2, topChanged: 1 },
        modelCalls: { calls: 14, failures: 1, inputTokens: 3001, outputTokens: 1151 },
      },
    });

    expect(text).toContain(`
hybrid  1,203 asked, 1 without an answer; the code around lifted results of 2, and changed the first eight of 1
words   2 asked
ever    1,210 asked, 6 without an answer; the code around lifted results of 2, and changed the first eight of 1
`);
    expect(text).toContain(`
ollama:qwen3 for hyde   3 calls, 1 failed; 2,000 tokens in, 150 out
ollama:qwen3 for graph  1 call; 1 token in, 1 out
ever                    14 calls, 1 failed; 3,001 tokens in, 1,151 out`);
  });

  it("draws what agents were told, day by day and session by session", async () => {
    const injections = told({
      byDay: [
        { day: "2026-01-01", point: "prompt", ...figures({ tokens: 9000 }) },
        { day: "2026-03-08", point: "prompt", ...figures({ tokens: 100 }) },
        { day: "2026-03-10", point: "file-read", ...figures({ tokens: 500, used: 1 }) },
        { day: "2026-03-10", point: "step", ...figures({ tokens: 300 }) },
      ],
      bySession: [
        {
          sessionId: "s-1a2b3c4d",
          lastAt: "2026-03-10T10:00:00Z",
          ...figures({ tokens: 800, used: 1, savedTokens: 1200 }),
        },
        { sessionId: "x\u001B[2J", lastAt: "2026-03-08T10:00:00Z", ...figures({ tokens: 100 }) },
      ],
      totals: {
        sessions: 3,
        injections: 4,
        memories: 4,
        differentMemories: 4,
        files: 0,
        tokens: 9900,
        cited: 1,
        followed: 2,
        savedTokens: 1200,
      },
    });

    const text = await render({ injections });

    expect(text).toContain(`
Told to agents in this project, 30 days
tokens  ···························▁·█  at most 800 a day
used    ·····························█  at most 1 a day
        2026-02-09          2026-03-10

1a2b3c4d  ████████████████  800 tokens  1 memory, 1 used, about 1,200 tokens saved · 2 hours ago
x␛[2J     ██                100 tokens  1 memory, 0 used · 2 days ago

ever    4 memories told in 3 sessions, 9,900 tokens; 3 used (1 cited, 2 followed), about 1,200 tokens saved
Saved: `);
    const narrow = (await render({ injections }, 40)).split("\n");
    expect(narrow).toContain("tokens  ···························▁·█");
    expect(narrow.filter((line) => line.length > 40 && !line.startsWith("x"))).toEqual([]);
  });

  it("says so where the last days were quiet", async () => {
    const text = await render({
      injections: told({
        bySession: [{ sessionId: "s1", lastAt: "2025-03-10T10:00:00Z", ...figures({ tokens: 100 }) }],
        totals: {
          sessions: 1,
          injections: 1,
          memories: 1,
          differentMemories: 1,
          files: 0,
          tokens: 100,
          cited: 0,
          followed: 0,
          savedTokens: 0,
        },
      }),
    });

    expect(text).toContain("nothing in the last 30 days\n\ns1  ");
    expect(text).toContain("\never    1 memory told in 1 session, 100 tokens; none used as far as seen\n");
  });

  it("does not let the name of a model speak to the terminal", async () => {
    const text = await render({ modelCalls: [call({ model: "\u001B[2J", calls: 1 })] });

    expect(text).not.toContain("\u001B");
  });
});

function call(fields: Partial<Stats["modelCalls"][number]>): Stats["modelCalls"][number] {
  const none = { calls: 0, failures: 0, inputTokens: 0, outputTokens: 0 };
  return { day: "2026-03-10", model: "ollama:qwen3", purpose: "hyde", ...none, ...fields };
}

type Injections = Stats["injections"];

function told(fields: Partial<Injections>): Injections {
  const totals = {
    sessions: 0,
    injections: 0,
    memories: 0,
    differentMemories: 0,
    files: 0,
    tokens: 0,
    cited: 0,
    followed: 0,
    savedTokens: 0,
  };
  return { byDay: [], bySession: [], totals, ...fields };
}

function figures(fields: Partial<Injections["byDay"][number]>) {
  return { injections: 1, memories: 1, tokens: 0, used: 0, savedTokens: 0, ...fields };
}

async function render(fields: Partial<Stats>, columns = 0): Promise<string> {
  const stats: Stats = {
    embedding: { ready: false, embedded: 0, pending: 0 },
    recalls: [],
    modelCalls: [],
    injections: told({}),
    totals: {
      recalls: { questions: 1, unanswered: 0, lifted: 0, topChanged: 0 },
      modelCalls: { calls: 1, failures: 0, inputTokens: 0, outputTokens: 0 },
    },
    ...fields,
  };
  const memory = { stats: async () => stats } as TacitMemory;
  return textOf((await runLine(memory, addStats, ["stats"])).answer, { now, columns });
}
