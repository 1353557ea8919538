import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editConfig } from "./edit-config.js";
import { parseConfig } from "./parse-config.js";
import type { SettingValue } from "./setting.js";

describe("setting what is set", () => {
  it("changes the value and not one byte more", async () => {
    expect(await editJson('{"a":1 , // x\r\n "b" :\t2}\r\n', "b", null)).toBe('{"a":1 , // x\r\n "b" :\tnull}\r\n');
    expect(await editYaml("a:   1   # x\nb: 'two'\n\n", "a", 5)).toBe("a:   5   # x\nb: 'two'\n\n");
    expect(await editYaml("a:\nb: # x\n", "a", 5)).toBe("a: 5\nb: # x\n");
    expect(await editYaml("a:\nb: # x\n", "b", 5)).toBe("a:\nb: 5 # x\n");
  });
});

describe("setting what is not set", () => {
  it.each([
    ["{}", '{\n  "new": 5\n}'],
    ["{ // none yet\n}\n", '{ // none yet\n  "new": 5\n}\n'],
    ['{ "a": 1 }', '{ "a": 1, "new": 5 }'],
    ['{ "a": 1, }', '{ "a": 1, "new": 5, }'],
    ['{ "a": 1 /* x */ }', '{ "a": 1, /* x */ "new": 5 }'],
    ['{\n    "a": 1\n}', '{\n    "a": 1,\n    "new": 5\n}'],
    ['{\r\n\t"a": 1\r\n}', '{\r\n\t"a": 1,\r\n\t"new": 5\r\n}'],
    ['{\n  "a": 1, // about a\n}', '{\n  "a": 1, // about a\n  "new": 5,\n}'],
    ['{\n  "a": 1 // about a\n  // end\n}', '{\n  "a": 1, // about a\n  "new": 5\n  // end\n}'],
    ['{\n  "a": 1 /* two\n lines */\n}', '{\n  "a": 1, /* two\n lines */\n  "new": 5\n}'],
    ['{ "a": 1 // about a\n}', '{ "a": 1, // about a\n  "new": 5\n}'],
  ])("in %j gives %j", async (text, edited) => {
    expect(await editJson(text, "new", 5)).toBe(edited);
  });

  it.each([
    ["", "new: 5\n"],
    ["# all of it\n# is a comment", "# all of it\n# is a comment\nnew: 5\n"],
    ["a: 1", "a: 1\nnew: 5"],
    ["a: 1 # about a\n\n# end\n", "a: 1 # about a\nnew: 5\n\n# end\n"],
    ["---\r\n  a: 1\r\n...\r\n", "---\r\n  a: 1\r\n  new: 5\r\n...\r\n"],
    ["{}", "{\n  new: 5\n}"],
    ["{ a: 1 } # x\n", "{ a: 1, new: 5 } # x\n"],
    ["{\n  a: 1 # about a\n}\n", "{\n  a: 1, # about a\n  new: 5\n}\n"],
  ])("in YAML, in %j gives %j", async (text, edited) => {
    expect(await editYaml(text, "new", 5)).toBe(edited);
  });
});

describe("taking away", () => {
  it.each([
    ['{ "old": 1 }', "{ }"],
    ['{"old": 1,}', "{}"],
    ['{ "old": 1, "b": 2 }', '{ "b": 2 }'],
    ['{ "a": 1, "old": 2 }', '{ "a": 1 }'],
    ['{ "a": 1, "old": 2, }', '{ "a": 1, }'],
    ['{\n  "a": 1,\n  "old": 2\n}', '{\n  "a": 1\n}'],
    ['{\n  "a": 1,\n  "old": 2,\n  "c": 3\n}', '{\n  "a": 1,\n  "c": 3\n}'],
    [
      '{\n  // about old\n  "old": 1, // old\n  // about b\n  "b": 2\n}',
      '{\n  // about old\n  // old\n  // about b\n  "b": 2\n}',
    ],
    ['{\n  "a": 1, // a, one\n  "old": 2 // old\n}', '{\n  "a": 1 // a, one\n  // old\n}'],
    ['{\n  "a": 1\n  , "old": 2\n}', '{\n  "a": 1\n}'],
    ['{ "old": 1,\n  "b": 2 }', '{\n  "b": 2 }'],
    ['{ "old": 1 /* x, */, "b": 2 }', '{ /* x, */ "b": 2 }'],
  ])("from %j leaves %j", async (text, edited) => {
    expect(await editJson(text, "old", undefined)).toBe(edited);
  });

  it.each([
    ["old: 1", ""],
    ["a: 1\nold: 2\nc: 3\n", "a: 1\nc: 3\n"],
    ["# about old\nold: 1 # old\n# about b\nb: 2\n", "# about old\n# old\n# about b\nb: 2\n"],
    ["old: |\n  two\n  lines\nb: 2\n", "b: 2\n"],
    ["{a: 1, old: 2}", "{a: 1}"],
    ["{\n  a: 1, # a, one\n  old: 2 # old\n}", "{\n  a: 1 # a, one\n  # old\n}"],
  ])("in YAML, from %j leaves %j", async (text, edited) => {
    expect(await editYaml(text, "old", undefined)).toBe(edited);
  });

  it("what is not there changes nothing", async () => {
    expect(await editJson('{ "a": 1, }', "old", undefined)).toBe('{ "a": 1, }');
    expect(await editYaml("a: 1", "old", undefined)).toBe("a: 1");
  });
});

describe("any layout", () => {
  const value = fc.constantFrom<SettingValue | undefined>(true, 0, 12.5, null, undefined);
  const name = fc.constantFrom("a", "b", "c", "d");
  const names = fc.uniqueArray(name, { maxLength: 4 });

  it("of JSON keeps its comments in order, and reads back as it was, with the change", async () => {
    const gap = fc.array(fc.constantFrom(" ", "\t", "\n", "\r\n", "/*@,#*/", "/*\n@*/", "//@,\n"), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(jsonText(names, gap), name, value, async (text, changed, to) => {
        const { actual, expected } = await compare("x.json", numbered(text), changed, to);

        expect(actual).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("of YAML in braces does the same", async () => {
    const gap = fc.array(fc.constantFrom(" ", "\n ", " #@,\n "), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(yamlBraces(names, gap), name, value, async (text, changed, to) => {
        const { actual, expected } = await compare("x.yaml", numbered(text), changed, to);

        expect(actual).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("of YAML in lines does the same", async () => {
    const between = fc.array(fc.constantFrom("\n", "#@\n", "  # @\n"), { maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(yamlLines(names, between), name, value, async (text, changed, to) => {
        const { actual, expected } = await compare("x.yaml", numbered(text), changed, to);

        expect(actual).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });
});

/** What a text holds after an edit, and what it should: values and comments. */
async function compare(file: string, text: string, name: string, value: SettingValue | undefined) {
  const before = await parseConfig(file, text);
  const values = { ...valuesOf(before), [name]: value };
  if (value === undefined) delete values[name];
  const gone = value === undefined ? before.entries.find((entry) => entry.name === name) : undefined;
  const kept = gone ? text.slice(0, gone.begin) + text.slice(gone.end) : text;

  const edited = editConfig(before, name, value);

  return {
    actual: { values: valuesOf(await parseConfig(file, edited)), remarks: edited.match(/remark\d+/g) },
    expected: { values, remarks: kept.match(/remark\d+/g) },
  };
}

/** Gives every comment a number, to be known by. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("@", () => `remark${count++}`);
}

function jsonText(names: fc.Arbitrary<string[]>, gap: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(names, fc.array(gap, { minLength: 24, maxLength: 24 }), fc.boolean())
    .map(([keys, gaps, trailingComma]) => {
      const next = () => (gaps.pop() ?? []).join("");
      const properties = keys.map((key) => `${next()}"${key}"${next()}:${next()}${key.charCodeAt(0)}${next()}`);
      const comma = trailingComma && keys.length > 0 ? `,${next()}` : "";
      return `${next()}{${properties.join(",")}${comma}${keys.length === 0 ? next() : ""}}${next()}`;
    });
}

function yamlBraces(names: fc.Arbitrary<string[]>, gap: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(names, fc.array(gap, { minLength: 24, maxLength: 24 }), fc.boolean())
    .map(([keys, gaps, trailingComma]) => {
      const next = () => (gaps.pop() ?? []).join("");
      const properties = keys.map((key) => `${next()}${key}: ${key.charCodeAt(0)}${next()}`);
      const comma = trailingComma && keys.length > 0 ? `,${next()}` : "";
      return `{${properties.join(",")}${comma}${keys.length === 0 ? next() : ""}}\n`;
    });
}

function yamlLines(names: fc.Arbitrary<string[]>, between: fc.Arbitrary<string[]>): fc.Arbitrary<string> {
  return fc
    .tuple(names, fc.array(between, { minLength: 5, maxLength: 5 }), fc.constantFrom("", " ", "    "), fc.boolean())
    .map(([keys, gaps, indent, remarked]) => {
      const lines = keys.map(
        (key, index) =>
          `${(gaps[index] ?? []).join("")}${indent}${key}:  ${key.charCodeAt(0)}${remarked ? " # @" : ""}\n`,
      );
      return `${lines.join("")}${(gaps[4] ?? []).join("")}`;
    });
}

function valuesOf({ entries }: { entries: { name: string; value: unknown }[] }): Record<string, unknown> {
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

async function editJson(text: string, name: string, value: SettingValue | undefined): Promise<string> {
  return editConfig(await parseConfig("x.json", text), name, value);
}

async function editYaml(text: string, name: string, value: SettingValue | undefined): Promise<string> {
  return editConfig(await parseConfig("x.yaml", text), name, value);
}
