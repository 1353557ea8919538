import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryRecord, arbitraryText } from "../../../test/support/arbitrary-record.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import { MemoryError } from "../../base/memory-error.js";
import { defineMemoryTypes } from "../../memory/type-registry/define-memory-types.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { parseRules } from "./parse-rules.js";
import { isForRules, mergeRules, renderRules } from "./rule-section.js";

describe("the section of a rule file", () => {
  it("looks like this", () => {
    const section = renderRules([
      sampleRecord({ type: "gotcha", content: "Port 8080 is taken", createdAt: "2026-11-16T00:00:00.000Z" }),
      sampleRecord({ type: "causal_dependency", content: "Change both", relatedFiles: ["src/a.ts", "src/b.ts"] }),
      sampleRecord({ type: "from_the_future", content: "Ends in a list [`x.ts`]" }),
      sampleRecord({
        type: "gotcha",
        content: "  Run:\r\n\r\n```\nnpm ci\n```\n",
        relatedFiles: ["package.json", "a`b"],
      }),
    ]);

    expect(section).toBe(`<!-- tacit:begin -->

## Project memory

### Gotchas

- Run:

  \`\`\`
  npm ci
  \`\`\`
  [\`package.json\`]
- Port 8080 is taken

### Causal dependencies

- Change both [\`src/a.ts\`, \`src/b.ts\`]

### \`from_the_future\`

- Ends in a list [\`x.ts\`] []

<!-- tacit:end -->
`);
  });

  it("gives back the content, type and files of every memory, and is the same in whatever order they come", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryRecord, { maxLength: 5 }), arbitraryText, async (records, title) => {
        const section = renderRules(records, title);
        const parsed = await parseRules(section, "CLAUDE.md");

        expect(parsed.map(({ record }) => essence(record)).toSorted()).toEqual(records.map(essence).toSorted());
        expect(renderRules(records.toReversed(), title)).toBe(section);
      }),
    );
  });

  it("calls a type that only this process knows by its name, which every reader understands", () => {
    defineMemoryTypes([{ type: "red_test", label: "Red test", purpose: "names a test that fails" }]);

    expect(renderRules([sampleRecord({ type: "red_test" })])).toContain("### `red_test`\n");
  });

  it("is found in a file with other rules, and none of them is skipped", async () => {
    const text = mergeRules("## Style\n\n- tabs\n", renderRules([sampleRecord({ content: "Port 8080 is taken" })]));

    const parsed = await parseRules(`${text}\n## After\n\n- more\n`, "CLAUDE.md");

    expect(parsed.map(({ record, origin }) => [record.content, record.type, origin])).toEqual([
      ["tabs", "convention", "CLAUDE.md:3"],
      ["more", "convention", "CLAUDE.md:17"],
      ["Port 8080 is taken", "gotcha", "CLAUDE.md:11"],
    ]);
  });

  it("may be added to by hand", async () => {
    const section = renderRules([sampleRecord({ content: "one" })]);
    const edited = section.replace("- one", "- one\n* two\ngoes on\n\nthree\n\n### Decisions\n- four");

    const parsed = await parseRules(edited, "CLAUDE.md");

    expect(parsed.map(({ record }) => [record.type, record.content])).toEqual([
      ["gotcha", "one"],
      ["gotcha", "two\ngoes on"],
      ["gotcha", "three"],
      ["decision", "four"],
    ]);
  });
});

describe("mergeRules", () => {
  it("changes nothing around the section, and nothing at all the second time", () => {
    const anyText = arbitraryText.filter((text) => !text.includes("<!-- tacit:"));

    fc.assert(
      fc.property(anyText, anyText, arbitraryRecord, arbitraryRecord, (before, after, old, next) => {
        const existing = `${before}\n${renderRules([old])}${after}`;
        const section = renderRules([next]);
        const merged = mergeRules(existing, section);

        expect(merged.startsWith(`${before}\n<!-- tacit:begin -->`)).toBe(true);
        expect(merged.endsWith(`<!-- tacit:end -->\n${after}`)).toBe(true);
        expect(mergeRules(merged, section)).toBe(merged);
      }),
    );
  });

  it("begins a file, or appends after a blank line, with the line ends of the file", () => {
    const section = renderRules([]);

    expect(mergeRules(undefined, section)).toBe(section);
    expect(mergeRules("", section)).toBe(section);
    expect(mergeRules("a", section)).toBe(`a\n\n${section}`);
    expect(mergeRules("a\n", section)).toBe(`a\n\n${section}`);
    expect(mergeRules("a\n\n", section)).toBe(`a\n\n${section}`);
    expect(mergeRules("a\r\n", section)).toBe(`a\r\n\r\n${section.replaceAll("\n", "\r\n")}`);
  });

  it("replaces the section of a file with CRLF", () => {
    const existing = `a\n\n${renderRules([sampleRecord({ content: "old" })])}b\n`.replaceAll("\n", "\r\n");

    const merged = mergeRules(existing, renderRules([sampleRecord({ content: "new" })]));

    expect(merged).toBe(existing.replace("old", "new"));
  });

  it.each(["<!-- tacit:begin -->\n", "<!-- tacit:end -->\n<!-- tacit:begin -->\n", renderRules([]).repeat(2)])(
    "refuses marks that form no pair: %j",
    (existing) => {
      const act = () => mergeRules(`a\n${existing}`, renderRules([]));

      expect(act).toThrow(MemoryError);
      expect(act).toThrow("do not form one pair, in line 2");
    },
  );
});

describe("isForRules", () => {
  it("is what every session may be told, and nothing that waits for a person", () => {
    expect(isForRules(sampleRecord({}))).toBe(true);
    expect(isForRules(sampleRecord({ scope: "module" }))).toBe(true);
    expect(isForRules(sampleRecord({ scope: "session" }))).toBe(false);
    expect(isForRules(sampleRecord({ type: "conversation" }))).toBe(false);
    expect(isForRules(sampleRecord({ review: { state: "pending" } }))).toBe(false);
    expect(isForRules(sampleRecord({ trustFlags: ["tainted"] }))).toBe(false);
    expect(isForRules(sampleRecord({ trustFlags: ["secret-redacted"] }))).toBe(true);
  });
});

/** What a section holds of a memory. */
function essence({ content, type, relatedFiles = [] }: Partial<MemoryRecord> & { content: string }): string {
  const files = relatedFiles.filter((file) => !/[`\r\n]/.test(file));
  return JSON.stringify([type, content.replace(/\r\n?/g, "\n").trim(), files]);
}
