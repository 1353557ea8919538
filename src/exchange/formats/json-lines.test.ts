import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryHistory, arbitraryRecord } from "../../../test/support/arbitrary-record.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { MemoryError } from "../../base/memory-error.js";
import type { MemoryRecord } from "../../memory/memory.js";
import type { IncomingMemory } from "./incoming.js";
import { parseJsonLines, parseLine, renderHeader, renderLine } from "./json-lines.js";
import { fieldNames } from "./record-fields.js";

describe("a line", () => {
  it("gives back every memory with its history, and the same bytes when written again", () => {
    fc.assert(
      fc.property(arbitraryRecord, arbitraryHistory, (record, history) => {
        const line = renderLine(record, history);
        const parsed = parseLine(line, "m.jsonl:2") as IncomingMemory;

        expect(line).not.toContain("\n");
        expect(parsed.record).toEqual(record);
        expect(parsed.history ?? []).toEqual(history);
        expect(renderLine(parsed.record as MemoryRecord, parsed.history)).toBe(line);
      }),
    );
  });

  it("holds its fields in one order, whatever the order they come in", () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        const shuffled = Object.fromEntries(Object.entries(record).toReversed()) as unknown as MemoryRecord;
        const keys = Object.keys(JSON.parse(renderLine(record)) as object);

        expect(renderLine(shuffled)).toBe(renderLine(record));
        expect(keys).toEqual(fieldNames.filter((field) => keys.includes(field)));
      }),
    );
  });

  it("sorts aliases and relations, and keeps the order of free values", () => {
    const line = renderLine({
      ...plain,
      aliases: ["b", "a"],
      metadata: { z: 1, a: 2 },
      relations: [
        { kind: "similar", memory: plain.id, confidence: 0.5, automatic: true },
        { kind: "derived_from", file: "b.ts", confidence: 1, automatic: false },
        { kind: "derived_from", file: "a.ts", confidence: 1, automatic: false },
      ],
    });

    expect(line).toContain('"aliases":["a","b"]');
    expect(line).toContain('"metadata":{"z":1,"a":2}');
    expect(line).toContain(
      '"relations":[{"kind":"derived_from","file":"a.ts","confidence":1},' +
        '{"kind":"derived_from","file":"b.ts","confidence":1},' +
        `{"kind":"similar","memory":"${plain.id}","confidence":0.5,"automatic":true}]`,
    );
  });

  it("leaves out what is default, except how sure we are", () => {
    expect(renderLine({ ...plain, confidence: 0.8 })).toBe(
      `{"id":"${plain.id}","type":"note","content":"The build needs Node 20","confidence":0.8,` +
        '"validFrom":"2026-11-15T08:00:00.000Z","citationText":"The build needs Node 20",' +
        '"createdAt":"2026-11-15T08:00:00.000Z","storedAt":"2026-11-15T08:00:00.000Z",' +
        '"updatedAt":"2026-11-15T08:00:00.000Z"}',
    );
  });

  it("needs only content, and gives each memory lists of its own", () => {
    const first = parseLine('{"content":"a"}', "m.jsonl:1") as IncomingMemory;
    first.record.tags?.push("changed");
    const second = parseLine('{"content":"a"}', "m.jsonl:2") as IncomingMemory;

    expect(second.record).toMatchObject({ content: "a", tags: [], scope: "global", visibility: "personal" });
    expect(second.record).not.toHaveProperty("id");
    expect(second.origin).toBe("m.jsonl:2");
  });

  it("takes times in any form of ISO 8601 and ids in capitals, and gives them as they are stored", () => {
    const { record } = parseLine(
      JSON.stringify({ content: "a", createdAt: "2026-11-15T09:00+01:00", id: plain.id.toUpperCase() }),
      "m.jsonl:1",
    ) as IncomingMemory;

    expect(record).toMatchObject({ createdAt: "2026-11-15T08:00:00.000Z", id: plain.id });
  });

  it.each([
    ["{", "this line is not valid JSON"],
    ['["content"]', "this line is not a JSON object"],
    ['{"type":"note"}', "content is missing"],
    ['{"content":" \\n"}', "content must be a text with something in it"],
    ['{"content":"a\\u0000"}', "content must be a text"],
    ['{"content":"a\\ud800"}', "content must be a text"],
    ['{"content":"a","tag":["b"]}', 'a memory has no field "tag"'],
    ['{"content":"a","__proto__":{}}', 'a memory has no field "__proto__"'],
    ['{"content":"a","tags":"b"}', "tags must be a list of texts"],
    ['{"content":"a","tags":[""]}', "tags must be a list of texts"],
    ['{"content":"a","id":"mem_1"}', "id must be an id"],
    ['{"content":"a","type":"No Type"}', "type must be a type"],
    ['{"content":"a","name":"0123abcd"}', "name must be a name"],
    ['{"content":"a","confidence":1.1}', "confidence must be a number from 0 to 1"],
    ['{"content":"a","scope":"project"}', "scope must be one of global, module, work_unit, session"],
    ['{"content":"a","createdAt":"2026-02-30"}', "createdAt must be a time"],
    ['{"content":"a","accessCount":1.5}', "accessCount must be a whole number"],
    ['{"content":"a","metadata":[]}', "metadata must be an object"],
    ['{"content":"a","metadata":{"a":"\\ud800"}}', "metadata must be an object"],
    [`{"content":"a","metadata":{"a":${"[".repeat(99)}${"]".repeat(99)}}}`, "metadata must be an object of at most 32"],
    ['{"content":"a","review":{"state":"done"}}', "review must be { state, reason? }"],
    ['{"content":"a","review":{"state":"none","by":"me"}}', "review must be { state, reason? }"],
    ['{"content":"a","relations":[{"kind":"similar"}]}', "relations must be a list of"],
    [
      '{"content":"a","relations":[{"kind":"similar","file":"a"},{"kind":"similar","file":"a"}]}',
      "nothing in it twice",
    ],
    ['{"content":"a","history":[{"number":1}]}', "history must be a list of"],
    [`{"content":"a","history":[${change({ verb: "sung" })}]}`, "history must be a list of"],
    [`{"content":"a","history":[${change({ fields: { tags: ["b"] } })}]}`, "history must be a list of"],
    ['{"format":"other","version":1}', "this header is of another format"],
    ['{"format":"tacit-memories","version":2}', "the file is of version 2 of its format"],
  ])("refuses %s", (line, what) => {
    const act = () => parseLine(line, "m.jsonl:7");

    expect(act).toThrow(MemoryError);
    expect(act).toThrow(`m.jsonl:7: `);
    expect(act).toThrow(what);
  });

  it("never quotes the text that it refuses", () => {
    const act = () => parseLine('{"content": password=hunter2}', "m.jsonl:1");

    expect(act).toThrow(expect.not.objectContaining({ message: expect.stringContaining("hunter2") }));
    expect(act).toThrow(expect.not.objectContaining({ cause: expect.anything() }));
  });
});

describe("a file of lines", () => {
  it("is read whatever the pieces it comes in", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryRecord, { maxLength: 4 }),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.boolean(),
        fc.integer({ min: 1, max: 200 }),
        async (records, lineEnd, ended, size) => {
          const lines = [renderHeader(), ...records.map((record) => renderLine(record))];
          const bytes = Buffer.from(`\uFEFF${lines.join(lineEnd)}${ended ? lineEnd : ""}`);
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
            bytes.subarray(index * size, (index + 1) * size),
          );

          const read = await readAll(pieces);

          expect(read.map(({ record }) => record)).toEqual(records);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("may come as text, and without a header", async () => {
    const read = await readAll(['\uFEFF{"content":"a"}\r', '\n\n{"content":', '"b"}']);

    expect(read.map(({ record, origin }) => [record.content, origin])).toEqual([
      ["a", "m.jsonl:1"],
      ["b", "m.jsonl:3"],
    ]);
  });

  it("keeps line separators of Unicode within a line", async () => {
    const [read] = await readAll([renderLine({ ...plain, content: "a\u2028b\u0085c" })]);

    expect(read?.record.content).toBe("a\u2028b\u0085c");
  });

  it("gives what stands before the first wrong line, and names that line", async () => {
    const seen: string[] = [];
    const act = async () => {
      for await (const { record } of parseJsonLines(streamOf(['{"content":"a"}\n{"content":\n']), "m.jsonl")) {
        seen.push(record.content);
      }
    };

    await expect(act()).rejects.toThrow("m.jsonl:2: this line is not valid JSON");
    expect(seen).toEqual(["a"]);
  });

  it("refuses bytes that are no UTF-8, also at the very end", async () => {
    await expect(readAll([Buffer.from([0x7b, 0xff, 0x7d])])).rejects.toThrow("m.jsonl:1: the text is not UTF-8");
    await expect(readAll([Buffer.from('{"content":"a"}\n'), Buffer.from([0xc3])])).rejects.toThrow(
      "m.jsonl:2: the text is not UTF-8",
    );
  });

  it("refuses a line that never ends, before it has read it", async () => {
    let pulled = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        pulled += 1;
        yield "x".repeat(1024 * 1024);
      }
    }
    const act = parseJsonLines(endless(), "m.jsonl").next();

    await expect(act).rejects.toThrow("m.jsonl:1: this line is longer than 64 MiB");
    expect(pulled).toBe(65);
  });
});

const plain = sampleRecord({ type: "note", content: "The build needs Node 20", confidence: 1 });

function change(changed: object): string {
  const whole = { number: 2, verb: "edited", at: plain.createdAt, operation: plain.id, fields: {}, ...changed };
  return JSON.stringify(whole);
}

async function readAll(pieces: (string | Uint8Array)[]): Promise<IncomingMemory[]> {
  const read: IncomingMemory[] = [];
  for await (const memory of parseJsonLines(streamOf(pieces), "m.jsonl")) read.push(memory);
  return read;
}

async function* streamOf(pieces: (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* pieces;
}
