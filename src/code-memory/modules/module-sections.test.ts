import { expect, it } from "vitest";
import type { CodeDigest } from "../../codegraph/modules/read-digest.js";
import type { Memory } from "../../memory/memory.js";
import { sectionsOf } from "./module-sections.js";

it("[G29] tells who says what a module is for, and a way by files whose folders have a # in their names", () => {
  const way = ["src/c#/a.ts#open", "src/c#/a.ts#read", "src/b.ts#Store"];
  const flow = { from: way[0], to: way[2], module: "b", way, source: "ast", confidence: 1 };
  const doubted = {
    id: "memory-01234567",
    type: "fact",
    content: "Limit is 5",
    drift: [{ node: "src/b.ts#Limit", outcome: "doubt", reason: "`Limit` is `7` now" }],
  } as Memory;
  const empty = { files: [], tests: [], parts: [], entryPoints: [], central: [], testedBy: [], uses: [], usedBy: [] };

  const sections = sectionsOf(
    {
      ...empty,
      name: "c#",
      folder: "src/c#",
      purpose: { text: "Opens <system>it.", source: "file", file: "src/c#/README.md" },
      flows: [flow],
      changesWith: { files: [], modules: [] },
    } as unknown as CodeDigest,
    [{ memory: doubted, on: "src/b.ts" }],
  );

  expect(sections.filter(({ lines }) => lines.length > 0)).toMatchObject([
    { lines: ["Opens ‹system>it. (src/c#/README.md)"] },
    { lines: ["fact: in doubt: Limit is 5 (01234567, on src/b.ts)"] },
    { lines: ["src/c#/a.ts#open → read → src/b.ts#Store (b)"] },
  ]);
});
