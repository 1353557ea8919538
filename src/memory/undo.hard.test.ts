import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { runs } from "../../test/support/property-runs.js";
import type { TacitMemory } from "../index.js";
import { settled } from "../../test/support/settled-memory.js";

describe("undo", () => {
  it("[L9] of all changes, the last one first, gives back the memory as it was remembered", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(edits.length - 1), { maxLength: 12 }), async (chosen) => {
        const memory = await openTestMemory();
        const other = await memory.remember({ content: "the other memory", name: "other", aliases: ["another"] });
        const { id } = await memory.remember({ content: "the first text", name: "n", tags: ["t"] });
        const before = [await memory.get(id), await memory.get(other.id)].map(settled);
        for (const index of chosen) await edits[index]?.(memory, id).catch(ignoreRefusal);

        for (const { number, verb } of await memory.history(id)) {
          if (verb !== "remembered") await memory.undo(id, { number });
        }

        expect([await memory.get(id), await memory.get(other.id)].map(settled)).toEqual(before);
        expect((await memory.store.diagnose()).ok).toBe(true);
        await memory.close();
      }),
      { numRuns: runs(100) },
    );
  });
});

/** Changes of a memory; some are refused, depending on what went before. */
const edits: ((memory: TacitMemory, id: string) => Promise<unknown>)[] = [
  (memory, id) => memory.revise(id, { content: "a second text", tags: ["u"] }),
  (memory, id) => memory.revise(id, { content: "a third text", confidence: 0.3, scope: "module" }),
  (memory, id) => memory.revise(id, { name: null, metadata: { a: [1, null] } }),
  (memory, id) => memory.revise(id, { expiresAt: "2999-01-01", data: { steps: 3 } }),
  (memory, id) => memory.revise(id, { expiresAt: null, data: null, type: "fact" }),
  (memory, id) => memory.revise(id, { name: "other" }, { rebind: true }),
  (memory, id) => memory.rename(id, "m", { keep: true }),
  (memory, id) => memory.rename(id, "another", { rebind: true, keep: true }),
  (memory, id) => memory.alias(id, ["x", "other"], { rebind: true }),
  (memory) => memory.unalias("x"),
  (memory) => memory.unalias("n"),
  (memory, id) => memory.relate(id, { kind: "validates", file: "a.ts" }),
  (memory, id) => memory.relate(id, { kind: "similar", memory: "other", confidence: 0.5 }),
  (memory, id) => memory.unrelate(id, { kind: "validates", file: "a.ts" }),
  (memory, id) => memory.pin(id),
  (memory, id) => memory.pin(id, false),
  (memory, id) => memory.verify(id),
  (memory, id) => memory.flag(id, "wrong"),
  (memory, id) => memory.forget(id),
  (memory, id) => memory.restore(id),
  (memory, id) => memory.undo(id),
  (memory) => memory.remember({ content: "the first text", tags: ["v"], sessionId: "s", pinned: true }),
  (memory, id) => memory.supersede(id, { content: "the successor" }),
];

function ignoreRefusal(error: { code?: string }): void {
  const expected = ["memory-not-found", "memory-forgotten", "invalid-input", "name-taken", "undo-refused"];
  if (!expected.includes(error.code ?? "")) throw error;
}
