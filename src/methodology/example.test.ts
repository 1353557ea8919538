import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";
import { completeUnit } from "./complete-unit.js";
import type { MethodologyPlugin } from "./methodology.js";
import { openMethodologies } from "./open-methodologies.js";

it("the plug-in of docs/METHODOLOGIES.md does what the page says", async () => {
  const memory = await openTestMemory();
  const methodologies = openMethodologies([await readExample()]);
  const tdd = methodologies.get("tdd");

  const unit = tdd.resolveWorkUnitRef({ details: { feature: "parser", cycle: 3 } });
  await completeUnit(
    methodologies,
    { sessionId: "s1", unit, state: "succeeded", summary: "comments are read" },
    memory,
  );
  const kept = await memory.list();
  const state = await tdd.extractWorkState("Tests: 3 failed, 7 passed\nthen: 2 failed | 8 passed");

  expect(["red", "Green", "refactor", "lunch"].map((word) => tdd.mapPhase(word))).toEqual([
    "define",
    "implement",
    "refine",
    "explore",
  ]);
  expect(kept).toMatchObject([
    {
      type: "tdd_cycle",
      content: "Cycle 3 of parser: comments are read",
      halfLifeDays: 30,
      workUnit: { methodology: "tdd", hierarchy: ["parser", "3"], label: "Cycle 3 of parser" },
    },
  ]);
  expect(tdd.formatWorkStateContext(state)).toBe("2 tests fail; make them pass before anything else.");
  expect(tdd.formatRelayContext(kept, "green")).toBe("Before green:\n- Cycle 3 of parser: comments are read");
  expect(tdd.getRelayTransitions()).toHaveLength(3);
  expect(methodologies.notes()).toEqual([]);
});

async function readExample(): Promise<MethodologyPlugin> {
  const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "METHODOLOGIES.md"), "utf8");
  const blocks = page.split("\n```js\n").map((text) => text.split("\n```")[0] ?? "");
  const code = blocks.find((block) => block.includes("export const tdd")) ?? "";
  const file = join(temporaryFolder(), "tdd.mjs");
  writeFileSync(file, code);
  return ((await import(/* @vite-ignore */ pathToFileURL(file).href)) as { tdd: MethodologyPlugin }).tdd;
}
