import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { askedAs } from "../../../test/support/injection-asked.js";
import { injectionPorts } from "../../../test/support/injection-ports.js";
import { projectContext } from "../../../test/support/keep-records.js";
import type { MemoryInput } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { supersede } from "../../memory/remember/supersede.js";
import { chooseAtStart } from "./choose-at-start.js";
import type { SelectionOptions, Choice, Moment } from "../injection.js";

describe("chooseAtStart", () => {
  it("begins with the newest work state of this branch, then what is pinned, then by worth in the phase", async () => {
    const context = await projectWith(
      { content: "Everything is in UTC.", type: "fact" },
      { content: "Money is in cents.", type: "fact", pinned: true },
      { content: "Exports must stream.", type: "requirement" },
      {
        content: "Half of the routes are moved.",
        type: "work_state",
        createdAt: "2026-11-13T00:00:00Z",
        branch: "main",
      },
      { content: "None of the routes is moved.", type: "work_state", createdAt: "2026-11-12T00:00:00Z" },
      { content: "The other branch.", type: "work_state", createdAt: "2026-11-14T00:00:00Z", branch: "other" },
    );

    const choices = await choose({ ...context, folder: onBranch("main") }, { phase: "validate" });

    expect(contentsOf(choices)).toEqual([
      "Half of the routes are moved.",
      "Money is in cents.",
      "Exports must stream.",
      "Everything is in UTC.",
    ]);
    expect(choices[0]?.why).toBe("tells where unfinished work stands on main");
  });

  it("tells what holds everywhere, after what holds here", async () => {
    const context = await projectWith({ content: "Use pnpm here.", type: "preference" });
    await remember({ ...context, project: { id: "user" } }, [{ content: "Answer in English.", type: "preference" }]);

    const choices = await choose(context);

    expect(contentsOf(choices)).toEqual(["Use pnpm here.", "Answer in English."]);
    expect(choices[1]?.why).toBe("holds in every project");
  });

  it("leaves to the file what is about files, unless their module is in play", async () => {
    const context = await projectWith(
      { content: "Reset the limiter.", type: "gotcha", relatedFiles: ["src/auth/limit.ts"] },
      { content: "Auth keeps no state.", type: "module_insight", scope: "module", relatedModules: ["src/auth"] },
      { content: "Billing is Maria's.", type: "module_insight", scope: "module", relatedModules: ["src/billing"] },
    );

    expect(await choose(context)).toEqual([]);
    expect(contentsOf(await choose(context, { files: ["src/auth/login.ts"] })).toSorted()).toEqual([
      "Auth keeps no state.",
      "Reset the limiter.",
    ]);
  });

  it("tells no more than three recipes, wherever they are filed", async () => {
    const recipes = Array.from({ length: 5 }, (_, n) => ({
      content: `Recipe ${n}`,
      type: "workflow_recipe",
      relatedModules: ["src/auth"],
    }));

    expect(await choose(await projectWith(...recipes))).toHaveLength(3);
  });

  it("tells nothing that is talk, a figure, of another session, unsure, replaced, tainted, unverified or told", async () => {
    const context = await projectWith(
      { content: "hello", type: "conversation", sessionId: "s0" },
      { content: "a summary", type: "archive" },
      { content: "It takes 9,000 tokens.", type: "context_cost" },
      { content: "The dialog opens late.", type: "e2e_observation", data: { observationType: "timing" } },
      { content: "For that session only.", type: "context", scope: "session", sessionId: "s0" },
      { content: "For that piece of work.", type: "fact", scope: "work_unit", sessionId: "s0" },
      { content: "Perhaps.", type: "fact", confidence: 0.4 },
    );
    const [old, told] = await remember(context, [{ content: "Use npm." }, { content: "Told before." }]);
    await supersede(context, old?.id ?? "", { content: "Use pnpm.", type: "preference" });
    await remember(context, [{ content: "From the web.", type: "fact" }], { doubts: ["It was read on the web."] });
    await remember(context, [{ content: "Nobody vouches.", type: "fact" }], { unverified: "No hooks run." });
    const already = askedAs({ told: [told?.id ?? ""] });

    expect(contentsOf(await choose(context, {}, already))).toEqual(["Use pnpm."]);
    expect(contentsOf(await choose(context, {}, { ...already, includeUnverified: true })).toSorted()).toEqual([
      "Nobody vouches.",
      "Use pnpm.",
    ]);
  });

  it("tells after a compaction what this session itself has kept", async () => {
    const context = await projectWith({
      content: "We try the second way.",
      type: "note",
      scope: "session",
      sessionId: "s1",
      relatedFiles: ["src/a.ts"],
    });

    expect(await choose(context)).toEqual([]);
    expect(contentsOf(await choose(context, { continues: "compacted" }))).toEqual(["We try the second way."]);
  });

  it("is not crowded out by what may not be told: unverified, unsure, or of another branch", async () => {
    const context = await projectWith(
      { content: "Deploys need the VPN.", type: "convention" },
      { content: "Tokens expire.", type: "gotcha", relatedFiles: ["src/auth/token.ts"] },
      { content: "Half is done.", type: "work_state", branch: "main", createdAt: "2026-11-13T00:00:00Z" },
      ...Array.from({ length: 13 }, (_, n) => ({
        content: `Work on b${n}.`,
        type: "work_state",
        branch: `b${n}`,
        createdAt: "2026-11-14T00:00:00Z",
      })),
    );
    const traps = Array.from({ length: 7 }, (_, n) => ({
      content: `Trap ${n}.`,
      type: "gotcha",
      relatedFiles: ["src/auth/other.ts"],
    }));
    const facts = Array.from({ length: 1001 }, (_, n) => ({ content: `Fact ${n}.`, type: "fact" }));
    await remember(context, [...traps, ...facts], { unverified: "No hooks run." });

    const choices = await choose({ ...context, folder: onBranch("main") }, { files: ["src/auth/login.ts"] });

    expect(contentsOf(choices).toSorted()).toEqual(["Deploys need the VPN.", "Half is done.", "Tokens expire."]);
  });

  it("is nothing in a store without the project", async () => {
    expect(await choose(await projectContext())).toEqual([]);
  });
});

async function choose(
  context: MemoryContext,
  some: Partial<Extract<Moment, { point: "session-start" }>> = {},
  asked: SelectionOptions = askedAs(),
): Promise<Choice[]> {
  return chooseAtStart(injectionPorts(context), { point: "session-start", sessionId: "s1", ...some }, asked);
}

async function projectWith(...inputs: MemoryInput[]): Promise<MemoryContext> {
  const context = await projectContext();
  await remember(context, inputs);
  return context;
}

function onBranch(branch: string): MemoryContext["folder"] {
  return async () => ({ root: "/home/ada/shop", name: "shop", pathKey: "path:/home/ada/shop", branch });
}

function contentsOf(choices: readonly Choice[]): string[] {
  return choices.toSorted((a, b) => b.worth - a.worth).map(({ memory }) => memory.content);
}
