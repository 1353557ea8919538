import { describe, expect, it } from "vitest";
import { asClaudeCode, learned } from "../support/same-story.js";

describe("the same story, told by different agents", () => {
  it("[O10] hooks say what was done and not what was said, and lead to the same of that", async () => {
    const hooks = await learned(async (project) => {
      for (const round of [0, 1]) await project.learnByHooks(asClaudeCode(project, round));
    });
    const transcript = await learned(async (project) => {
      for (const round of [0, 1]) await project.learn(asClaudeCode(project, round));
    });

    expect(hooks).toEqual(transcript.filter(({ type }) => type !== "gotcha"));
    expect(hooks).toHaveLength(1);
  });
});
