import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { fromAiSdkStep } from "../../src/observer/adapters/ai-sdk.js";
import { looksAround, observedProject, wrapsUp, type ObservedProject } from "../support/observed-project.js";

type AgentEvent = ReturnType<typeof fromAiSdkStep>[number];

describe("work that takes more steps than planned", () => {
  const files = ["src/auth/login.ts", "src/auth/token.ts", "src/auth/session.ts"];

  /** A program with a plan; it says how many steps it means to take, and takes so many. */
  function follows(project: ObservedProject, round: number, plannedSteps: number, steps: number): AgentEvent[] {
    const sessionId = `planned-${round}`;
    const file = files[round % 3] as string;
    const session = aiSdkSession(project, sessionId, { task: `Mend logging in, part ${round}.`, plannedSteps });
    session.reads([file], 3000).runs("git status --short", "", 3000);
    for (let step = 4; step < steps; step += 1) {
      if (step % 3 === 0) session.edits(file, `// ${step - 3}`, `// ${step}`);
      else if (step % 3 === 1) session.runs("npm test", "Tests  41 passed (41)\nFailures: 0", 3200);
      else session.reads([["src/ui/page.ts", "src/db/users.ts", "src/api/server.ts"][round % 3] as string], 3100);
    }
    return session.edits(file, "export", `// ${round}\nexport`).runs("npm test", "Tests  41 passed (41)", 3200).ends();
  }

  it("[O1] a module that always takes more steps than planned: the third session makes it known", async () => {
    const project = observedProject();
    await project.learnEvents(follows(project, 0, 5, 14));
    await project.learnEvents(follows(project, 1, 4, 12));
    expect(await project.allSayings()).toEqual([]);

    await project.learnEvents(follows(project, 2, 6, 16));
    const [found, ...others] = await project.recallAnew("How many steps does work in src/auth take?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "task_calibration",
      status: "active",
      relatedModules: ["src/auth"],
      data: {
        module: "src/auth",
        methodology: "careful-plan",
        averageActualSteps: 14,
        averagePlannedSteps: 5,
        ratio: 2.8,
        sampleCount: 3,
      },
    });
    expect(found?.content).toBe(
      "Work in `src/auth` takes about 2.8 times as many steps as are planned for it: 14 instead of 5 on average.",
    );
    expect(found?.evidence).toMatchObject([{ signal: "step-overrun", sessions: [{}, {}, {}] }]);
    const deeds = found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did);
    expect(deeds).toEqual(expect.arrayContaining(["edited src/auth/login.ts", "took 14 steps where 5 were planned"]));
    expect(await project.allSayings()).toHaveLength(1);
  });

  it("[O1] a module where one plan failed and the others held is nothing to know", async () => {
    const project = observedProject();
    await project.learnEvents(follows(project, 0, 5, 24));
    await project.learnEvents(follows(project, 1, 8, 9));
    await project.learnEvents(follows(project, 2, 10, 10));
    await project.learnEvents(follows(project, 3, 9, 11));

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("reading that fills the context", () => {
  const legacy = ["engine", "parser", "writer"].map((name) => `src/legacy/${name}.ts`);

  /** Small steps; then the old part is read, and every later step carries it along. */
  function readsLegacy(project: ObservedProject, round: number): AgentEvent[] {
    const session = aiSdkSession(project, `legacy-${round}`, { task: `Why is page ${round} empty?` });
    const sight = ["src/ui/page.ts", "README.md", "src/api/server.ts"][round] as string;
    session.runs("git log --oneline -5", "abc1234 a change", 4000).reads([sight], 4200);
    session.runs("git status --short", "", 4400).runs("npm test", "Tests  41 passed (41)", 4600).reads(legacy, 4800);
    session.says("So that is where pages are made.", 40_000 + 500 * round);
    const file = legacy[round % 3] as string;
    session.edits(file, "export", `// ${round}\nexport`, 40_800).runs("npm test", "Tests  41 passed (41)", 41_000);
    return session.ends();
  }

  it("[O1] a module that takes many tokens to understand: known after three sessions of the AI SDK", async () => {
    const project = observedProject(large(legacy));
    await project.learnEvents(readsLegacy(project, 0));
    await project.learnEvents(readsLegacy(project, 1));
    expect(await project.allSayings()).toEqual([]);

    await project.learnEvents(readsLegacy(project, 2));
    const recalled = await project.recallAnew("How many tokens does understanding src/legacy take?");
    const found = recalled.find(({ type }) => type === "context_cost");

    expect(found).toMatchObject({
      status: "active",
      relatedModules: ["src/legacy"],
      data: { module: "src/legacy", sampleCount: 3, averageTokens: expect.any(Number) },
    });
    expect(found?.relatedFiles.toSorted()).toEqual(legacy);
    expect(found?.data?.["averageTokens"]).toBeGreaterThan(28_000);
    expect(found?.data?.["averageTokens"]).toBeLessThan(40_000);
    expect(found?.content).toMatch(/^Understanding `src\/legacy` takes about 3\d,000 tokens.*\.$/);
    expect(found?.evidence).toMatchObject([{ signal: "token-spike", sessions: [{}, {}, {}] }]);
    const deeds = found?.evidence[0]?.sessions[0]?.seen.map(({ did }) => did);
    expect(deeds).toEqual(
      expect.arrayContaining(["read src/legacy/engine.ts", "took a step with 41,000 tokens of input"]),
    );
    // That they are read together is true as well.
    expect((await project.allMemories()).map(({ type }) => type).toSorted()).toEqual([
      "context_cost",
      "prefetch_pattern",
    ]);
  });

  it("[O1] a context that a long output or a log fills says nothing about what was read", async () => {
    const project = observedProject();
    const files = ["src/ui/page.ts", "src/auth/token.ts", "src/db/users.ts"];
    for (const command of ["npm run build", "cat build.log"]) {
      for (const [round, file] of files.entries()) {
        const session = aiSdkSession(project, `${command} ${round}`, { task: `Why does build ${round} fail?` });
        session.runs("git log --oneline -5", "abc1234 a change", 4000).runs("npm test", "Tests  41 passed (41)", 4200);
        session.reads([file], 4400).runs("git status --short", "", 4600);
        session.runs(command, "step done, 0 errors\n".repeat(6000), 4800).says("I see.", 42_000);
        session.edits(file, "export", `// ${round}\nexport`, 42_400).runs("npm test", "Tests  41 passed (41)", 42_600);
        await project.learnEvents(session.ends());
      }
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

describe("a command that takes long", () => {
  /** Among quick commands one that takes as long as it is told. */
  function builds(project: ObservedProject, round: number, slow: [command: string, tookMs: number][]): AgentSession {
    const file = ["src/ui/page.ts", "src/db/orders.ts", "src/auth/login.ts", "src/api/server.ts"][round] as string;
    const session = looksAround(project.session(`Mend ${file} and see that it runs.`), round);
    session.reads(file).edits(file, "export", `// ${round}\nexport`);
    session.runs("npx tsc --noEmit", { text: "Found 0 errors.", tookMs: 3000 });
    session.runs("git log --oneline -3", { text: "abc1234 a change" }).runs("node --version", { text: "v20.11.0" });
    for (const [command, tookMs] of slow) session.runs(command, { text: "done", tookMs });
    session.runs("npm run format", { text: "3 files", tookMs: 2000 });
    return wrapsUp(session, round);
  }

  it("[O1] a command that takes far longer than the others each time: the third session makes it known", async () => {
    const project = observedProject();
    const image = (round: number) => builds(project, round, [["docker build -t shop .", 170_000 + 20_000 * round]]);
    await project.learn(image(0), image(1));
    expect(await project.allSayings()).toEqual([]);

    await project.learn(image(2));
    const [found, ...others] = await project.recallAnew("How long does docker build take?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "gotcha",
      status: "active",
      relatedFiles: [],
      data: { command: "docker build", typicalMs: 190_000, sampleCount: 3 },
    });
    expect(found?.content).toBe("`docker build` takes about 3 minutes.");
    expect(found?.evidence).toMatchObject([
      { signal: "time-anomaly", subject: "docker build", sessions: [{}, {}, {}] },
    ]);
    expect(found?.evidence[0]?.sessions[0]?.seen).toMatchObject([
      { did: "ran `docker build -t shop .`; it took 3 minutes" },
    ]);
  });

  it("[O1] one slow run among quick ones, and what is told to wait, are nothing to know", async () => {
    const project = observedProject();
    for (let round = 0; round < 4; round += 1) {
      const session = builds(project, round, [
        ["docker build -t shop .", 4000],
        ["docker build -t shop .", round === 1 ? 300_000 : 5000],
        ["docker build -t shop .", 4500],
        [`sleep ${60 + round}`, 60_000 + 1000 * round],
      ]);
      await project.learn(session);
    }

    expect(await project.allSayings()).toEqual([]);
  });
});

/** Files of 40,000 bytes each, which is about 10,500 tokens. */
function large(files: readonly string[]): Record<string, string> {
  const line = "export const value = (one: number, other: number) => one * other + 1; // as always\n";
  return Object.fromEntries(files.map((file) => [file, line.repeat(480)]));
}

/** A program that uses the AI SDK and hands every step over, as `onStepFinish` gets it. */
function aiSdkSession(
  project: ObservedProject,
  sessionId: string,
  { task, plannedSteps }: { task: string; plannedSteps?: number },
) {
  const start = { kind: "start", agent: "ai-sdk", directory: project.root, task, methodology: "careful-plan" } as const;
  const events: AgentEvent[] = [{ sessionId, ...start, ...(plannedSteps !== undefined && { plannedSteps }) }];
  let count = 0;
  const step = (
    text: string,
    inputTokens: number,
    calls: { toolName: string; input: object; output: string }[] = [],
  ) => {
    const content = calls.flatMap(({ output, ...call }) => {
      const named = { toolCallId: `${sessionId}-${(count += 1)}`, ...call };
      return [
        { type: "tool-call", ...named },
        { type: "tool-result", ...named, output },
      ];
    });
    const usage = { inputTokens, outputTokens: 80, totalTokens: inputTokens + 80 };
    const finishReason = calls.length > 0 ? "tool-calls" : "stop";
    events.push(
      ...fromAiSdkStep({ content: [{ type: "text", text }, ...content], finishReason, usage }, { sessionId }),
    );
    return session;
  };
  const session = {
    says: (text: string, tokens: number) => step(text, tokens),
    reads: (paths: string[], tokens: number) =>
      step(
        "I read on.",
        tokens,
        paths.map((path) => ({ toolName: "readFile", input: { path }, output: project.shown(path).text })),
      ),
    edits: (path: string, oldText: string, newText: string, tokens = 3300) =>
      step("I change it.", tokens, [{ toolName: "editFile", input: { path, oldText, newText }, output: "Changed." }]),
    runs: (command: string, output: string, tokens: number) =>
      step("Let me see.", tokens, [{ toolName: "runCommand", input: { command }, output }]),
    ends: (): AgentEvent[] => [...events, { sessionId, kind: "end", outcome: "success" }],
  };
  return session;
}
