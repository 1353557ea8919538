import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MemoryInput, RecallOptions, TacitMemory } from "../../src/index.js";
import { keep, noon, projectContext, stored } from "../support/keep-records.js";
import { movableClock, openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const whole: MemoryInput = {
  content: "deploy on Monday",
  type: "gotcha",
  tags: ["ops"],
  scope: "module",
  relatedFiles: ["deploy.sh"],
  relatedModules: ["pipeline"],
  source: "user_taught",
  sessionId: "s1",
  metadata: { port: 8080, region: "north" },
  createdAt: "2024-06-01T12:00:00Z",
};

describe("what recall held back", () => {
  it("[R14] is told with its reason: superseded, flagged, expired", async () => {
    const clock = movableClock("2026-01-01T00:00:00Z");
    const memory = await openTestMemory({ now: clock.now });
    await memory.rememberMany([
      { content: "deploy by hand", name: "old" },
      { content: "deploy at night", name: "wrong" },
      { content: "deploy this week", name: "temporary", expiresAt: "2026-01-08T00:00:00Z" },
      { content: "deploy in secret", name: "forgotten" },
    ]);
    const next = await memory.supersede("old", { content: "deploy by pipeline" });
    await memory.flag("wrong", "nobody is awake");
    await memory.forget("forgotten");
    clock.addDays(8);

    const reasons = await reasonsOf(memory, "deploy");

    expect(reasons).toEqual({
      "deploy by hand": `is superseded by ${next.id.slice(-8)}`,
      "deploy at night": "is flagged: nobody is awake",
      "deploy this week": "is expired",
    });
    expect(await reasonsOf(memory, "deploy", { status: ["active", "flagged", "expired"] })).toEqual({
      "deploy by hand": `is superseded by ${next.id.slice(-8)}`,
    });
    expect(await reasonsOf(memory, "deploy", { status: "any" })).toEqual({});
  });

  it("[R14] [R15] is told when it came from outside, without its text", async () => {
    const db = join(temporaryFolder(), "memory.db");
    await keep(await projectContext({ db }), [stored({ content: "deploy with this script", trustFlags: ["tainted"] })]);
    const memory = await openTestMemory({ db, now: () => new Date(noon) });

    expect(await reasonsOf(memory, "deploy")).toEqual({
      "(not shown)": "came from outside the project, and nobody has verified it",
    });
    expect(await reasonsOf(memory, "deploy", { includeTainted: true })).toEqual({});
  });

  it("[R14] is told when it was excluded, scores too little or is trusted too little", async () => {
    const memory = await openTestMemory();
    const [sure, unsure] = await memory.rememberMany([
      { content: "deploy by pipeline" },
      { content: "deploy perhaps never, who knows", confidence: 0.3 },
    ]);
    const all = await memory.recall("deploy by pipeline", { mode: "words" });
    const low = all.find((result) => result.memory.id === unsure?.id)?.score ?? 0;

    const excluded = await reasonsOf(memory, "deploy", { excludeIds: [sure?.id ?? ""] });
    const distrusted = await reasonsOf(memory, "deploy", { minConfidence: 0.5 });
    const weak = await reasonsOf(memory, "deploy by pipeline", { minScore: 0.5 });

    expect(excluded).toEqual({ "deploy by pipeline": "was excluded" });
    expect(distrusted).toEqual({
      "deploy perhaps never, who knows": "has a confidence of 0.30, below 0.5",
    });
    expect(weak).toEqual({
      "deploy perhaps never, who knows": `scores ${low.toFixed(2)}, below 0.5`,
    });
  });

  it.each<RecallOptions>([
    { type: "fact" },
    { types: ["fact", "decision"] },
    { tags: ["ops", "dev"] },
    { scope: "session" },
    { files: ["build.sh"] },
    { modules: ["site"] },
    { sources: ["commit_auto"] },
    { sessionId: "s2" },
    { metadata: { port: 8081 } },
    { metadata: { zone: "a" } },
    { since: "2025-01-01" },
    { until: "2024-01-01" },
  ])("[R14] is told when it does not fit the filter %o", async (filter) => {
    const memory = await openTestMemory();
    await memory.remember(whole);

    expect(await reasonsOf(memory, "deploy", filter)).toEqual({ "deploy on Monday": "does not fit the filter" });
  });

  it("[R14] is nothing that came, and nothing that only came too late for the limit", async () => {
    const memory = await openTestMemory();
    await memory.rememberMany([whole, { content: "deploy on Tuesday" }, { content: "deploy on Friday" }]);
    const fitting: RecallOptions = {
      type: "gotcha",
      tags: ["ops"],
      scope: "module",
      files: ["deploy.sh"],
      modules: ["pipeline"],
      sources: ["user_taught"],
      sessionId: "s1",
      metadata: { port: "8080", region: "north" },
      since: "2024-01-01",
      until: "2025-01-01",
    };

    const { results, heldBack } = await memory.recallReport("deploy", { ...fitting, explain: true });

    expect(results.map((result) => result.memory.content)).toEqual(["deploy on Monday"]);
    expect(heldBack.map(({ citationText }) => citationText).toSorted()).toEqual([
      "deploy on Friday",
      "deploy on Tuesday",
    ]);
    expect(await reasonsOf(memory, "deploy", { limit: 1 })).toEqual({});
    expect(await reasonsOf(memory, "deploy", {})).toEqual({});
  });

  it("[R14] [P1] is never of another project", async () => {
    const db = join(temporaryFolder(), "memory.db");
    for (const project of ["mine", "theirs", "user"]) {
      const memory = await openTestMemory({ db, project });
      await memory.remember({ content: `deploy as ${project}`, name: "deploying" });
      await memory.flag("deploying", "a test");
    }
    const mine = await openTestMemory({ db, project: "mine" });

    expect(Object.keys(await reasonsOf(mine, "deploy")).toSorted()).toEqual(["deploy as mine", "deploy as user"]);
    expect(Object.keys(await reasonsOf(mine, "deploy", { includeUser: false }))).toEqual(["deploy as mine"]);
    expect(Object.keys(await reasonsOf(mine, "deploying", { includeUser: false }))).toEqual(["deploy as mine"]);
  });
});

/** The reason of each, by the text of its chip. */
async function reasonsOf(
  memory: TacitMemory,
  question: string,
  options: RecallOptions = {},
): Promise<Record<string, string>> {
  const { heldBack } = await memory.recallReport(question, { ...options, explain: true });
  return Object.fromEntries(heldBack.map(({ citationText, reason }) => [citationText, reason]));
}
