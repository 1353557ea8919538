import { expect, it } from "vitest";
import { cases } from "../../bench/drift/cases.mjs";
import { countByKind, measureDrift } from "../../bench/drift/measure-drift.mjs";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";

it("[G41] sees planted drift: 90 % of the memories it concerns, and 5 % of the others at most", async () => {
  const root = temporaryFolder();
  const memory = await openTestMemory({ directory: root });

  const { memories, early } = await measureDrift(memory, root, cases);

  expect(cases.length).toBe(50);
  expect(early).toBe(0);
  for (const [kind, { affected, flagged, unaffected, wrongly }] of countByKind(memories)) {
    expect(flagged / affected, `${kind}: flagged of those it concerns`).toBeGreaterThanOrEqual(0.9);
    expect(wrongly / unaffected, `${kind}: flagged of the others`).toBeLessThanOrEqual(0.05);
  }
});
