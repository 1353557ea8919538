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
      await checkMemories(context, "all", view, { isFirst: true });
      return undefined;
    },
  };

  await checkMemories(context, "all", slower, { isFirst: true });

  const { value: page = [] } = await listPages(context, "all").next();
  expect(page[0]?.verdict.grounds.get("src/http.ts#MAX_RETRIES")?.seen).toMatchObject({ value: "5" });
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
