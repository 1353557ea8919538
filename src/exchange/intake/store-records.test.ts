import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { arbitraryRecord } from "../../../test/support/arbitrary-record.js";
import { contentsOf, idOf, keep, noon, projectContext, recordsOf, stored } from "../../../test/support/keep-records.js";
import { runs } from "../../../test/support/property-runs.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Json } from "../../base/base.js";
import { contextId } from "../../memory/record/context-id.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import { getMemory } from "../../memory/read/get-memory.js";
import type { FieldChanges, StoredChange } from "../../memory/history/stored-changes.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { readProject } from "../../project/project-context.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { ArrivingRecord } from "./intake.js";
import { storeRecords } from "./store-records.js";

describe("keeping records", () => {
  it("[E1] keeps every field as it came, with its history", async () => {
    const context = await projectContext();

    const report = await keep(context, [
      { record: everyField, history: twoChanges },
      stored({ id: idOf(2), content: "the other one" }),
    ]);

    expect(report).toMatchObject({ added: 2, updated: 0, unchanged: 0, merged: 0 });
    expect((await recordsOf(context))[0]).toEqual({ record: everyField, history: twoChanges });
  });

  it("[E7] changes nothing when the same records come again, whatever they are", async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, async (records) => {
        const context = await projectContext({ db: ":memory:" });
        await keepUnlessRefused(context, records);
        const once = await contentsOf(context);

        const again = await keep(context, records);

        expect(again).toMatchObject({ added: 0, updated: 0, merged: 0 });
        expect(await contentsOf(context)).toEqual(once);
      }),
      { numRuns: runs(50) },
    );
  });

  it("gives to another store what it kept without a difference, and its indexes are in step", async () => {
    await fc.assert(
      fc.asyncProperty(someRecords, async (records) => {
        const context = await projectContext({ db: ":memory:" });
        await keepUnlessRefused(context, records);
        const once = await recordsOf(context);
        const other = await projectContext({ db: ":memory:" });

        await keep(other, once);

        expect(await recordsOf(other)).toEqual(once);
        expect(await other.store.read(countOutOfStep)).toBe(0);
      }),
      { numRuns: runs(50) },
    );
  });

  it("keeps more than fits into a page, in their order, with their words and facets", async () => {
    const context = await projectContext();
    const records = Array.from({ length: 1001 }, (_, n) =>
      stored({ id: idOf(n), content: `memory number${n}`, tags: [`tag${n % 7}`], relatedFiles: [`src/${n % 3}.ts`] }),
    );

    const report = await keep(context, records);

    expect(report.added).toBe(1001);
    expect((await recordsOf(context)).map(({ record }) => record.id)).toEqual(records.map(({ id }) => id));
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it("takes what is missing for what it is by default, and now", async () => {
    const context = await projectContext();

    await keep(context, [{ content: "a turn", type: "conversation", sessionId: "s1" }]);

    const [kept] = await recordsOf(context);
    expect(kept?.record).toMatchObject({
      scope: "global",
      visibility: "personal",
      confidence: 0.8,
      citationText: "a turn",
      provenanceSessionIds: ["s1"],
      createdAt: noon,
      storedAt: noon,
      updatedAt: noon,
      validFrom: noon,
      expiresAt: "2026-12-15T12:00:00.000Z",
    });
  });

  it("makes the files of what is new relative to the project, and leaves those of another store", async () => {
    const context = await projectContext();
    const { root } = await context.folder();
    const relation = { kind: "validates", confidence: 1, automatic: false } as const;
    const files = {
      relatedFiles: [join(root, "a.ts"), "./a.ts"],
      relations: [{ ...relation, file: join(root, "a.ts") }],
    };

    await keep(context, [{ content: "new", ...files }, stored({ content: "old", ...files })]);

    const [fresh, old] = (await recordsOf(context)).map(({ record }) => record);
    expect(fresh).toMatchObject({ relatedFiles: ["a.ts"], relations: [{ ...relation, file: "a.ts" }] });
    expect(old).toMatchObject(files);
  });

  it("lets what comes from another store fade from when it arrived", async () => {
    const context = await projectContext();

    await keep(context, [stored({ id: idOf(1), type: "work_state", content: "an old state of work" })]);

    const memory = await readProject(context, undefined, async (reader, project) =>
      getMemory(reader, project, idOf(1), context.now()),
    );
    expect(memory?.memory).toMatchObject({ confidence: 0.8, currentConfidence: 0.8 });
  });

  it("takes what was set under a key elsewhere for what is set under it here, the newest, and leaves what stood beside it", async () => {
    const context = await projectContext();
    const set = { type: "context", scope: "session", metadata: { context_key: "task" } } as const;
    const [one, other] = ["elsewhere", "else"].map((id) => contextId({ id }, "task")) as [string, string];

    const report = await keep(context, [
      stored({ ...set, id: one, content: "Build the shelf", updatedAt: "2026-11-15T08:00:00.000Z" }),
      stored({ ...set, id: idOf(2), content: "Burn the shelf", updatedAt: "2026-11-15T10:00:00.000Z" }),
      stored({ ...set, id: other, content: "Paint the shelf", updatedAt: "2026-11-15T09:00:00.000Z" }),
      stored({
        ...set,
        id: other,
        content: "Sell the shelf",
        updatedAt: "2026-11-15T11:00:00.000Z",
        trustFlags: ["unverified"],
      }),
    ]);

    expect(report).toMatchObject({ added: 2, updated: 1, unchanged: 1 });
    expect((await recordsOf(context)).map(({ record: { id, content } }) => [id, content])).toEqual([
      [contextId({ id: "test" }, "task"), "Paint the shelf"],
      [idOf(2), "Burn the shelf"],
    ]);
  });

  it("keeps each number to its last digit", async () => {
    const context = await projectContext();
    // SQLite reads these from JSON as their neighbours.
    const shares = [0.0580978488426287, 0.0780862166236704, 0.4154200331026143, 5.134973101064115e-12, 0.8];

    await keep(
      context,
      shares.map((confidence, n) => stored({ id: idOf(n), content: `sure of ${n}`, confidence })),
    );

    expect((await recordsOf(context)).map(({ record }) => record.confidence)).toEqual(shares);
  });

  it("cleans every text, those of its history too, and says so", async () => {
    const folder = temporaryFolder();
    const context = await projectContext({ db: join(folder, "memory.db") });
    const secret = ["ghp", "0123456789abcdefABCDEF0123456789abcd"].join("_");
    const history: StoredChange[] = [
      { number: 2, verb: "edited", at: noon, operation: idOf(9), fields: { content: [`with ${secret}`, "without"] } },
    ];

    const report = await keep(context, [
      { record: stored({ content: `call it with ${secret}`, tags: [secret], metadata: { secret } }), history },
      stored({ id: idOf(2), content: "nothing to hide" }),
    ]);

    expect(report.redacted).toBe(1);
    for (const file of readdirSync(folder)) expect(readFileSync(join(folder, file), "latin1")).not.toContain(secret);
    expect((await recordsOf(context))[0]?.record.trustFlags).toEqual(["secret-redacted"]);
  });

  it("[E6] refuses them all for the first that does not fit, by its line, and changes nothing", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const context = await projectContext({ db });

    const refused = keep(context, [{ content: "good" }, { content: "bad\0" }, { content: "worse\0" }]);

    await expect(refused).rejects.toMatchObject({
      code: "import-refused",
      message: expect.stringContaining("memories.jsonl:2: content has a NUL character"),
      hint: expect.stringContaining("NUL"),
    });
    expect(existsSync(db)).toBe(false);
  });

  it.each([
    ["a name that looks like an id", { content: "a", name: "deadbeef" }, "A name has the form of an id"],
    ["data that does not fit its type", { content: "a", type: "dead_end", data: { a: 1 } }, "data of a dead_end"],
    ["nothing but a private part", { content: "<private>a</private>" }, "All of the text is marked as private"],
    ["an empty tag", { content: "a", tags: [" "] }, "A tag is empty"],
  ])("refuses %s", async (_what, record, message) => {
    const context = await projectContext();

    const refused = keep(context, [record]);

    await expect(refused).rejects.toMatchObject({ code: "import-refused", message: expect.stringContaining(message) });
  });

  it("refuses a history that counts wrong", async () => {
    const context = await projectContext();
    const [, change] = twoChanges;

    const refused = keep(context, [{ record: stored({ content: "a" }), history: [change, change] as StoredChange[] }]);

    await expect(refused).rejects.toThrow("memories.jsonl:1: its history has two changes of one number.");
  });

  it("passes on what stops the reading, and changes nothing", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "known" }]);
    const before = await contentsOf(context);
    async function* broken(): AsyncGenerator<ArrivingRecord> {
      yield { record: { content: "one" }, origin: "a:1" };
      throw new Error("the disk is gone");
    }

    await expect(storeRecords(context, broken())).rejects.toThrow("the disk is gone");

    expect(await contentsOf(context)).toEqual(before);
  });

  it("creates nothing for nothing", async () => {
    const db = join(temporaryFolder(), "memory.db");

    const report = await keep(await projectContext({ db }), []);

    expect(report).toMatchObject({ added: 0, updated: 0, unchanged: 0, merged: 0 });
    expect(existsSync(db)).toBe(false);
  });

  it("tells how far it is, reading and writing", async () => {
    const context = await projectContext();
    const told: string[] = [];
    const records = Array.from({ length: 900 }, (_, n) => ({ content: `memory ${n}` }));

    await keep(context, records, { onProgress: (done, phase) => void told.push(`${phase} ${done}`) });

    expect(told).toEqual(["reading 500", "reading 900", "writing 400", "writing 800", "writing 900"]);
  });

  it("leaves nothing in the folder for temporary files, and shows nothing there while it works", async () => {
    const context = await projectContext();
    const folder = temporaryFolder();
    const usual = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    onTestFinished(() => {
      if (usual === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = usual;
    });
    const seen: string[] = [];

    await keep(context, [{ content: "a", name: "a" }], { onProgress: () => void seen.push(...readdirSync(folder)) });
    await keep(context, [{ content: "b", name: "a" }]).catch(() => undefined);

    expect(seen).toEqual([]);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("trying out", () => {
  it("tells what would become of the records, and changes nothing", async () => {
    const context = await projectContext();
    await keep(context, [stored({ id: idOf(1), content: "known" }), stored({ id: idOf(2), content: "old" })]);
    const before = await contentsOf(context);
    const records = [
      stored({ id: idOf(1), content: "known" }),
      stored({ id: idOf(2), content: "new", updatedAt: noon }),
      { content: "known", tags: ["again"] },
      { content: "unheard of" },
    ];

    const report = await keep(context, records, { dryRun: true });

    expect(report).toMatchObject({ added: 1, updated: 1, unchanged: 1, merged: 1 });
    expect(await contentsOf(context)).toEqual(before);
    expect(await keep(context, records)).toEqual(report);
  });

  it("creates no store", async () => {
    const db = join(temporaryFolder(), "memory.db");

    const report = await keep(await projectContext({ db }), [{ content: "a" }, { content: "a" }], { dryRun: true });

    expect(report).toMatchObject({ added: 1, updated: 0, unchanged: 1, merged: 0 });
    expect(existsSync(db)).toBe(false);
  });

  it("refuses what the real run would refuse", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "holder", name: "rule" }]);

    await expect(keep(context, [{ content: "a", name: "rule" }], { dryRun: true })).rejects.toMatchObject({
      code: "import-refused",
    });
  });
});

const everyField: MemoryRecord = {
  id: idOf(1),
  type: "gotcha",
  content: "  kept to the last blank \n",
  name: "blanks",
  aliases: ["empty", "white space"],
  data: { any: ["thing", null] },
  metadata: { n: 1, deep: { list: [true, null, "x"] } },
  tags: ["a", "b"],
  relatedFiles: ["src/a.ts", "/outside/b.ts"],
  relatedModules: ["core"],
  confidence: 0,
  scope: "work_unit",
  visibility: "team",
  source: "qa_auto",
  sessionId: "s1",
  agent: "claude",
  commit: "abc",
  branch: "main",
  provenanceSessionIds: ["s1", "s2"],
  graphNodes: ["node-1"],
  relations: [
    { kind: "required_with", memory: idOf(2), confidence: 0.5, automatic: false },
    { kind: "validates", file: "src/b.ts", confidence: 1, automatic: true },
  ],
  halfLifeDays: 3,
  expiresAt: "2999-01-01T00:00:00.000Z",
  validFrom: "2020-02-03T04:05:06.007Z",
  validUntil: "2021-01-01T00:00:00.000Z",
  supersededBy: idOf(2),
  review: { state: "flagged", reason: "not so" },
  trustFlags: ["tainted"],
  userVerified: true,
  pinned: true,
  citationText: "blanks stay",
  workUnit: { methodology: "native", hierarchy: ["spec_1", "task_2"], label: "Spec 1 / Task 2" },
  methodology: "native",
  chunk: { kind: "function", startLine: 1, endLine: 9, contextPrefix: "File: a" },
  accessCount: 7,
  usesSinceCorrection: 3,
  lastAccessedAt: "2026-05-01T00:00:00.000Z",
  createdAt: "2020-02-03T04:05:06.007Z",
  storedAt: "2025-01-01T00:00:00.000Z",
  updatedAt: "2026-06-01T00:00:00.000Z",
};

const twoChanges: StoredChange[] = [
  { number: 1, verb: "remembered", at: noon, operation: idOf(70), fields: {} },
  { number: 2, verb: "superseded", at: noon, operation: idOf(71), fields: { supersededBy: [null, idOf(2)] } },
];

/** Some memories of one project: no name twice, and each change of a memory with its number. */
const someRecords = fc
  .uniqueArray(
    fc.record({
      record: arbitraryRecord,
      told: fc.array(fc.tuple(arbitraryRecord, arbitraryRecord), { maxLength: 2 }),
    }),
    {
      selector: ({ record }) => record.id,
      maxLength: 6,
    },
  )
  .map((brought) => {
    const taken = new Set<string>();
    const take = (name: string) => !taken.has(name) && taken.add(name).size > 0;
    return brought.map(({ record: { name, ...record }, told }) => ({
      record: {
        ...record,
        ...(name !== undefined && take(name) && { name }),
        aliases: record.aliases.filter(take),
      },
      history: told.map(([before, after], index) => toldChange(index + 2, before, after)),
    }));
  });

/** A change that made one record of another, as far as a history tells. */
function toldChange(number: number, before: MemoryRecord, after: MemoryRecord): StoredChange {
  const fields: FieldChanges = {};
  for (const field of [
    "content",
    "tags",
    "metadata",
    "relations",
    "review",
    "data",
    "confidence",
    "expiresAt",
  ] as const) {
    fields[field] = [(before[field] ?? null) as Json, (after[field] ?? null) as Json];
  }
  return { number, verb: "edited", at: before.createdAt, operation: after.id, fields };
}

/** Any texts may hold what hygiene refuses; that is not what is asked here. */
async function keepUnlessRefused(...[context, records]: Parameters<typeof keep>): Promise<void> {
  const wasRefused = await keep(context, records).then(
    () => false,
    (error: { code?: string }) => {
      if (error.code === "import-refused") return true;
      throw error;
    },
  );
  fc.pre(!wasRefused);
}
