import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { arbitraryHistory, arbitraryRecord } from "../../test/arbitrary-record.js";
import { contentsOf, idOf, keep, noon, projectStore, recordsOf, stored } from "../../test/keep-records.js";
import { temporaryFolder } from "../../test/temporary-folder.js";
import { countOutOfStep } from "./derived-indexes.js";
import type { MemoryRecord } from "./memory-record.js";
import { remember } from "./remember.js";

describe("keepRecords", () => {
  it("keeps every field as it came, with its history", async () => {
    const from = projectStore();
    const history = [
      { number: 1, verb: "remembered" as const, at: noon, operation: idOf(70), fields: {} },
      { number: 2, verb: "edited" as const, at: noon, operation: idOf(71), fields: { tags: [["b"], ["a"]] as [string[], string[]] } },
    ];

    const report = await keep(from, [{ record: everyField, history }, stored({ id: idOf(2), content: "the other" })]);

    expect(report).toEqual({ added: 2, updated: 0, unchanged: 0, merged: 0 });
    expect((await recordsOf(from))[0]).toEqual({ record: everyField, history });
  });

  it("changes nothing when the same records come again, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ record: arbitraryRecord, history: arbitraryHistory }), {
          selector: ({ record }) => record.id,
          maxLength: 6,
        }),
        async (brought) => {
          const records = withNamesOnce(brought);
          const from = projectStore();
          await keep(from, records);
          const once = await contentsOf(from);

          const again = await keep(from, records);

          expect(again).toMatchObject({ added: 0, updated: 0, merged: 0 });
          expect(await contentsOf(from)).toEqual(once);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("gives what it kept to another store without a difference", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ record: arbitraryRecord, history: arbitraryHistory }), {
          selector: ({ record }) => record.id,
          maxLength: 6,
        }),
        async (brought) => {
          const from = projectStore();
          await keep(from, withNamesOnce(brought));
          const once = await recordsOf(from);
          const other = projectStore();

          await keep(other, once);

          expect(await recordsOf(other)).toEqual(once);
          expect(await from.store.read(countOutOfStep)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

/** Two memories of a project share no name, and the changes of one no number. */
function withNamesOnce(brought: { record: MemoryRecord; history: { number: number }[] }[]): Parameters<typeof keep>[1] {
  return []
}
