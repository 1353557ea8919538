import { describe, expect, it } from "vitest";
import { edited, ran, read } from "../../../test/support/acts.js";
import { aroundOf, learn, padOf, type Told } from "../../../test/support/pad-of.js";
import { workflowRecipe } from "../../memory/type-registry/memory-data.js";
import type { Action } from "../scratchpad/session-view.js";
import { signalValue } from "./signal.js";
import { toolSequence } from "./tool-sequence.js";

const generate = ran("npm run gen", { purpose: "build" });
const check = ran("npm run typecheck", { purpose: "check" });
const test = ran("npm test", { purpose: "test" });

describe("a way of working that comes back", () => {
  it("is a recipe, with the files that are the same each time", () => {
    const [draft, ...others] = learn(toolSequence, ["users", "orders", "carts"].map(endpoint));

    expect(others).toEqual([]);
    expect(draft).toMatchObject({
      type: "workflow_recipe",
      content:
        "For “add endpoint”: edit a file like `src/api/carts.ts`, run `npm run gen`, edit `src/routes.ts`, then run `npm test`.",
      relatedFiles: ["src/api/carts.ts", "src/routes.ts"],
      relatedModules: ["src/api", "src"],
    });
    expect(workflowRecipe.parse(draft?.data)).toEqual({
      taskPattern: "add endpoint",
      steps: [
        { order: 1, description: "edit a file like `src/api/carts.ts`", canonicalFile: "src/api/carts.ts" },
        { order: 2, description: "run `npm run gen`" },
        { order: 3, description: "edit `src/routes.ts`", canonicalFile: "src/routes.ts" },
        { order: 4, description: "run `npm test`" },
      ],
      lastValidatedAt: "2026-11-04T09:00:00.000Z",
      successCount: 3,
    });
    expect(signalValue(toolSequence)).toBe(0.73);
  });

  it("tells commands as they were typed each time, and by their names where that differs", () => {
    const typed = (name: string) =>
      session([
        edited(`src/api/${name}.ts`),
        ran(`npm run gen --name=${name}`, { purpose: "build" }),
        edited("src/routes.ts"),
        ran("tsc --noEmit 2>&1 | tail -5", { purpose: "check" }),
      ]);

    const [draft] = learn(toolSequence, ["users", "orders", "carts"].map(typed));

    expect(draft?.content).toMatch(/run `npm run gen`, edit `src\/routes\.ts`, then run `tsc --noEmit`\.$/);
  });

  it("is seen among other work, and past what fails on the way", () => {
    const red = ran("npm test", { purpose: "test", failed: true });
    const noisy = (name: string) => [
      read("README.md"),
      edited(`src/${name}/other.ts`),
      test,
      edited(`src/api/${name}.ts`),
      ran("git status", { purpose: "version-control" }),
      generate,
      red,
      read(`src/${name}/x.ts`),
      edited(`src/${name}/y.ts`),
      edited("src/routes.ts"),
      red,
      edited("src/routes.ts"),
      test,
    ];

    const drafts = learn(
      toolSequence,
      ["a", "b", "c"].map((name) => session(noisy(name))),
    );

    expect(drafts.map(({ content }) => content)).toEqual([
      "For “change in src/api”: edit a file like `src/api/c.ts`, run `npm run gen`, edit `src/routes.ts`, then run `npm test`.",
    ]);
  });

  it("may do without a command of its own, where the same files in different folders are edited for the same thing", () => {
    const command = (name: string): Told => ({
      actions: [
        edited(`src/cli/commands/${name}.ts`),
        edited("src/cli/run-program.ts"),
        edited("docs/cli.md"),
        check,
        test,
      ],
      notes: [{ kind: "prompt", at: 0, order: -1, text: `Add the command ${name} to the program.` }],
    });
    const commands = ["list", "show", "purge"].map(command);

    const drafts = learn(toolSequence, commands);

    expect(new Set(drafts.map(({ content }) => content))).toEqual(
      new Set([
        "For “add command program”: edit a file like `src/cli/commands/purge.ts`, edit `src/cli/run-program.ts`, edit `docs/cli.md`, run `npm run typecheck`, then run `npm test`.",
      ]),
    );
    expect(
      learn(
        toolSequence,
        commands.map(({ actions = [] }) => ({ actions })),
      ),
    ).toEqual([]);
  });

  it("takes the edits nearest to what it is known by, and not those of other work in the same folder before", () => {
    const own = [edited("src/api/schema.ts"), generate, edited("src/routes.ts"), test];
    const other = session([edited("src/api/users.ts"), test, ...own]);

    const [draft] = learn(toolSequence, [session(own), other, session(own)]);

    expect(draft?.content).toContain("edit `src/api/schema.ts`, run `npm run gen`, edit `src/routes.ts`");
  });

  it("is not lost with something else that was tried beside it in vain", () => {
    const tried = (name: string): Told => {
      const { actions = [], ...told } = endpoint(name);
      return {
        ...told,
        actions: [edited("src/cache.ts"), edited("src/cache.ts"), ...actions],
        attempts: [{ first: 0, last: 1, files: ["src/cache.ts"] }],
      };
    };
    const pad = padOf(tried("users"));

    expect(learn(toolSequence, ["users", "orders", "carts"].map(tried))).toHaveLength(1);
    expect(toolSequence.detect(pad, aroundOf(pad)).flatMap(({ orders }) => orders)).toEqual([-1, 2, 3, 4, 5]);
  });

  it("is one for each session, however often it is done there", () => {
    const pad = padOf(session([...steps("a"), ...steps("b"), ...steps("c")]));

    expect(toolSequence.detect(pad, aroundOf(pad)).map(({ subject }) => subject)).toEqual(["run npm run gen"]);
  });

  it("is not known after two sessions", () => {
    expect(learn(toolSequence, ["users", "orders"].map(endpoint))).toEqual([]);
  });

  it("is not the loop of every day", () => {
    const loop = session([
      read("src/a.ts"),
      edited("src/a.ts"),
      test,
      edited("src/a.ts"),
      edited("src/a.test.ts"),
      check,
      ran("npm run lint", { purpose: "check" }),
      test,
      ran("npm run build", { purpose: "build" }),
      ran("git commit", { purpose: "version-control" }),
    ]);

    expect(learn(toolSequence, [loop, loop, loop, loop])).toEqual([]);
  });

  it("is not a command that sessions share while they do different things", () => {
    const sessions = ["a", "b", "c", "d"].map((name) => session([edited(`src/${name}/x.ts`), generate, test]));

    expect(learn(toolSequence, sessions)).toEqual([]);
  });

  it("is not a server that runs beside, nor a change of a file's place", () => {
    const sessions = ["npm run dev", "mkdir", "node"].map((name) =>
      session([edited("src/a.ts"), ran(name, { purpose: "other" }), edited("src/b.ts"), check, test]),
    );

    for (const one of sessions) expect(learn(toolSequence, [one, one, one])).toEqual([]);
  });

  it("is none where it does not lead to success", () => {
    const red = ran("npm test", { purpose: "test", failed: true });
    const failing = session([...steps("a").slice(0, -1), red]);

    expect(learn(toolSequence, [failing, failing, failing])).toEqual([]);
  });

  it("is none where the order is another each time", () => {
    const sessions = [
      session([edited("src/schema.sql"), generate, edited("src/routes.ts"), test]),
      session([edited("src/routes.ts"), test, generate, edited("src/schema.sql"), check]),
      session([generate, edited("src/routes.ts"), edited("src/schema.sql"), test]),
    ];

    expect(learn(toolSequence, sessions)).toEqual([]);
  });
});

function steps(name: string): Partial<Action>[] {
  return [edited(`src/api/${name}.ts`), generate, edited("src/routes.ts"), test];
}

function endpoint(name: string): Told {
  const prompt = { kind: "prompt" as const, at: 0, order: -1, text: `Please add an endpoint for ${name}.` };
  return { actions: steps(name), notes: [prompt] };
}

function session(actions: Partial<Action>[]): Told {
  return { actions };
}
