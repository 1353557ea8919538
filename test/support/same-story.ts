import type { Memory } from "../../src/index.js";
import { observedProject, type ObservedProject } from "./observed-project.js";

export const prompts = ["Books are taxed less now.", "Food is not taxed any more."];

export const wrong = "Wait, I was wrong: `rateOf` takes percent, not a factor.";

export function asClaudeCode(project: ObservedProject, round: number) {
  const session = project.session(prompts[round]);
  session.reads("src/billing/rates.ts", project.shown("src/billing/rates.ts"));
  if (round === 1) session.says(wrong);
  session.edits("src/billing/rates.ts", "1.2", `1.2${round}`);
  session.reads("config/rates.yaml", project.shown("config/rates.yaml"));
  session.edits("config/rates.yaml", "standard", `reduced${round}: 0.1\nstandard`);
  return session.runs("npm test", { text: "Tests  41 passed (41)" });
}

export type Known = Pick<Memory, "type" | "status" | "content" | "relatedFiles" | "relatedModules"> & { data: unknown };

/** What is known of a project after sessions, without what differs from one agent to the next. */
export async function learned(sessions: (project: ObservedProject) => Promise<void>): Promise<Known[]> {
  const project = observedProject();
  await sessions(project);
  return (await project.allMemories())
    .map(({ type, status, content, data, relatedFiles, relatedModules }) => ({
      type,
      status,
      content,
      data,
      relatedFiles,
      relatedModules,
    }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}
