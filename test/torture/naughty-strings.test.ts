// Strings that have broken other programs, in every place that takes a string. They come back exactly, or are refused
// by name, or lose what hygiene takes out and are flagged; nothing crashes, and every answer is the JSON it claims.
import { tmpdir } from "node:os";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { Memory, MemoryInput, TacitMemory } from "../../src/index.js";
import { missingLists, naughtyStrings as strings } from "../support/hostile-lists.js";
import { library, tacit, temporaryFolder, type CommandRun } from "./programs.js";
import { report, scale } from "./scale.js";

// What hygiene may take out when it says so: all that Unicode calls ignorable, and interlinear annotations.
const invisible = /[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu;

/** Where a memory takes a string: how it is put there, and how it is read again. */
interface Place {
  place: string;
  put: (text: string) => Partial<MemoryInput>;
  read: (memory: Memory) => unknown[];
}

const fields: Place = {
  place: "tag, file, module, session, metadata and data",
  put: (text) => ({
    tags: [text],
    relatedFiles: [text],
    relatedModules: [text],
    sessionId: text,
    metadata: { value: text },
    data: { value: text },
  }),
  read: ({ tags, relatedFiles, relatedModules, sessionId, metadata, data }) => [
    ...tags,
    ...relatedFiles,
    ...relatedModules,
    sessionId,
    metadata["value"],
    data?.["value"],
  ],
};
const places: Place[] = [
  { place: "content", put: (text) => ({ content: text }), read: (memory) => [memory.content] },
  { place: "name", put: (text) => ({ name: text }), read: (memory) => [memory.name] },
  { place: "alias", put: (text) => ({ aliases: [text] }), read: (memory) => memory.aliases },
  {
    place: "file of a relation",
    put: (text) => ({ relations: [{ kind: "validates", file: text, confidence: 1, automatic: false }] }),
    read: (memory) => memory.relations.map(({ file }) => file),
  },
  fields,
];

describe("the naughty strings", () => {
  beforeEach(({ skip }) => skip(missingLists !== undefined, missingLists));

  it.each(places)("as $place come back exactly, refused, or flagged", async ({ place, put, read }) => {
    const { openMemory } = await library();
    const settings = { db: join(temporaryFolder(), "memory.db"), project: "p", directory: temporaryFolder() };
    const memory = await openMemory(settings);
    const kept: { text: string; id: string }[] = [];
    let refused = 0;
    for (const [index, text] of strings.entries()) {
      // The number keeps texts apart that would else be merged, as they are the same but for their blanks.
      const input = { content: `string ${index}`, ...put(text) };
      const outcome = await attempt(memory.remember({ ...input, metadata: { index, ...input.metadata } }));
      if (outcome.refusal === undefined) kept.push({ text, id: outcome.value.id });
      else refused += 1;
    }
    await memory.close();

    const again = await openMemory(settings);
    const wrong: string[] = [];
    for (const { text, id } of kept) {
      const found = await again.get(id);
      wrong.push(...unfaithful(text, found ? read(found) : [], found?.trustFlags ?? []));
    }
    const diagnosis = await again.store.diagnose();
    await again.close();
    report(`naughty strings as ${place}: ${kept.length} kept, ${refused} refused`);

    expect(wrong).toEqual([]);
    expect(kept.length + refused).toBe(strings.length);
    // Refusing must stay the exception, or everything could be refused and this test would pass. What is empty or
    // blank is refused with reason, and a name that begins with a blank or holds a control character.
    expect(refused).toBeLessThan(place === "name" || place === "alias" ? 40 : 10);
    expect(diagnosis.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  });

  it("as filters find the memory they were put to, and no memory without them", async () => {
    const memory = await openTemporary();
    for (const text of strings) {
      await attempt(memory.remember({ content: `memory of ${JSON.stringify(text)}`, ...fields.put(text) }));
    }
    const everything = await memory.list();

    const wrong: string[] = [];
    for (const one of everything.filter((_, index) => index % scale.filterStride === 0)) {
      const { id, tags, relatedFiles, relatedModules, sessionId = "", metadata } = one;
      const [tag = "", file = "", module = ""] = [...tags, ...relatedFiles, ...relatedModules];
      const check = (filter: string, found: Memory[], fits: (memory: Memory) => boolean): void => {
        if (!found.some((other) => other.id === id)) wrong.push(`${filter} does not find ${JSON.stringify(tag)}`);
        if (!found.every((other) => fits(other))) wrong.push(`${filter} finds more than ${JSON.stringify(tag)}`);
      };
      check("tags", await memory.list({ tags }), (other) => other.tags.includes(tag));
      check("files", await memory.list({ files: relatedFiles }), (other) => other.relatedFiles.includes(file));
      check("modules", await memory.list({ modules: relatedModules }), (other) =>
        other.relatedModules.includes(module),
      );
      check("sessionId", await memory.list({ sessionId }), (other) => other.sessionId === sessionId);
      check("metadata", await memory.list({ metadata }), (other) => other.metadata["value"] === metadata["value"]);
      const { value: referred } = await attempt(memory.get(tag));
      if (referred !== undefined) wrong.push(`${JSON.stringify(tag)} refers to ${referred.id}`);
    }
    await memory.close();

    expect(everything.length).toBeGreaterThan(450);
    expect(wrong).toEqual([]);
  });

  it("as questions never fail, find the memory that says them, and stay within the project", async () => {
    const { openMemory } = await library();
    const db = join(temporaryFolder(), "memory.db");
    const mine = await openMemory({ db, project: "mine" });
    const theirs = await openMemory({ db, project: "theirs" });
    const ids = new Map<string, string>();
    for (const [index, text] of strings.entries()) {
      const { value: kept } = await attempt(mine.remember({ content: text, metadata: { index } }));
      if (kept?.trustFlags.length === 0) ids.set(text, kept.id);
      if (index % 5 === 0) await attempt(theirs.remember({ content: text, metadata: { index } }));
    }

    const wrong: string[] = [];
    for (const text of strings) {
      const { value: results = [] } = await attempt(mine.recall(text));
      const id = ids.get(text);
      const isSearchable = mine.explain(text).words.length > 0;
      if (results.some((result) => result.memory.project !== "mine")) wrong.push(`crosses projects: ${text}`);
      if (id !== undefined && isSearchable && !results.some((result) => result.memory.id === id))
        wrong.push(`not found: ${text}`);
    }
    await mine.close();
    await theirs.close();

    expect(wrong).toEqual([]);
  });

  it("through the command line give the same as through the library, in JSON", async () => {
    const { openMemory } = await library();
    const [db, twin] = [join(temporaryFolder(), "memory.db"), join(temporaryFolder(), "memory.db")];
    const stride = Math.max(1, Math.floor(strings.length / scale.stringsThroughCommandLine));
    const chosen = [...strings.entries()]
      .filter(([index]) => index % stride === 0)
      .slice(0, scale.stringsThroughCommandLine);
    const wrong: string[] = [];
    let kept = 0;

    const check = async (index: number, text: string): Promise<void> => {
      const project = `project ${index}`;
      const line = ["--db", db, "--project", project, "--json"];
      const flags = [
        `--tag=${text}`,
        `--file=${text}`,
        `--module=${text}`,
        `--session=${text}`,
        `--metadata=value=${text}`,
      ];
      const input = { content: text, ...fields.put(text), relatedFiles: [asTyped(text)] };
      delete input.data;
      const memory = await openMemory({ db: twin, project, directory: tmpdir() });
      // First with the text as a name too, and where that is refused, without.
      for (const name of [text, undefined]) {
        const expected = await attempt(memory.remember({ ...input, ...(name !== undefined && { name }) }));
        const args = ["remember", ...line, ...flags, ...(name === undefined ? [] : [`--name=${name}`])];
        // In turns as an argument and on standard input, where a line end is added that is not part of the text.
        const run =
          index % 2 === 0 && text !== "-"
            ? await tacit([...args, "--", text])
            : await tacit([...args, "-"], `${text}\n`);
        wrong.push(...differences(text, expected, run));
        if (expected.refusal !== undefined) continue;
        kept += 1;
        break;
      }
      await memory.close();
      const recalled = await tacit(["recall", ...line, "-"], `${text}\n`);
      const { query, results } = documentIn(recalled) ?? {};
      if (query !== text || !Array.isArray(results))
        wrong.push(`recall ${JSON.stringify(text)}: ${JSON.stringify(recalled)}`);
    };
    // Two at a time: starting a process is most of the work, and there are two cores.
    const waiting = [...chosen];
    const lane = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await check(...next);
    };
    await Promise.all([lane(), lane()]);
    const doctor = await tacit(["doctor", "--db", db, "--project", "p", "--json"]);

    report(`naughty strings through the command line: ${kept} of ${chosen.length} kept, the others refused`);
    expect(wrong).toEqual([]);
    expect(chosen.length - kept).toBeLessThan(10);
    expect(documentIn(doctor)).toMatchObject({ ok: true });
  });

  /** A file that is there, seen from where the command line runs, is meant as that file: `.` is a folder. */
  function asTyped(text: string): string {
    const path = resolve(tmpdir(), text);
    return text !== "" && (/^\.\.?\//.test(text) || existsSync(path)) ? path : text;
  }

  /** In what the command line did otherwise than the library. */
  function differences(text: string, expected: Attempt<Memory>, run: CommandRun): string[] {
    const told = `remember ${JSON.stringify(text)}: ${JSON.stringify(run)}`;
    if (expected.refusal !== undefined) {
      const { code, hint } = errorIn(run) ?? {};
      // What the library refuses may be wrong usage already: an empty value of a flag.
      const isSame = code === expected.refusal || (run.code === 2 && code === "usage");
      return isSame && typeof hint === "string" && [1, 2].includes(run.code ?? -1) ? [] : [told];
    }
    const document = documentIn(run) as Memory | undefined;
    if (!document) return [told];
    const parts = (memory: Memory): string =>
      JSON.stringify([...places.flatMap(({ read }) => read(memory)), memory.trustFlags, memory.citationText]);
    return parts(document) === parts(expected.value) ? [] : [told];
  }
});

describe("[H6] any string", () => {
  it("as content comes back exactly, refused with reason, or flagged", async () => {
    const memory = await openTemporary();
    let index = 0;

    const property = fc.asyncProperty(anyString(), async (text) => {
      const outcome = await attempt(memory.remember({ content: text, metadata: { index: index++ } }));
      if (outcome.refusal !== undefined) return isRefusable(text);
      const found = await memory.get(outcome.value.id);
      return unfaithful(text, [found?.content], found?.trustFlags ?? []).length === 0;
    });

    await expect(fc.assert(property, { numRuns: scale.generatedStrings })).resolves.toBeUndefined();
    await memory.close();
  });

  it("in every other place comes back exactly, refused, or flagged", async () => {
    const memory = await openTemporary();
    let index = 0;

    const property = fc.asyncProperty(
      anyString(),
      fc.constantFrom(...places.slice(1)),
      async (text, { place, put, read }) => {
        const input = { content: `memory ${index++}`, ...put(text) };
        const outcome = await attempt(memory.remember({ ...input, metadata: { index, ...input.metadata } }));
        if (outcome.refusal !== undefined) return true;
        const found = await memory.get(outcome.value.id);
        // However an accent is typed, it is the same name.
        const expected = place === "name" || place === "alias" ? text.normalize("NFC") : text;
        return unfaithful(expected, found ? read(found) : [], found?.trustFlags ?? []).length === 0;
      },
    );

    await expect(fc.assert(property, { numRuns: scale.generatedStrings })).resolves.toBeUndefined();
    await memory.close();
  });

  it("as a question throws nothing but a MemoryError, and never finds a memory of another project", async () => {
    const { openMemory } = await library();
    const db = join(temporaryFolder(), "memory.db");
    const mine = await openMemory({ db, project: "mine" });
    const theirs = await openMemory({ db, project: "theirs" });
    const contents = ["deploy on Friday", "日本語の文章", "a b c d e f g 0 1 2 3", "é ß ñ 🦉"];
    await mine.rememberMany(contents.slice(0, 2).map((content, index) => ({ content, name: `${"ab"[index]}` })));
    await theirs.rememberMany(contents.map((content, index) => ({ content, name: `${"abcd"[index]}` })));

    const property = fc.asyncProperty(fc.oneof(anyString(), queryLike()), async (text) => {
      const { value: results = [] } = await attempt(mine.recall(text));
      // A NUL must not cut the question short, so that it means the memory of that name.
      const isCutShort = text.startsWith("a\0") && results.some((result) => result.why.includes("called"));
      return !isCutShort && results.every((result) => result.memory.project === "mine");
    });
    const examples: [string][] = [["a\0"], ["a\0b"], ['"'], ["content:deploy"], ["NEAR(deploy friday)"], ["\ud800"]];

    await expect(fc.assert(property, { numRuns: scale.generatedStrings, examples })).resolves.toBeUndefined();
    await mine.close();
    await theirs.close();
  });

  it("as a project keeps its memories to itself, or is refused", async () => {
    const { openMemory } = await library();
    const db = join(temporaryFolder(), "memory.db");
    const seen = new Set<string>();

    const property = fc.asyncProperty(
      fc.oneof(anyString(), fc.constantFrom("a", "A", "a ", " a", "ä", "a\u0308")),
      async (project) => {
        if (seen.has(project)) return true;
        const opened = await attempt(openMemory({ db, project }));
        if (opened.refusal !== undefined) return true;
        const kept = await attempt(opened.value.remember({ content: "the only one here" }));
        const memories = await opened.value.list();
        await opened.value.close();
        seen.add(project);
        return kept.value?.merged === false && memories.length === 1 && memories[0]?.project === project;
      },
    );
    const examples: [string][] = [["\ud800"], ["\ufffd"], ["a"], ["a\0"]];

    await expect(fc.assert(property, { numRuns: scale.generatedStrings / 5, examples })).resolves.toBeUndefined();
    expect(seen.size).toBeGreaterThan(10);
  });

  /** Whole characters, halves of them, control characters, and mixtures. */
  function anyString(): fc.Arbitrary<string> {
    const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 });
    const spices = [
      "\0",
      "\ud83e",
      "\u200b",
      "\u202e",
      "\r\n",
      "\u2028",
      "<private>",
      "</private>",
      "password=",
      "\x1b[31m",
    ];
    const parts = fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom(...spices));
    return fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      units.map((codes) => String.fromCharCode(...codes)),
      fc.array(parts, { maxLength: 8 }).map((some) => some.join("")),
    );
  }

  function queryLike(): fc.Arbitrary<string> {
    const pieces = "deploy friday \" ' * ( ) AND OR NOT NEAR( content: memory_words - ^ + { } 日 本 % _ ;-- \0".split(
      " ",
    );
    return fc.array(fc.constantFrom(...pieces), { maxLength: 10 }).map((some) => some.join(" "));
  }

  /** NUL, halves of characters, and nothing but blanks or what hygiene takes out. */
  function isRefusable(text: string): boolean {
    const visible = text.replace(invisible, "").replace(/<private[\s\S]*/i, "");
    return /\0|\p{Surrogate}/u.test(text) || visible.trim() === "";
  }
});

type Attempt<T> = { value: T; refusal?: undefined } | { value?: undefined; refusal: string };

/** A MemoryError about the string is an answer; anything else that is thrown fails the test. */
async function attempt<T>(work: Promise<T>): Promise<Attempt<T>> {
  const [outcome] = await Promise.allSettled([work]);
  if (outcome.status === "fulfilled") return { value: outcome.value };
  const { MemoryError } = await library();
  const error: unknown = outcome.reason;
  // A store that fails means that the string got as far as the database and broke something there.
  if (!(error instanceof MemoryError) || error.code.startsWith("store-") || error.hint === "") throw error;
  return { refusal: error.code };
}

/** What is not the text; or, where a flag says so, not the text without what the flag names. */
function unfaithful(text: string, values: unknown[], flags: string[]): string[] {
  if (values.length === 0) return [`${JSON.stringify(text)} is not there`];
  if (flags.includes("secret-redacted") || flags.includes("private-removed")) return [];
  const seen = (value: unknown) => (flags.includes("invisible-removed") ? String(value).replace(invisible, "") : value);
  return values.flatMap((value) =>
    seen(value) === seen(text)
      ? []
      : [`${JSON.stringify(text)} became ${JSON.stringify(value)}, flags: ${flags.join(" ")}`],
  );
}

async function openTemporary(): Promise<TacitMemory> {
  const { openMemory } = await library();
  return openMemory({ db: join(temporaryFolder(), "memory.db"), project: "p", directory: temporaryFolder() });
}

/** The answer of a run that went well: one JSON document on standard output and nothing beside it. */
function documentIn({ code, stdout, stderr }: CommandRun): Record<string, unknown> | undefined {
  return code === 0 && stderr === "" ? (JSON.parse(stdout) as Record<string, unknown>) : undefined;
}

/** The error of a run that failed: one JSON document on standard error and nothing beside it. */
function errorIn({ code, stdout, stderr }: CommandRun): Record<string, unknown> | undefined {
  return code !== 0 && stdout === "" ? (JSON.parse(stderr) as { error: Record<string, unknown> }).error : undefined;
}
