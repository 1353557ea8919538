import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { readProject } from "../../project/project-context.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { findActiveFiles } from "./find-active-files.js";
import { listModules } from "./active-files-queries.js";

const place = { root: "/project", known: ["src", "src/auth", "src/billing-service", "packages/core", ".", "billing"] };

describe("what a text is about", () => {
  it.each([
    ["Fix src/auth/login.ts:12.", ["src/auth"], ["src/auth/login.ts"]],
    [
      "see `/project/src/auth/a.ts#L3-L9` (and src/new/b.py:3:4)!",
      ["src/auth", "src/new"],
      ["src/auth/a.ts", "src/new/b.py"],
    ],
    ["@src/auth/ is slow, and/or broken, see https://src/auth/x.ts", ["src/auth"], []],
    ["The Billing-Service module, then package `core`", ["src/billing-service", "packages/core"], []],
    ["Look at src/auth and src/main.ts", ["src", "src/auth"], ["src/main.ts"]],
    ["The auth is at the core of it; authors wrote src/authors", [], []],
  ])("strictly: %s", (text, modules, files) => {
    const found = findActiveFiles(text, place, { strictly: true });

    expect(found).toEqual({ modules, files });
  });

  it.each([
    ["Make auth faster", ["src/auth"]],
    ["Why does the service for billing fail?", ["src/billing-service", "billing"]],
    ["The core of the matter", []],
    ["Write to the authors", []],
  ])("by its words: %s", (text, modules) => {
    expect(findActiveFiles(text, place, { strictly: false }).modules).toEqual(modules);
  });

  it("takes no time over what is long and has no words", () => {
    const started = performance.now();

    for (const text of ["a".repeat(200_000), "a/".repeat(100_000), "`".repeat(200_000), ":1".repeat(100_000)]) {
      findActiveFiles(text, place, { strictly: true });
    }

    expect(performance.now() - started).toBeLessThan(1000);
  });
});

describe("the modules of a project", () => {
  it("are those that memories are filed under, by themselves or by their files", async () => {
    const context = await projectContext();
    const files = [
      "README.md",
      "src/auth/a.ts",
      "src/auth/deep/b.ts",
      "src/auth-old/c.ts",
      "src/main.ts",
      "src/ui/d.ts",
    ];
    await remember(context, [
      ...files.map((file) => ({ content: file, relatedFiles: [file] })),
      { content: "one", relatedModules: ["checkout", "src/auth"] },
    ]);
    await remember({ ...context, project: { id: "other" } }, [{ content: "two", relatedModules: ["elsewhere"] }]);

    const modules = await readProject(context, [], listModules);

    expect(modules.toSorted()).toEqual([".", "checkout", "src", "src/auth", "src/auth-old", "src/ui"]);
  });
});
