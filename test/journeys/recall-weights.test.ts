import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { MemoryInput, OpenOptions, RecallOptions, RecallResult, TacitMemory } from "../../src/index.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { contentsOf } from "../support/open-with-meaning.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("what weighs for or against a memory", () => {
  it("[R16] is what the agent is doing: some types count more in some phases", async () => {
    const memory = await memoryWith(
      {},
      { content: "cache warms slowly", type: "gotcha" },
      { content: "cache cools slowly", type: "module_insight" },
    );
    const first = async (options: RecallOptions) =>
      (await memory.recall("cache slowly", options)).map((result) => result.memory.type)[0];

    expect(await first({ phase: "implement" })).toBe("gotcha");
    expect(await first({ phase: "explore" })).toBe("module_insight");
  });

  it("[R16] is who said it: taught before said, before found by checks, before noticed, before inferred", async () => {
    const sources = [
      "user_taught",
      "agent_explicit",
      "qa_auto",
      "commit_auto",
      "mcp_auto",
      "observer_inferred",
    ] as const;
    const memory = await memoryWith({}, ...sources.map((source) => ({ content: `cache of ${source}`, source })));

    const results = await memory.recall("cache", { explain: true });

    const trust = results.map(({ explanation }) => explanation?.weights.trust ?? 0);
    // Those that are trusted alike come newest first.
    expect(results.map((result) => result.memory.source)).toEqual([
      "user_taught",
      "agent_explicit",
      "qa_auto",
      "mcp_auto",
      "commit_auto",
      "observer_inferred",
    ]);
    expect(trust[1]).toBe(1);
    expect(trust).toEqual(trust.toSorted((a, b) => b - a));
    expect(new Set(trust).size).toBe(5);
  });

  it("[R16] is how sure it was said, and what time has left of that", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await memoryWith(
      { now: clock.now },
      { content: "cache fades", halfLifeDays: 30 },
      { content: "cache stays", halfLifeDays: 30, pinned: true },
      { content: "cache doubts", confidence: 0.2 },
    );
    const scores = async () => scoresByContent(await memory.recall("cache"));

    const fresh = await scores();
    clock.addDays(60);
    const later = await scores();

    expect(fresh["cache fades"]).toBe(fresh["cache stays"]);
    expect(fresh["cache doubts"]).toBeLessThan(fresh["cache stays"] ?? 0);
    expect(later["cache fades"]).toBeLessThan(later["cache stays"] ?? 0);
  });

  it("[R16] is never so much that a memory which hardly answers comes before one which does", async () => {
    const memory = await memoryWith(
      {},
      { content: "the cache of the build is warm", source: "observer_inferred", confidence: 0.3 },
      { content: "the garden is warm", source: "user_taught", confidence: 1, type: "gotcha" },
    );

    const results = await memory.recall("is the build cache warm?", { phase: "implement" });

    expect(contentsOf(results)).toEqual(["the cache of the build is warm", "the garden is warm"]);
  });

  it("[R16] [X1] is not how often it was found", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const now = () => new Date("2026-01-01T12:00:00Z");
    const before = await memoryWith({ db, now }, { content: "cache often", name: "often" }, { content: "cache never" });
    const fresh = await before.recall("cache", { limit: 2 });
    for (let n = 0; n < 40; n += 1) await before.get("often");
    await before.close();

    const memory = await openTestMemory({ db, now });
    const used = await memory.recall("cache", { limit: 2 });

    expect((await memory.get("often"))?.accessCount).toBeGreaterThanOrEqual(40);
    expect((await memory.get("often"))?.confidence).toBe(0.95);
    expect(scoresByContent(used)).toEqual(scoresByContent(fresh));
    expect(contentsOf(used)).toEqual(["cache never", "cache often"]);
  });
});

describe("what the files say about a memory", () => {
  it("[R16] lowers and marks what they have left behind since its commit", async () => {
    const root = repository();
    const first = commit(root, { "src/moving.ts": "0", "src/still.ts": "0" });
    const memory = await memoryWith(
      { directory: root },
      { content: "cache of the moving part", relatedFiles: ["src/moving.ts"], commit: first },
      { content: "cache of the still part", relatedFiles: ["src/still.ts"], commit: first },
    );
    for (const text of ["1", "2", "3"]) commit(root, { "src/moving.ts": text });

    // Git may answer too late for the first question.
    const results = await vi.waitUntil(async () => {
      const found = await memory.recall("cache part", { explain: true });
      return found.some(({ explanation }) => explanation?.marks.length) && found;
    }, 20_000);

    const [still, moving] = results;
    expect(contentsOf(results)).toEqual(["cache of the still part", "cache of the moving part"]);
    expect(moving?.explanation?.marks).toEqual(["src/moving.ts changed in 3 commits since this was written"]);
    expect(moving?.explanation?.weights.staleness).toBeLessThan(1);
    expect(moving?.score).toBeLessThan(still?.score ?? 0);
    expect(still?.explanation).toMatchObject({ marks: [], weights: { staleness: 1 } });
  });

  it("[R16] marks what speaks of a file that is gone, and leaves an exact name first", async () => {
    const root = repository();
    commit(root, { "src/here.ts": "0", "src/gone.ts": "0" });
    const memory = await memoryWith(
      { directory: root },
      { content: "the gone part", name: "cache", relatedFiles: ["src/gone.ts"] },
      { content: "cache of the part that is here", relatedFiles: ["src/here.ts"] },
    );
    rmSync(join(root, "src", "gone.ts"));
    commit(root, {});

    const results = await vi.waitUntil(async () => {
      const found = await memory.recall("cache", { explain: true });
      return found.some(({ explanation }) => explanation?.marks.length) && found;
    }, 20_000);

    expect(results[0]).toMatchObject({
      memory: { content: "the gone part" },
      score: 1,
      explanation: { marks: ["src/gone.ts is not in the work tree"] },
    });
  });

  it("[R16] is nothing where a project was only named: no file of this folder is looked at", async () => {
    const memory = await memoryWith(
      { project: "elsewhere" },
      { content: "cache", relatedFiles: ["src/never-there.ts"] },
    );

    const [result] = await memory.recall("cache", { explain: true });

    expect(result?.explanation).toMatchObject({ marks: [], weights: { staleness: 1 } });
  });

  it("[R16] is nothing for what holds everywhere, whose files are of no folder", async () => {
    const db = join(temporaryFolder(), "memory.db");
    await memoryWith({ db, project: "user" }, { content: "cache", relatedFiles: ["src/never-there.ts"] });
    const memory = await openTestMemory({ db, directory: repository() });

    const [result] = await memory.recall("cache", { explain: true });

    expect(result?.memory.project).toBe("user");
    expect(result?.explanation?.marks).toEqual([]);
  });
});

function scoresByContent(results: RecallResult[]): Record<string, number> {
  return Object.fromEntries(results.map(({ memory, score }) => [memory.content, score]));
}

async function memoryWith(options: OpenOptions, ...inputs: MemoryInput[]): Promise<TacitMemory> {
  const memory = await openTestMemory(options);
  await memory.rememberMany(inputs);
  return memory;
}

function repository(): string {
  const root = temporaryFolder();
  git(root, "init", "--quiet");
  return root;
}

/** Writes the files and commits them; gives the commit's id. */
function commit(root: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(root, name, ".."), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  git(root, "add", "--all");
  git(root, "-c", "user.name=Test", "-c", "user.email=test@example.org", "commit", "--quiet", "--message", "a change");
  return git(root, "rev-parse", "HEAD");
}

function git(root: string, ...args: string[]): string {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", root, ...args], { encoding: "utf8", env }).trim();
}
