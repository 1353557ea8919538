import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryInput, TacitMemory } from "../../src/index.js";
import { runs } from "../support/property-runs.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openFile, contentsOf } from "../support/exchange-files.js";

describe("memories that travel", () => {
  it("[E1] leave and arrive as JSON Lines without losing a byte, whatever has happened to them", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 12 }), async (lives) => {
        const [here, there] = [await openFile(), await openFile()];
        for (const [index, one] of lives.entries()) await live(here, one, index);
        const first = join(temporaryFolder(), "first.jsonl");
        const second = join(temporaryFolder(), "second.jsonl");

        await here.exchange.export({ format: "jsonl", output: first });
        await there.exchange.import(first, { trust: true });
        await there.exchange.export({ format: "jsonl", output: second });

        expect(readFileSync(second, "utf8")).toBe(readFileSync(first, "utf8"));
        expect(withoutProject(await there.list({ status: "any" }))).toEqual(
          withoutProject(await here.list({ status: "any" })),
        );
        await here.close();
        await there.close();
      }),
      { numRuns: runs(25) },
    );
  });

  it("[E2] leave and arrive as Markdown files without losing a byte", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(life, { minLength: 1, maxLength: 8 }), async (lives) => {
        const [here, there] = [await openFile(), await openFile()];
        for (const [index, one] of lives.entries()) await live(here, one, index);
        const [first, second] = [join(temporaryFolder(), "first"), join(temporaryFolder(), "second")];

        await here.exchange.export({ format: "md", output: first });
        await there.exchange.import(first, { trust: true });
        await there.exchange.export({ format: "md", output: second });

        expect(contentsOf(second)).toEqual(contentsOf(first));
        await here.close();
        await there.close();
      }),
      { numRuns: runs(15) },
    );
  });
});

/** What may happen to a memory before it travels. */
interface Life {
  input: Omit<MemoryInput, "name">;
  named: boolean;
  fate: "stays" | "edited" | "forgotten" | "superseded" | "flagged" | "pinned" | "related" | "undone";
}

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const life: fc.Arbitrary<Life> = fc.record({
  input: fc.record(
    {
      content: words.map((text) => `text ${text}`),
      type: fc.constantFrom("note", "gotcha", "archive", "conversation", "decision", "made_up"),
      tags: fc.uniqueArray(
        words.filter((text) => text.trim() !== ""),
        { maxLength: 3 },
      ),
      relatedFiles: fc.uniqueArray(fc.constantFrom("src/a.ts", "b c.md", "ü.ts"), { maxLength: 2 }),
      confidence: fc.double({ min: 0, max: 1, noNaN: true }),
      metadata: fc.dictionary(fc.constantFrom("a", "b c", "__proto__x"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
      scope: fc.constantFrom("global", "module", "session"),
      pinned: fc.boolean(),
      createdAt: fc.constantFrom("2020-01-01T00:00:00.000Z", "2026-02-28T23:59:59.999Z"),
    },
    { requiredKeys: ["content"] },
  ) as fc.Arbitrary<Omit<MemoryInput, "name">>,
  named: fc.boolean(),
  fate: fc.constantFrom("stays", "edited", "forgotten", "superseded", "flagged", "pinned", "related", "undone"),
});

async function live(memory: TacitMemory, { input, named, fate }: Life, index: number): Promise<void> {
  const clean = { ...input, content: `${index} ${input.content}`, ...(named && { name: `name ${index}` }) };
  const kept = await memory.remember(clean).catch(() => undefined);
  if (!kept) return;
  const { id } = kept;
  const fates: Record<Life["fate"], () => Promise<unknown>> = {
    stays: async () => undefined,
    edited: () => memory.revise(id, { content: `edited ${index}`, tags: ["e"] }, { force: true }),
    forgotten: () => memory.forget(id),
    superseded: () => memory.supersede(id, { content: `instead of ${index}` }),
    flagged: () => memory.flag(id, "wrong"),
    pinned: () => memory.pin(id),
    related: async () => {
      const other = await memory.remember({ content: `other of ${index}` });
      await memory.relate(id, { kind: "derived_from", memory: other.id, confidence: 0.5 });
      return memory.relate(id, { kind: "validates", file: "src/a.ts" });
    },
    undone: async () => {
      await memory.pin(id);
      return memory.undo(id);
    },
  };
  await fates[fate]();
}

/** Fading counts from arrival, so that what is left of a confidence may differ. */
function withoutProject(memories: Awaited<ReturnType<TacitMemory["list"]>>): unknown[] {
  return memories
    .map(({ project: _project, currentConfidence: _current, ...rest }) => rest)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}
