import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeGraph, MemoryInput, RecallReport, RecallResult, TacitMemory } from "../../src/index.js";
import { commitFiles, gitRepository, writeFiles } from "../support/git-repository.js";
import { letTimePass } from "../support/let-time-pass.js";
import { openTestMemory } from "../support/open-memories.js";
import { contentsOf } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

const engine = {
  "src/engine.ts": 'import { spark } from "./spark.js";\nexport const run = () => spark();\n',
  "src/spark.ts": "export const spark = () => 1;\n",
  "src/panel.ts": 'import { run } from "./engine.js";\nexport const press = () => run();\n',
  "src/paint.ts": "export const colour = 'red';\n",
};
const about = (file: string, content: string): MemoryInput => ({ content, relatedFiles: [file] });

// As much as the code around may do, as an exponent of the doubt.
const maxLifted = (score: number) => 1 - (1 - score) ** 1.3;
const rounding = 1e-4;

describe("recall with an index of the code", () => {
  it("[G9] finds memories about what imports the file in play, and what it imports, without a word in common", async () => {
    const { memory } = await indexed(engine);
    await memory.rememberMany([
      about("src/panel.ts", "buttons bounce"),
      about("src/spark.ts", "voltage is doubled"),
      about("src/paint.ts", "red fades in the sun"),
      about("src/engine.ts", "warm it up first"),
    ]);

    const results = await memory.recall("anything to know?", { recentFiles: ["src/engine.ts"] });

    expect(results.map(({ memory: { content }, why }) => `${content}: ${why}`).toSorted()).toEqual([
      "buttons bounce: is about code near the files in play",
      "voltage is doubled: is about code near the files in play",
      "warm it up first: is about a file in play",
    ]);
    expect(results[0]?.memory.content).toBe("warm it up first");
    expect(await memory.recall("anything to know?")).toEqual([]);
  });

  it("[G9] finds them for a file in play that is named from anywhere", async () => {
    const { memory, root } = await indexed(engine);
    await memory.remember(about("src/panel.ts", "buttons bounce"));

    for (const file of ["./src/engine.ts", join(root, "src", "engine.ts")]) {
      expect(contentsOf(await memory.recall("anything to know?", { recentFiles: [file] }))).toEqual(["buttons bounce"]);
    }
  });

  it("[G9] lifts what is about a neighbour of the best results, by so much and no more, and says so", async () => {
    const { memory, plain } = await indexed(engine);
    await memory.rememberMany(crowd);

    const before = await plain.recallReport("cache", { explain: true });
    const after = await memory.recallReport("cache", { explain: true });

    const lifted = pick(after.results, "about the spark, a cache");
    const asBefore = pick(before.results, "about the spark, a cache");
    expect(before.isLifted).toBe(false);
    expect(before.results.indexOf(asBefore)).toBeGreaterThan(9);
    expect(after.results.indexOf(lifted)).toBeLessThan(before.results.indexOf(asBefore));
    expect(lifted.explanation?.lifts.code).toBeCloseTo(1.3, 6);
    expect(lifted.score).toBeCloseTo(maxLifted(asBefore.score), 3);
    expect(lifted.why).toContain("is about code near the best results");
    const others = after.results.filter((result) => result !== lifted);
    expect(others.map(({ score }) => score)).toEqual(
      before.results.filter((result) => result !== asBefore).map(({ score }) => score),
    );
  });

  it("[G9] lifts in proportion to how many of its files are near", async () => {
    const { memory } = await indexed(engine);
    await memory.rememberMany(crowd.map((one) => ({ ...one, relatedFiles: [...(one.relatedFiles ?? []), "a", "b"] })));

    const { results } = await memory.recallReport("cache", { explain: true });

    expect(pick(results, "about the spark, a cache").explanation?.lifts.code).toBeCloseTo(1.1, 6);
  });
});

describe("evidence", () => {
  const words = ["amber", "birch", "cedar", "delta", "ember", "fjord"];
  const files = Array.from({ length: 12 }, (_, n) => `src/f${n}.ts`);

  it("[G9] is outweighed by no graph, however dense", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ db, codeGraph: nothing });
    await memory.rememberMany(
      Array.from({ length: 64 }, (_, n) => ({
        content: `${words.filter((_word, bit) => (n >> bit) & 1).join(" ")} thing ${n}`,
        relatedFiles: files.filter((_file, bit) => (n * 2654435761) & (1 << (bit + 4))).slice(0, 3),
      })),
    );
    const graphs = fc.dictionary(fc.constantFrom(...files), fc.uniqueArray(fc.constantFrom(...files)), {
      minKeys: 1,
      noNullPrototype: true,
    });
    let lifts = 0;

    await fc.assert(
      fc.asyncProperty(graphs, fc.subarray(words, { minLength: 1 }), async (edges, asked) => {
        const codeGraph: CodeGraph = {
          neighbours: async (some) => new Map(some.flatMap((file) => (edges[file] ? [[file, edges[file]]] : []))),
        };
        const beside = await openTestMemory({ db, codeGraph });
        const question = `thing ${asked.join(" ")}`;
        const before = scoresOf(await memory.recall(question));
        const found = await beside.recallReport(question);
        await beside.close();
        const after = scoresOf(found.results);
        lifts += Number(found.isLifted);

        expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
        for (const [id, score] of after) {
          const was = before.get(id) ?? 0;
          expect(score).toBeGreaterThanOrEqual(was);
          expect(score).toBeLessThanOrEqual(maxLifted(was) + rounding);
        }
        const order = [...after.keys()];
        for (const [at, id] of order.entries()) {
          const reach = maxLifted(before.get(id) ?? 0) + rounding;
          for (const stronger of order.slice(at + 1)) expect(before.get(stronger)).toBeLessThanOrEqual(reach);
        }
      }),
      { numRuns: 40 },
    );

    expect(lifts).toBeGreaterThan(10);
  });

  it("[G9] of every word is outweighed by no file in play, nor by any number of files around it", async () => {
    const around = Array.from({ length: 30 }, (_, n) => `src/near-${n}.ts`);
    const codeGraph: CodeGraph = { neighbours: async () => new Map([["src/hub.ts", around]]) };
    const memory = await openTestMemory({ codeGraph });
    await memory.rememberMany([
      { content: "the amber valve opens at dawn" },
      ...around.map((file, n) => about(file, `nothing of it ${n}`)),
      about("src/hub.ts", "nothing of it at all"),
    ]);

    const [first] = await memory.recall("when does the amber valve open?", { recentFiles: ["src/hub.ts"] });

    expect(first?.memory.content).toBe("the amber valve opens at dawn");
  });
});

describe("recall without an index, or with one that is of no use", () => {
  it("[G9] is exactly as it was, where there is none", async () => {
    const { memory, plain } = await opened(engine);
    await memory.rememberMany(crowd);
    const options = { recentFiles: ["src/engine.ts"], explain: true };

    expect(answerOf(await memory.recallReport("cache", options))).toEqual(
      answerOf(await plain.recallReport("cache", options)),
    );
  });

  it("[G9] is exactly as it was, where the index cannot be read", async () => {
    const { memory, plain, db } = await indexed(engine);
    await memory.rememberMany(crowd);
    await askDatabase(db, "DROP TABLE code_companions");
    const options = { recentFiles: ["src/engine.ts"], explain: true };

    const report = await memory.recallReport("cache", options);

    expect(report.isLifted).toBe(false);
    expect(answerOf(report)).toEqual(answerOf(await plain.recallReport("cache", options)));
  });

  it("[G9] does not wait for a graph that is slow, nor for one that never answers", async () => {
    const { plain, db, root } = await opened(engine);
    await plain.rememberMany(crowd);
    const never: CodeGraph = { neighbours: async () => new Promise<never>(() => {}) };
    const memory = await openTestMemory({ db, directory: root, codeGraph: never });
    const options = { recentFiles: ["src/engine.ts"], explain: true };
    const without = await plain.recallReport("cache", options);

    const begun = performance.now();
    const report = await memory.recallReport("cache", options);

    expect(answerOf(report)).toEqual(answerOf(without));
    // Twice it asks what is around, 200 ms each; the rest is for a machine that has other things to do.
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  it("[G9] asks an index that is behind, and does not bring it up to date first", async () => {
    const { memory, root } = await indexed(engine);
    await memory.remember(about("src/panel.ts", "buttons bounce"));
    const before = await memory.code.state();
    writeFiles(root, Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`src/new-${n}.ts`, "export {};\n"])));
    letTimePass(1100);

    const found = await memory.recall("anything to know?", { recentFiles: ["src/engine.ts"] });

    expect(contentsOf(found)).toEqual(["buttons bounce"]);
    expect(await memory.code.state()).toEqual(before);
  });
});

const nothing: CodeGraph = { neighbours: async () => new Map() };

/** Ten that answer best are about the engine; one of the others is about what it imports. */
const crowd: MemoryInput[] = [
  about("src/spark.ts", "about the spark, a cache"),
  about("src/paint.ts", "about the paint, a cache"),
  ...Array.from({ length: 10 }, (_, n) => about("src/engine.ts", `cache ${n}`)),
];

/** An index of these files, and beside it the same memories without one. */
async function indexed(files: Record<string, string>) {
  const all = await opened(files);
  await all.memory.index();
  return all;
}

async function opened(
  files: Record<string, string>,
): Promise<{ root: string; db: string; memory: TacitMemory; plain: TacitMemory }> {
  const root = gitRepository();
  commitFiles(root, files);
  const db = join(temporaryFolder(), "memory.db");
  const memory = await openTestMemory({ db, directory: root });
  return { root, db, memory, plain: await openTestMemory({ db, directory: root, codeGraph: nothing }) };
}

/** All of an answer but how often its memories were found before. */
function answerOf({ results, ...report }: RecallReport) {
  return { ...report, results: results.map(({ memory, ...result }) => ({ ...result, id: memory.id })) };
}

function scoresOf(results: RecallResult[]): Map<string, number> {
  return new Map(results.map(({ memory, score }) => [memory.id, score]));
}

function pick(results: RecallResult[], content: string): RecallResult {
  const found = results.find((result) => result.memory.content === content);
  if (!found) throw new Error(`${content} was not found`);
  return found;
}
