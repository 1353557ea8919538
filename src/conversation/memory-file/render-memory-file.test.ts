import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryText } from "../../../test/support/arbitrary-record.js";
import { byText, layerProject } from "../../../test/support/layer-project.js";
import { remember } from "../../memory/remember/remember-memories.js";
import type { Memory } from "../../memory/memory.js";
import { readMemoryFile } from "./read-memory-file.js";
import { renderMemoryFile } from "./render-memory-file.js";
import { listShown } from "./shown-memories.js";
import { markOf, plainText, shownTypes } from "./line.js";

const hostile = fc.oneof(
  arbitraryText,
  fc
    .array(
      fc.constantFrom(
        "- ",
        "## Facts",
        "<!-- tacit 1 -->",
        "\n",
        "\n\n",
        "  ",
        "\t",
        "```",
        "---",
        "-->",
        "1. ",
        "* ",
        "a",
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

describe("MEMORY.md", () => {
  it("is read back as it was written, whatever the memories say", () => {
    const line = fc.record({ content: hostile, type: fc.constantFrom(...shownTypes), isEverywhere: fc.boolean() });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const memories = lines
          .filter(({ content }) => plainText(content) !== "")
          .map(({ content, type, isEverywhere }, index) => ({ ...memory(content, index), type, isEverywhere }));
        const shown = {
          project: memories.filter(({ isEverywhere }) => !isEverywhere),
          everywhere: memories.filter(({ isEverywhere }) => isEverywhere),
        };

        const text = renderMemoryFile(shown, { maxBytes: 1_000_000 });
        const read = readMemoryFile(text.replaceAll("\n", "\r\n"));

        expect(
          read.statements.map(({ text: said, type, isEverywhere }) => [said, type, isEverywhere]).toSorted(byText),
        ).toEqual(
          memories.map(({ content, type, isEverywhere }) => [plainText(content), type, isEverywhere]).toSorted(byText),
        );
        expect(read.written?.map(({ mark }) => mark)).toEqual(
          read.statements.map((one) => markOf(one.text, one.type ?? "", one.isEverywhere)),
        );
        expect(renderMemoryFile(shown, { maxBytes: 1_000_000 })).toBe(text);
      }),
      { numRuns: 150 },
    );
  });

  it("[D1] shows what is trusted, sure and lasting, by type, and apart from it what is true everywhere", async () => {
    const { context, user, keep } = layerProject();
    await keep({ content: "We deploy\n\n- on Mondays", type: "decision" });
    await keep({ content: "Prices are in cents", type: "fact" });
    await keep({ content: "Older and pinned", type: "fact", createdAt: "2025-01-01", pinned: true });
    await keep({ content: "Read in a web page", type: "fact" }, { doubts: ["It was read."] });
    await keep({ content: "Said unwatched", type: "fact" }, { unverified: "Nobody watched." });
    await keep({ content: "Hardly believed", type: "fact", confidence: 0.3 });
    await keep({ content: "Only today", type: "context", scope: "session", sessionId: "s" });
    await keep({ content: "Was said", type: "conversation" });
    await remember(user, [{ content: "Answer in English", type: "preference" }]);

    const text = renderMemoryFile(await listShown(context), { maxBytes: 8192 });

    expect(text.replace(/<!-- tacit .*/, "<!-- tacit")).toBe(`# Memory

<!-- Change, add or take away lines: the memory follows. -->

## Decisions

- We deploy

  - on Mondays

## Facts

- Older and pinned
- Prices are in cents

## Everywhere

### Preferences

- Answer in English

<!-- tacit
`);
    expect(text).toMatch(/<!-- tacit 1( [0-9a-f]{8}:[0-9a-f]{6}){3} everywhere( [0-9a-f]{8}:[0-9a-f]{6}) -->\n$/);
  });

  it("[D1] leaves out what is least worth telling where there is no room, and says how many", () => {
    const memories = Array.from({ length: 300 }, (_, index) => ({
      ...memory(`Fact number ${index}: größer als erlaubt`, index),
      currentConfidence: index % 2 === 0 ? 0.9 : 0.6,
    }));
    const large = { ...memory("y".repeat(5000), 999), currentConfidence: 1 };

    const text = renderMemoryFile({ project: [large, ...memories], everywhere: [] }, { maxBytes: 8192 });
    const shown = readMemoryFile(text).statements.map((one) => one.text);

    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8192);
    expect(Buffer.byteLength(text)).toBeGreaterThan(8192 - 120);
    expect(text).toContain(`… and ${301 - shown.length} more: \`tacit list\``);
    expect(shown).toContain("Fact number 298: größer als erlaubt");
    expect(shown.filter((one) => /number \d*[13579]:/.test(one))).toEqual([]);
    expect(shown).not.toContain(large.content);
    expect(Buffer.byteLength(renderMemoryFile({ project: memories, everywhere: [] }, { maxBytes: 512 }))).toBeLessThan(
      513,
    );
  });
});

describe("a MEMORY.md that somebody else wrote", () => {
  it("is read by its bullets and paragraphs, with the headings that name no type as tags", () => {
    const { statements, written } = readMemoryFile(`\uFEFF# Notes of the agent
Intro over
two lines.

<!-- a comment
- over lines -->
## Preferences
* Tabs
  - nested
1. Numbers

   continued
lazily

## Staging server
### Ports
  - indented
Code:
\`\`\`sh
# no heading
\`\`\`
<!-- never ends
---
`);

    expect(written).toBeUndefined();
    expect(statements.map(({ line, text, type, tags }) => [line, text, type, tags])).toEqual([
      [2, "Intro over\ntwo lines.", undefined, []],
      [8, "Tabs\n- nested", "preference", []],
      [10, "Numbers\n\n continued\nlazily", "preference", []],
      [17, "indented\nCode:\n```sh\n# no heading\n```", undefined, ["staging-server", "ports"]],
    ]);
  });
});

function memory(content: string, index: number): Memory {
  return {
    id: `0198c0de-0000-7000-8000-${index.toString(16).padStart(12, "0")}`,
    content,
    type: "fact",
    project: "shop",
    currentConfidence: 0.8,
    accessCount: 0,
    source: "agent_explicit",
    userVerified: false,
    pinned: false,
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString(),
  } as unknown as Memory;
}
