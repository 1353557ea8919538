import { describe, expect, it } from "vitest";
import { fromAiSdkStep, fromHook, fromOpencode } from "../../src/observe.js";
import type { ObservedProject } from "../support/observed-project.js";
import { aiSdkSteps, opencodeSession, type ToolUse } from "../support/other-agents.js";
import { prompts, wrong, asClaudeCode, learned } from "../support/same-story.js";

describe("the same story, told by different agents", () => {
  it("[O10] leads to the same memories, whichever of them tells it", async () => {
    const transcript = await learned(async (project) => {
      for (const round of [0, 1]) await project.learn(asClaudeCode(project, round));
    });
    const opencode = await learned(async (project) => {
      for (const round of [0, 1]) await project.learnEvents(asOpencode(project, round));
    });
    const aiSdk = await learned(async (project) => {
      for (const round of [0, 1]) await project.learnEvents(asAiSdk(project, round));
    });

    expect(transcript).toMatchObject([
      { type: "causal_dependency", relatedFiles: ["src/billing/rates.ts", "config/rates.yaml"] },
      { type: "gotcha", content: expect.stringContaining("percent") },
    ]);
    expect(opencode).toEqual(transcript);
    expect(aiSdk).toEqual(transcript);
  });

  it("[O10] what a newer version of an agent tells, and nobody knows, is passed over", () => {
    const odd = [undefined, null, 7, "x", [], {}, { type: "session.quantum" }, { hook_event_name: "Teleport" }];

    for (const told of odd) {
      expect(fromHook(told)).toEqual([]);
      expect(fromOpencode(told)).toEqual([]);
      expect(fromAiSdkStep(told, { sessionId: "s" }).filter(({ kind }) => kind !== "step")).toEqual([]);
    }
  });
});

function asOpencode(project: ObservedProject, round: number) {
  const at = Date.now() - (3 - round) * 86_400_000;
  const told = { id: `ses_${round}`, root: project.root, at, prompt: prompts[round] as string };
  const [first, ...others] = storyOf(project, round, { read: "read", edit: "edit", run: "bash" }) as [ToolUse];
  return opencodeSession(told, round === 1 ? [first, wrong, ...others] : [first, ...others]);
}

function asAiSdk(project: ObservedProject, round: number) {
  const sessionId = `run-${round}`;
  const at = Date.now() - (3 - round) * 86_400_000;
  const story = storyOf(project, round, { read: "readFile", edit: "editFile", run: "bash" });
  return [
    { sessionId, kind: "start" as const, at, agent: "ai-sdk", directory: project.root },
    { sessionId, kind: "prompt" as const, at, text: prompts[round] as string },
    ...aiSdkSteps(
      sessionId,
      story.map((use, index) => ({ ...use, ...(round === 1 && index === 1 && { says: wrong }) })),
    ),
    { sessionId, kind: "end" as const },
  ];
}

function storyOf(
  project: ObservedProject,
  round: number,
  tools: { read: string; edit: string; run: string },
): ToolUse[] {
  const read = (file: string) => ({
    tool: tools.read,
    input: { filePath: `${project.root}/${file}` },
    answer: project.shown(file).text,
  });
  const edit = (file: string, oldString: string, newString: string) => ({
    tool: tools.edit,
    input: { filePath: `${project.root}/${file}`, oldString, newString },
    answer: "Edited.",
  });
  return [
    read("src/billing/rates.ts"),
    edit("src/billing/rates.ts", "1.2", `1.2${round}`),
    read("config/rates.yaml"),
    edit("config/rates.yaml", "standard", `reduced${round}: 0.1\nstandard`),
    { tool: tools.run, input: { command: "npm test" }, answer: "Tests  41 passed (41)" },
  ];
}
