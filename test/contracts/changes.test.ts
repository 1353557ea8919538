import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import type { Writer } from "../../src/storage/storage.js";
import type { noteChanges } from "../../src/memory/history/history.js";
import type { insertMemory } from "../../src/memory/remember/remember.js";
import type { removeRows } from "../../src/memory/retention/purge.js";
import type { writeFields } from "../../src/memory/write/write.js";
import { openTestMemory } from "../support/open-memories.js";
import { outcomeOf, performVerb, type Trace } from "../support/perform-verb.js";
import { describeVerb, effects, expectedOf, type Effect, type WritingVerb } from "../support/writing-verb.js";
import { otherFunctions, writingVerbs } from "../support/writing-verbs.js";

const src = join(import.meta.dirname, "..", "..", "src");

const rows = writingVerbs.flatMap((verb) =>
  effects.map((effect): [string, WritingVerb, Effect] => [describeVerb(verb, effect), verb, effect]),
);

describe("a verb that changes memories", () => {
  it.each(rows)("[CH1] %s", async (_, verb, effect) => {
    const trace = await traceOf(verb);

    expect(outcomeOf(effect, trace)).toBe(expectedOf(verb, effect).outcome);
  });

  it("[CH1] stands in the table, and every other function among those that change no memory", async () => {
    const functions = functionsOf(await openTestMemory());

    const writing = new Set(writingVerbs.map(({ name }) => name));
    const unknown = [...functions].filter((name) => !writing.has(name) && !otherFunctions.includes(name));
    expect(
      unknown,
      "Does it change memories? Then give it a row in test/support/editing-verbs.ts, session-verbs.ts or exchange-verbs.ts, " +
        "and see whom it reaches. If it does not, name it in otherFunctions of test/support/writing-verbs.ts.",
    ).toEqual([]);
    expect([...writing, ...otherFunctions].filter((name) => !functions.has(name))).toEqual([]);
    expect(otherFunctions.filter((name) => writing.has(name))).toEqual([]);
  });

  it("[CH1] stands there once by each title", () => {
    const titles = rows.map(([title]) => title);

    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

describe("rows of memories", () => {
  it("[CH1] are written by few files, each with a writer that notes it, or for a reason", () => {
    const writing = filesBelow(src).filter((file) => writesRows(readFileSync(join(src, file), "utf8")));

    expect(
      writing.toSorted(),
      "Rows of memories are written through a MemoryWriter, so that whoever follows changes is told. Use the functions of " +
        "memory/write and memory/remember, or say in this test why nobody needs to know.",
    ).toEqual([...noting, ...Object.keys(unnoted)].toSorted());
    for (const file of noting) {
      expect(readFileSync(join(src, file), "utf8"), `${file} takes no MemoryWriter.`).toMatch(/MemoryWriter|Intake\b/);
    }
  });

  it("[CH1] are written by nothing that a plain writer is handed to", () => {
    // Checked by the compiler: it refuses a comment that expects an error where there is none.
    const withPlainWriter = (
      writer: Writer,
      verbs: [typeof insertMemory, typeof noteChanges, typeof writeFields, typeof removeRows],
      [project, memory, operation, now]: [never, never, never, Date],
    ) => [
      // @ts-expect-error A plain writer notes nothing.
      () => verbs[0](writer, project, memory, now),
      // @ts-expect-error A plain writer notes nothing.
      () => verbs[1](writer, project, operation, async () => undefined),
      // @ts-expect-error A plain writer notes nothing.
      () => verbs[2](writer, project, 1, {}, now),
      // @ts-expect-error A plain writer notes nothing.
      () => verbs[3](writer, project, [1]),
    ];

    expect(withPlainWriter).toBeTypeOf("function");
  });
});

/** Those that take a `MemoryWriter`, or an intake, which holds one. */
const noting = [
  "exchange/intake/insert-records.ts",
  "exchange/intake/replace-older.ts",
  "exchange/intake/store-deferred.ts",
  "memory/damage/damaged-memories.ts",
  "memory/remember/insert-memory.ts",
  "memory/retention/purge.ts",
  "memory/write/replace-memory.ts",
  "memory/write/write-fields.ts",
];

const unnoted: Record<string, string> = {
  "code-memory/links/write-places.ts": "called within noteChanges by follow-moves.ts, and for links that are no change",
  "embedding/vectors/repair-vectors.ts": "which model embedded it",
  "embedding/vectors/store-vectors.ts": "which model embedded it",
  "memory/retention/access-counter.ts": "how often it was used",
  "memory/write/add-provenance.ts": "that a further session said it",
  "storage/conversation-migration.ts": "a migration",
  "storage/damaged-texts.ts": "any table, by its name; damaged-memories.ts notes it",
  "storage/migrations.ts": "a migration",
};

/** Whether a file holds SQL that writes rows of `memories`, or of a table that it has by name. */
function writesRows(text: string): boolean {
  const table = String.raw`(?:memories\b|\$\{table\})`;
  const verbs = [String.raw`INSERT(?: OR \w+)? INTO`, String.raw`UPDATE(?: OR \w+)?`, "DELETE FROM", "REPLACE INTO"];
  const found = text.match(new RegExp(String.raw`\b(?:${verbs.join("|")})\s+${table}[^\n]*`, "g")) ?? [];
  // Which of its tables ground-queries.ts writes stands beside it.
  return found.some((line) => !line.includes("${table} WHERE memory_key"));
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !file.includes("/fixtures/"));
}

/** Every function as a program writes it: `memory.recall`, `memory.review.pending`, `conversation.append`. */
function functionsOf(memory: TacitMemory): Set<string> {
  const walk = (part: object, path: string): string[] =>
    Object.entries(part).flatMap(([name, value]: [string, unknown]): string[] => {
      if (typeof value === "function") return [`${path}.${name}`];
      return typeof value === "object" && value !== null ? walk(value, `${path}.${name}`) : [];
    });
  return new Set([...walk(memory, "memory"), ...walk(memory.conversation("s"), "conversation")]);
}

const performed = new Map<WritingVerb, Promise<Trace>>();
// Most of the time a verb waits for what goes on in the background.
const atOnce = 4;

/** What a verb did: it is performed once for all who follow, and the next ones of the table are begun meanwhile. */
function traceOf(verb: WritingVerb): Promise<Trace> | undefined {
  const at = writingVerbs.indexOf(verb);
  for (const one of writingVerbs.slice(at, at + atOnce)) {
    if (performed.has(one)) continue;
    const trace = performVerb(one);
    // Whoever asks for it sees what went wrong.
    trace.catch(() => undefined);
    performed.set(one, trace);
  }
  return performed.get(verb);
}
