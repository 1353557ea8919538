import { describe, expect, it } from "vitest";
import type { AgentSession } from "../../bench/agent-session.mjs";
import { observedProject, type ObservedProject } from "../support/observed-project.js";

describe("configuration that belongs to code", () => {
  /** Short, because every event of it comes from a process of its own. */
  function changesRates(project: ObservedProject, round: number): AgentSession {
    const session = project.session(["Books are taxed less now.", "Food is not taxed any more."][round]);
    session.runs("git status --short", { text: "" }).reads("src/billing/rates.ts");
    session.edits("src/billing/rates.ts", "1.2", `1.2${round}`);
    session.reads("config/rates.yaml").edits("config/rates.yaml", "standard", `reduced${round}: 0.1\nstandard`);
    return session.runs("npm test", { text: "Tests  41 passed (41)" });
  }

  it("[O1] configuration that is changed with the same code: known after two sessions, told by hooks", async () => {
    const project = observedProject();
    await project.learnByHooks(changesRates(project, 0));
    expect(await project.allSayings()).toEqual([]);

    await project.learnByHooks(changesRates(project, 1));
    const [found, ...others] = await project.recallElsewhere("I change src/billing/rates.ts. What has to follow?");

    expect(others).toEqual([]);
    expect(found).toMatchObject({
      type: "causal_dependency",
      status: "active",
      relatedFiles: ["src/billing/rates.ts", "config/rates.yaml"],
      relatedModules: ["src/billing"],
      data: { changed: "src/billing/rates.ts", affected: "config/rates.yaml", sessionCount: 2 },
    });
    expect(found?.content).toMatch(
      /^When `src\/billing\/rates\.ts` changes, `config\/rates\.yaml` has to follow: .+\.$/,
    );
    expect(found?.evidence).toMatchObject([{ signal: "config-touch", sessions: [{}, {}] }]);
    expect(await project.tacit("show", found?.id ?? "", "--evidence")).toMatch(/edited config\/rates\.yaml/);
  });
});
