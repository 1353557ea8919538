import { expect, it } from "vitest";
import { keep, projectContext } from "../../../test/support/keep-records.js";
import { checkMemories } from "./check-memories.js";
import { listPages } from "./ground-queries.js";
import type { CodeView } from "./grounds.js";

it("[G39] keeps what a memory was first seen to rest on, when a slower look at its code ends later", async () => {
  const context = await projectContext();
  await keep(context, [{ content: "MAX_RETRIES is 5, as the gateway wants it." }]);
  // By the time this one reads the file, it is no longer as it was indexed.
  const slower: CodeView = {
    ...view,
    linesOf: async () => {
      await checkMemories(context, "all", () => ({ here: view }), { isFirst: true });
      return undefined;
    },
  };

  await checkMemories(context, "all", () => ({ here: slower }), { isFirst: true });

  const { value: page = [] } = await listPages(context, "all").next();
  expect(page[0]?.verdict.grounds.get("src/http.ts#MAX_RETRIES")?.seen).toMatchObject({ value: "5" });
});

it("[G39] keeps where code went, when a look that knows of no move ends later", async () => {
  const context = await projectContext();
  await keep(context, [{ content: "MAX_RETRIES is 5, as the gateway wants it." }]);
  await checkMemories(context, "all", () => ({ here: view }), { isFirst: true });
  const elsewhere = ["src/limits.ts", "src/net.ts"].map((file) => ({ ...definition, id: `${file}#MAX_RETRIES`, file }));
  const moved: CodeView = {
    ...view,
    files: async () => new Map(elsewhere.map(({ file }) => [file, { isWhole: true }])),
    isOnDisk: () => false,
    definitionsIn: async (files) => elsewhere.filter(({ file }) => files.includes(file)),
    definitionsNamed: async () => elsewhere,
  };
  // In the background, as after every change, while the indexing that saw the move compares as well.
  const slower: CodeView = {
    ...moved,
    definitionsNamed: async () => {
      await checkMemories(context, "all", () => ({ here: moved }), { movedTo: () => "src/net.ts#MAX_RETRIES" });
      return elsewhere;
    },
  };

  await checkMemories(context, "all", () => ({ here: slower }));

  const { value: page = [] } = await listPages(context, "all").next();
  expect(page[0]?.verdict.findings).toEqual([]);
  expect([...(page[0]?.verdict.grounds.keys() ?? [])]).toEqual(["src/net.ts#MAX_RETRIES"]);
});

it("[G39] keeps the newer of two sights of the code, when the older look ends later", async () => {
  const context = await projectContext();
  await keep(context, [{ content: "MAX_RETRIES is 5, as the gateway wants it." }]);
  await checkMemories(context, "all", () => ({ here: view }), { isFirst: true });
  let value = 6;
  const changing = (): CodeView => {
    const seen = value;
    return { ...view, linesOf: async () => [`export const MAX_RETRIES = ${seen};`] };
  };
  await checkMemories(context, "all", () => ({ here: changing() }));
  const slower = (): CodeView => ({
    ...changing(),
    definitionsNamed: async () => {
      value = 5;
      await checkMemories(context, "all", () => ({ here: changing() }));
      return [definition];
    },
  });
  value = 7;

  await checkMemories(context, "all", () => ({ here: slower() }));

  const { value: page = [] } = await listPages(context, "all").next();
  expect(page[0]?.verdict.findings).toEqual([]);
});

const definition = {
  id: "src/http.ts#MAX_RETRIES",
  file: "src/http.ts",
  path: "MAX_RETRIES",
  name: "MAX_RETRIES",
  kind: "variable",
  startLine: 1,
  endLine: 1,
};

const view: CodeView = {
  files: async () => new Map([["src/http.ts", { isWhole: true }]]),
  isOnDisk: () => true,
  definitionsIn: async () => [definition],
  definitionsNamed: async () => [definition],
  definitionsLike: async () => [],
  linesOf: async () => ["export const MAX_RETRIES = 5;"],
};
