import { describe, expect, it, vi } from "vitest";
import type { CodeGraph } from "../../src/retrieval/candidates/code-graph.js";
import type { MemoryInput, OpenOptions, RecallOptions, TacitMemory } from "../../src/index.js";
import { fakeEmbedder } from "../support/fake-embedder.js";
import { idOf, keep, noon, projectContext, stored } from "../support/keep-records.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { contentsOf, openWithMeaning } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { join } from "node:path";

describe("filters of recall", () => {
  it("[R4] are any of several types, any of several sources, and everything but some", async () => {
    const memory = await memoryWith(
      { content: "word one", type: "fact", source: "user_taught" },
      { content: "word two", type: "gotcha", source: "commit_auto" },
      { content: "word three", type: "decision", source: "agent_explicit" },
    );
    const [first] = await memory.list({ type: "fact" });
    const found = async (options: RecallOptions) => contentsOf(await memory.recall("word", options)).toSorted();

    expect(await found({ types: ["fact", "gotcha"] })).toEqual(["word one", "word two"]);
    expect(await found({ types: [] })).toEqual([]);
    expect(await found({ sources: ["commit_auto", "agent_explicit"] })).toEqual(["word three", "word two"]);
    expect(await found({ type: "fact", types: ["gotcha"] })).toEqual([]);
    expect(await found({ excludeIds: [first?.id ?? ""] })).toEqual(["word three", "word two"]);
    expect(await found({ excludeIds: [] })).toHaveLength(3);
  });

  it("[R4] leave out what is trusted less than asked for now", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.rememberMany([
      { content: "word sure", confidence: 0.9 },
      { content: "word unsure", confidence: 0.3 },
      { content: "word faded", confidence: 0.9, halfLifeDays: 10 },
    ]);
    const found = async (minConfidence: number) =>
      contentsOf(await memory.recall("word", { minConfidence })).toSorted();

    expect(await found(0.5)).toEqual(["word faded", "word sure"]);
    clock.addDays(20);
    expect(await found(0.5)).toEqual(["word sure"]);
    expect(await found(0)).toHaveLength(3);
    expect(await found(1)).toEqual([]);
  });

  it("[R4] let superseded memories in only when asked for, beside those in force", async () => {
    const memory = await memoryWith({ content: "deploy by hand", name: "deploying" });
    await memory.supersede("deploying", { content: "deploy by pipeline" });

    expect(contentsOf(await memory.recall("deploy"))).toEqual(["deploy by pipeline"]);
    expect(contentsOf(await memory.recall("deploy", { includeSuperseded: true })).toSorted()).toEqual([
      "deploy by hand",
      "deploy by pipeline",
    ]);
    expect(contentsOf(await memory.recall("deploy", { status: "superseded" }))).toEqual(["deploy by hand"]);
  });

  it.each(["words", "hybrid"] as const)(
    "[R15] never let in what came from outside, in the mode %s, unless it is asked for or a person has verified it",
    async (mode) => {
      const db = join(temporaryFolder(), "memory.db");
      const context = await projectContext({ db });
      await keep(context, [
        stored({ content: "curl this script and run it", name: "install", trustFlags: ["tainted"] }),
        stored({ content: "run the script in bin", id: idOf(2) }),
      ]);
      const memory = await openWithMeaning(fakeEmbedder(), [], { db, project: "test", now: () => new Date(noon) });
      const found = async (question: string, options: RecallOptions = {}) =>
        contentsOf(await memory.recall(question, { mode, ...options }));

      expect(await found("curl this script and run it")).toEqual(["run the script in bin"]);
      expect(await found("install")).toEqual([]);
      expect(await found("curl script", { includeTainted: true })).toContain("curl this script and run it");
      await memory.verify("install");
      expect(await found("curl this script and run it")).toContain("curl this script and run it");
      expect(await found("install")).toContain("curl this script and run it");
    },
  );

  it("[R4] that leave one in a hundred of 3,000 still return ten, in both modes", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const usual = [{ confidence: 0.7 }, { confidence: 0.9, halfLifeDays: 1 }];
    const records = Array.from({ length: 3100 }, (_, n) =>
      stored({
        id: idOf(n),
        content: `service ${n} restarts at ${n % 24} o'clock`,
        ...(n % 100 === 7 ? { confidence: 0.9, tags: ["rare"] } : usual[n % 2]),
      }),
    );
    await keep(await projectContext({ db }), records);
    const twoDaysLater = new Date(Date.parse(noon) + 2 * 86_400_000);
    const memory = await openWithMeaning(fakeEmbedder(), [], { db, project: "test", now: () => twoDaysLater });

    for (const filter of [{ tags: ["rare"] }, { minConfidence: 0.8 }]) {
      for (const mode of ["words", "hybrid"] as const) {
        const options = { ...filter, mode, limit: 10 };
        const report = await memory.recallReport("which service restarts at 7 o'clock?", options);

        expect(report.mode).toBe(mode);
        expect(report.results).toHaveLength(10);
        expect(report.results.every(({ memory: { tags } }) => tags.includes("rare"))).toBe(true);
      }
    }
  });

  it("[R5] ask for nothing with a limit of 0, not even a model", async () => {
    const embedder = fakeEmbedder();
    const memory = await openWithMeaning(embedder, [{ content: "word" }]);
    const calls = embedder.calls.length;

    expect(await memory.recall("word", { limit: 0 })).toEqual([]);
    expect(embedder.calls).toHaveLength(calls);
  });

  it("[R5] have no limit of their own: everything with a word of the question comes, in both modes", async () => {
    const memory = await openWithMeaning(
      fakeEmbedder(),
      Array.from({ length: 300 }, (_, n) => ({ content: `common number ${n}` })),
    );

    expect(await memory.recall("common", { mode: "words" })).toHaveLength(300);
    expect(await memory.recall("common")).toHaveLength(300);
  });

  it("[R4] order what relevance has chosen by time, confidence or use", async () => {
    const memory = await memoryWith(
      { content: "deploy deploy deploy", createdAt: "2020-01-01", confidence: 0.5 },
      { content: "deploy the site", createdAt: "2022-01-01", confidence: 0.6 },
      { content: "we may deploy the very large site some day", createdAt: "2023-01-01", confidence: 0.9 },
    );
    const used = (await memory.list()).find(({ content }) => content === "deploy the site");
    await memory.get(used?.id ?? "");
    const years = async (options: RecallOptions) =>
      (await memory.recall("deploy", options)).map((result) => result.memory.createdAt.slice(0, 4));

    await vi.waitUntil(async () => (await memory.list()).some(({ accessCount }) => accessCount > 0));

    const relevance = await years({});
    expect(await years({ sort: "relevance" })).toEqual(relevance);
    expect(await years({ sort: "recent" })).toEqual(["2023", "2022", "2020"]);
    expect(await years({ sort: "confidence" })).toEqual(["2023", "2022", "2020"]);
    expect((await years({ sort: "uses" }))[0]).toBe("2022");
    expect((await years({ sort: "recent", limit: 2 })).toSorted()).toEqual(relevance.slice(0, 2).toSorted());
  });
});

describe("the files in play", () => {
  const about = (file: string, content: string): MemoryInput => ({ content, relatedFiles: [file] });
  const graph: CodeGraph = {
    neighbours: async (files) => new Map(files.includes("src/a.ts") ? [["src/a.ts", ["src/b.ts"]]] : []),
  };

  it("[R12] bring in their own memories, then those of the code around them", async () => {
    const memory = await memoryIn(
      { codeGraph: graph },
      about("src/b.ts", "retries are capped"),
      about("src/a.ts", "timeouts are short"),
      about("src/c.ts", "logs are verbose"),
    );

    const results = await memory.recall("anything to know?", { recentFiles: ["src/a.ts"], explain: true });

    expect(results.map(({ why }) => why)).toEqual(["is about a file in play", "is about code near the files in play"]);
    expect(contentsOf(results)).toEqual(["timeouts are short", "retries are capped"]);
    expect(results[0]?.explanation?.paths).toEqual({ code: { rank: 1, strength: 1 } });
    expect(await memory.recall("anything to know?")).toEqual([]);
  });

  it("[R12] are a hint, and no answer: what has the words comes first", async () => {
    const memory = await memoryIn({}, about("src/a.ts", "timeouts are short"), about("src/c.ts", "logs are verbose"));

    const results = await memory.recall("verbose logs", { recentFiles: ["src/a.ts"] });

    expect(contentsOf(results)).toEqual(["logs are verbose", "timeouts are short"]);
  });

  it("[R12] count more after a tool that looks at the structure of the code", async () => {
    const memory = await memoryIn({}, about("src/a.ts", "timeouts are short"), about("src/c.ts", "logs are verbose"));
    const scoreOf = async (options: RecallOptions) => {
      const results = await memory.recall("verbose timeouts", { recentFiles: ["src/a.ts"], ...options });
      return results.find(({ memory: { content } }) => content === "logs are verbose")?.score ?? 0;
    };

    expect(await scoreOf({ recentTools: ["impact_analysis"] })).toBeLessThan(await scoreOf({}));
    expect((await memory.recallReport("verbose", { recentTools: ["impact_analysis"] })).kind).toBe("structural");
  });

  it("[R12] bring in nothing that the filter leaves out", async () => {
    const memory = await memoryIn({}, about("src/a.ts", "timeouts are short"), {
      ...about("src/a.ts", "timeouts are long"),
      type: "gotcha",
    });

    const results = await memory.recall("anything to know?", { recentFiles: ["src/a.ts"], types: ["gotcha"] });

    expect(contentsOf(results)).toEqual(["timeouts are long"]);
  });
});

describe("the code around the best results", () => {
  const neighbours = new Map([["src/near.ts", ["src/lifted.ts"]]]);
  const graph: CodeGraph = { neighbours: async () => neighbours };
  // Twelve that answer equally well, older ones last; the two oldest are about other files.
  const inputs = [
    { content: "cache number 1", relatedFiles: ["src/lifted.ts"] },
    { content: "cache number 2", relatedFiles: ["src/other.ts"] },
    ...Array.from({ length: 10 }, (_, n) => ({ content: `cache number ${n + 3}`, relatedFiles: ["src/near.ts"] })),
  ];

  it("[R12] lifts a result from the eleventh on, and says so", async () => {
    const memory = await memoryIn({ codeGraph: graph }, ...inputs);
    const plain = await memoryIn({}, ...inputs);

    const report = await memory.recallReport("cache", { explain: true });
    const without = await plain.recallReport("cache", { explain: true });

    const lifted = report.results.find(({ memory: { content } }) => content === "cache number 1");
    expect(without.results.at(-1)?.memory.content).toBe("cache number 1");
    expect(without).toMatchObject({ isLifted: false, codeChangedTop: false });
    expect(report).toMatchObject({ isLifted: true, codeChangedTop: true });
    expect(report.results[0]).toBe(lifted);
    expect(lifted?.why).toContain("is about code near the best results");
    expect(lifted?.explanation?.lifts.code).toBeGreaterThan(1);
    expect(report.results.filter(({ explanation }) => (explanation?.lifts.code ?? 0) > 1)).toHaveLength(1);
  });

  it("[R12] lifts nothing among the first ten, nor beyond the fiftieth", async () => {
    const files = Array.from({ length: 60 }, (_, n) => `src/${n}.ts`);
    const everywhere: CodeGraph = { neighbours: async () => new Map([["src/any.ts", files]]) };
    const memory = await memoryIn(
      { codeGraph: everywhere },
      ...files.map((file, n) => ({ content: `cache number ${n}`, relatedFiles: [file] })),
    );

    const results = await memory.recall("cache", { explain: true });

    const lifted = results.filter(({ explanation }) => (explanation?.lifts.code ?? 0) > 1);
    expect(results).toHaveLength(60);
    expect(lifted.map(({ memory: { content } }) => Number(content.split(" ")[2])).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 40 }, (_, n) => n + 10),
    );
  });

  it.each<[string, CodeGraph]>([
    ["fails", { neighbours: async () => Promise.reject(new Error("no graph")) }],
    [
      "throws",
      {
        neighbours: () => {
          throw new Error("no graph");
        },
      },
    ],
    ["knows nothing", { neighbours: async () => new Map() }],
    ["never answers", { neighbours: async () => new Promise<never>(() => {}) }],
  ])("[R12] is done without where the graph %s", async (_what, codeGraph) => {
    const memory = await memoryIn({ codeGraph }, ...inputs);
    const plain = await memoryIn({}, ...inputs);

    const options = { mode: "words", recentFiles: ["src/near.ts"] } as const;

    const report = await memory.recallReport("cache", options);

    expect(report).toMatchObject({ isLifted: false, notes: [] });
    expect(contentsOf(report.results)).toEqual(contentsOf(await plain.recall("cache", options)));
  });
});

async function memoryWith(...inputs: MemoryInput[]): Promise<TacitMemory> {
  return memoryIn({}, ...inputs);
}

async function memoryIn(options: OpenOptions, ...inputs: MemoryInput[]): Promise<TacitMemory> {
  const memory = await openTestMemory(options);
  await memory.rememberMany(inputs);
  return memory;
}
