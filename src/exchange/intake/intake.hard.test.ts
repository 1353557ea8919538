import type { MemoryContext } from "../../memory/change/change.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import { idFrom } from "../../base/ids/new-id.js";
import { MemoryError } from "../../base/memory-error.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import type { StoredChange } from "../../memory/history/stored-changes.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { IntakeReport } from "./intake.js";

describe("any import", () => {
  it("[E6] [E7] is kept or refused, leaves names and indexes in order, and changes nothing the second time", async () => {
    await fc.assert(
      fc.asyncProperty(
        others,
        known,
        fc.array(oneImport, { minLength: 1, maxLength: 2 }),
        async (their, ours, imports) => {
          const context = await projectContext({ db: ":memory:" });
          await keep(await projectContext({ store: context.store, project: "theirs" }), their);
          await remember(context, ours);
          for (const { records, rebind } of imports) {
            const before = await contentsOf(context);

            const report = await keepUnlessRefused(context, records, rebind);

            const after = await contentsOf(context);
            const names = (await recordsOf(context)).flatMap(({ record: { name, aliases } }) =>
              [name ?? [], aliases].flat(),
            );
            expect(report ?? after).toEqual(report ?? before);
            expect(await context.store.read(countOutOfStep)).toBe(0);
            expect(names).toHaveLength(new Set(names).size);
            // Whoever was merged with what something newer replaces then comes anew the next time.
            const again = report?.updated === 0 ? await keep(context, records, { rebind }) : nothingNew;
            expect(again).toMatchObject(nothingNew);
            expect(await contentsOf(context)).toEqual(after);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
});

const nothingNew = { added: 0, updated: 0, merged: 0, takenFrom: [] };

/** Undefined where it was refused by the line of a record. */
async function keepUnlessRefused(
  context: MemoryContext,
  records: Brought[],
  rebind: boolean,
): Promise<IntakeReport | undefined> {
  try {
    return await keep(context, records, { rebind });
  } catch (error) {
    const isRefusal = error instanceof MemoryError && error.code === "import-refused";
    if (isRefusal && /^memories\.jsonl:\d+: /.test(error.message)) return undefined;
    throw error;
  }
}

interface Brought {
  record: Partial<MemoryRecord> & { content: string };
  history: StoredChange[];
}

// Few of each, so that they meet.
const content = fc.constantFrom("Use pnpm", "Use npm", "Deploy on Friday");
const name = fc.constantFrom("tool", "rule", "day");
const tags = fc.subarray(["build", "ci"]);
// The last is what the project calls the first if another project has it.
const id = fc.constantFrom(idOf(1), idOf(2), idOf(3), idFrom("test", idOf(1)));
const time = fc.constantFrom("2026-01-01T00:00:00.000Z", "2026-06-01T00:00:00.000Z", noon);
const relations = fc
  .subarray([idOf(1), idOf(2)])
  .map((ids) => ids.map((memory) => ({ kind: "validates" as const, memory, confidence: 1, automatic: false })));
const metadata = fc.constantFrom({}, { version: 1 }, { version: 2 });

const history: fc.Arbitrary<StoredChange[]> = fc
  .array(fc.record({ tags: fc.tuple(tags, tags), relations: fc.tuple(relations, relations) }), { maxLength: 2 })
  .map((changes) =>
    changes.map((fields, index) => ({
      number: index + 2,
      verb: "edited" as const,
      at: noon,
      operation: idOf(70 + index),
      fields,
    })),
  );

const said = fc.record(
  { content, name, aliases: fc.uniqueArray(name, { maxLength: 2 }), tags, metadata, relations },
  { requiredKeys: ["content"] },
);
const withoutId = fc.record({ record: said, history });
const withId = fc.record({
  record: fc
    .tuple(
      said,
      fc.record({ id, updatedAt: time, supersededBy: id, forgottenAt: time }, { requiredKeys: ["id", "updatedAt"] }),
    )
    .map(([words, facts]) => stored({ ...words, ...facts })),
  history,
});
const oneImport = fc.record({
  records: fc.array(fc.oneof(withoutId, withId), { maxLength: 6 }),
  rebind: fc.boolean(),
});
const known = fc.uniqueArray(fc.record({ content, name }, { requiredKeys: ["content"] }), {
  selector: ({ name: own, content: text }) => own ?? text,
  maxLength: 3,
});
const others = fc.uniqueArray(id, { maxLength: 2 }).map((ids) => ids.map((one) => stored({ id: one, content: one })));
