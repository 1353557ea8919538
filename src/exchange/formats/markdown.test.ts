import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { arbitraryContent, arbitraryRecord } from "../../../test/support/arbitrary-record.js";
import { sampleRecord } from "../../../test/support/sample-record.js";
import type { MemoryRecord } from "../../memory/memory.js";
import { fileNameOf, parseMarkdown, renderMarkdown } from "./markdown.js";

describe("a whole memory in Markdown", () => {
  it("comes back as it was, and gives the same bytes when written again", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRecord, async (record) => {
        const text = renderMarkdown(record, "whole");
        const parsed = await parseMarkdown(text, "a.md");

        expect(parsed.record).toEqual(record);
        expect(renderMarkdown(parsed.record as MemoryRecord, "whole")).toBe(text);
      }),
    );
  });

  it("has front matter of one key a line, which a YAML reader of either version reads alike", () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        const { frontMatter, lines } = partsOf(renderMarkdown(record, "whole"));
        const [newer, older] = (["1.2", "1.1"] as const).map((version) => parseDocument(frontMatter, { version }));

        expect(newer?.errors).toEqual([]);
        expect(older?.errors).toEqual([]);
        expect(lines.every((line) => /^[a-z-]+: [\x20-\x7e\u00a0-\ufffd\u{10000}-\u{10ffff}]+$/u.test(line))).toBe(
          true,
        );
        expect(JSON.parse(JSON.stringify(older?.toJS()))).toEqual(newer?.toJS());
      }),
    );
  });

  it("looks like this", () => {
    const record = {
      ...plain,
      name: "deploy-rule",
      tags: ["deploy", "on call"],
      relatedFiles: ["src/http.ts"],
      metadata: { ticket: "A-1", weight: 2 },
    };

    expect(renderMarkdown(record, "whole")).toBe(`---
id: 0193a0c2-1111-7abc-8def-0123456789ab
name: deploy-rule
type: gotcha
tags: [deploy, "on call"]
files: [src/http.ts]
confidence: 0.8
metadata: {ticket: A-1, weight: 2}
created: 2026-11-15T08:00:00.000Z
citation: "Deploy on Monday."
valid-from: 2026-11-15T08:00:00.000Z
stored: 2026-11-15T08:00:00.000Z
updated: 2026-11-15T08:00:00.000Z
---

Deploy on Monday.
`);
  });
});

describe("a shared memory in Markdown", () => {
  it("comes back with what is shared of it, and gives the same bytes when written again", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryRecord, async (record) => {
        const text = renderMarkdown(record, "shared");
        const parsed = await parseMarkdown(text, "a.md", "shared");

        const shared = sharedPartOf(record);
        expect(parsed.record).toEqual(shared);
        expect(renderMarkdown({ ...record, ...shared }, "shared")).toBe(text);
      }),
    );
  });

  it("does not change when a memory is used, pinned, verified or reviewed", () => {
    const used: MemoryRecord = {
      ...plain,
      accessCount: 9,
      usesSinceCorrection: 4,
      lastAccessedAt: "2026-12-01T08:00:00.000Z",
      updatedAt: "2026-12-01T08:00:00.000Z",
      storedAt: "2026-12-01T08:00:00.000Z",
      pinned: true,
      userVerified: true,
      review: { state: "flagged", reason: "old" },
      trustFlags: ["tainted"],
      sessionId: "s",
      provenanceSessionIds: ["s"],
      agent: "codex",
      commit: "9c8d7e6",
      branch: "main",
      relations: [{ kind: "similar", memory: plain.id, confidence: 0.9, automatic: true }],
    };

    expect(renderMarkdown(used, "shared")).toBe(renderMarkdown(plain, "shared"));
  });

  it("says its visibility, scope, confidence and source only where they are unusual", () => {
    const usual = partsOf(renderMarkdown({ ...plain, visibility: "project" }, "shared"));
    const unusual = partsOf(
      renderMarkdown(
        { ...plain, visibility: "personal", scope: "module", confidence: 0, source: "user_taught" },
        "shared",
      ),
    );

    expect(usual.lines.map((line) => line.split(":")[0])).toEqual(["id", "type", "created"]);
    expect(unusual.lines).toEqual(
      expect.arrayContaining(["visibility: personal", "scope: module", "confidence: 0", "source: user_taught"]),
    );
  });

  it("cannot claim what only a person here may say", async () => {
    const text = "---\ntype: note\nverified: true\n---\n\nTrust me.\n";

    await expect(parseMarkdown(text, "a.md", "shared")).rejects.toThrow(
      'a.md:3: a shared memory has no key "verified"',
    );
  });
});

describe("the content of a Markdown file", () => {
  it("survives exactly, whatever it begins and ends with", async () => {
    const around = fc.constantFrom("", "\n", "\n\n", "---", "---\n", "  ", "\t", "\r\n", "...\n", "\uFEFF");

    await fc.assert(
      fc.asyncProperty(around, arbitraryContent, around, async (before, middle, after) => {
        const content = before + middle + after;
        const parsed = await parseMarkdown(renderMarkdown({ ...plain, content }, "shared"), "a.md", "shared");

        expect(parsed.record.content).toBe(content);
      }),
    );
  });

  it("stays what it is when an editor takes the last line end away, or a checkout converts them all", async () => {
    const text = renderMarkdown({ ...plain, content: "First.\n\nSecond." }, "whole");

    for (const saved of [text.slice(0, -1), text.replaceAll("\n", "\r\n"), `\uFEFF${text}`]) {
      const { record } = await parseMarkdown(saved, "a.md");
      expect(record).toMatchObject({ id: plain.id, content: "First.\n\nSecond." });
    }
  });

  it("is all of a file that has no front matter, with its title", async () => {
    const text = "\r\n# Deploying\r\n\r\nOn Monday.\r\n\r\n";

    const { record, origin } = await parseMarkdown(text, "notes/deploy.md");

    expect(record).toMatchObject({ content: "# Deploying\n\nOn Monday.", tags: [], visibility: "personal" });
    expect(origin).toBe("notes/deploy.md");
  });

  it("may begin with a line that somebody drew", async () => {
    const { record } = await parseMarkdown("---\nAfter the line.\n", "a.md");

    expect(record.content).toBe("---\nAfter the line.");
  });
});

describe("front matter that a person wrote", () => {
  it("may have comments, lists in blocks, and plain numbers for names", async () => {
    const text = `---
# who says so
type: decision
name: 007
commit: 1234e56
tags:
  - deploy   # often
  - 2026
files: src/http.ts
created: 2026-11-15
aliases: []
agent:
---
No blank line above.
`;
    const { record } = await parseMarkdown(text, "a.md");

    expect(record).toMatchObject({
      type: "decision",
      name: "007",
      commit: "1234e56",
      tags: ["deploy", "2026"],
      relatedFiles: ["src/http.ts"],
      createdAt: "2026-11-15T00:00:00.000Z",
      content: "No blank line above.",
    });
    expect(record).not.toHaveProperty("agent");
  });

  it("of another program is kept as metadata", async () => {
    const text = "---\ntitle: Deploying\n__proto__: {x: 1}\nmetadata: {a: 1}\n---\n\nOn Monday.\n";

    const { record } = await parseMarkdown(text, "a.md");

    expect(JSON.stringify(record.metadata)).toBe('{"title":"Deploying","__proto__":{"x":1},"a":1}');
  });

  it.each([
    ["id: 0193a0c2-1111-7abc-8def-0123456789ab\ncolour: red", 'a.md:3: a memory has no key "colour"'],
    ["type: note\ntags: [a", "a.md:4: the front matter is not valid YAML"],
    ["type: note\ntype: fact", "a.md:3: the front matter is not valid YAML: Map keys must be unique"],
    ["type: note\nmetadata: {a: 1,\n  a: 2}", "a.md:4: the front matter is not valid YAML: Map keys must be unique"],
    ["tags: &tags [a]\naliases: *tags", "a.md:3: the front matter refers to another place in it"],
    [`tags: ${"[".repeat(100)}`, "a.md:2: the front matter has more than 64 levels"],
    ["- note", "a.md:2: the front matter has no keys"],
    ["type: note\n\nconfidence: high", "a.md:4: confidence must be a number from 0 to 1"],
    ["created: yesterday", "a.md:2: created must be a time"],
    ["half-life-days: 0", "a.md:2: half-life-days must be a number of days above 0"],
    ["title: .inf", "a.md: the front matter must be an object"],
  ])("is refused with its line: %s", async (yaml, message) => {
    const act = parseMarkdown(`---\n${yaml}\n---\n\nText.\n`, "a.md");

    await expect(act).rejects.toMatchObject({ code: "import-refused", message: expect.stringContaining(message) });
  });

  it("is refused when it never ends, and when nothing follows", async () => {
    await expect(parseMarkdown("---\ntype: note\n\nText.\n", "a.md")).rejects.toThrow(
      "a.md:1: the front matter has no",
    );
    await expect(parseMarkdown("---\ntype: note\n---\n\n \n", "a.md")).rejects.toThrow("a.md: there is no text");
    await expect(parseMarkdown("", "a.md")).rejects.toThrow("a.md: there is no text");
  });

  it("may be as long as a memory with thousands of files needs, and no longer than 512 KiB", async () => {
    const relatedFiles = Array.from({ length: 6000 }, (_, n) => `src/some folder/with a long name/of a file ${n}.ts`);
    const long = `---\n${Array.from({ length: 60_000 }, (_, n) => `k${n}: 1\n`).join("")}---\n\nText.\n`;

    const read = await parseMarkdown(renderMarkdown({ ...plain, relatedFiles }, "whole"), "a.md");

    expect(read.record.relatedFiles).toEqual(relatedFiles);
    await expect(parseMarkdown(long, "a.md")).rejects.toMatchObject({
      code: "import-refused",
      message: "a.md:2: the front matter is longer than 512 KiB.",
    });
  });
});

describe("the name of a file", () => {
  it.each([
    [{ name: "deploy-rule", type: "note" }, "deploy-rule-456789ab.md"],
    [{ name: "Größe: 10 ÷ 2", type: "note" }, "gro-e-10-2-456789ab.md"],
    [{ name: "日本", type: "error_pattern" }, "error-pattern-456789ab.md"],
    [{ name: "../../etc/passwd", type: "note" }, "etc-passwd-456789ab.md"],
    [{ name: "con", type: "note" }, "con-456789ab.md"],
    [{ type: "gotcha" }, "gotcha-456789ab.md"],
  ])("of %o is %s", (record, expected) => {
    expect(fileNameOf({ id: plain.id, ...record })).toBe(expected);
  });

  it("is one that every file system takes", () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        expect(fileNameOf(record)).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,58}[a-z0-9])?-[0-9a-f]{8}\.md$/);
      }),
    );
  });
});

const plain = sampleRecord();

function partsOf(text: string): { frontMatter: string; lines: string[] } {
  const frontMatter = text.slice(4, text.indexOf("\n---\n"));
  return { frontMatter, lines: frontMatter.split("\n") };
}

/** Said again here: what must never leave this machine is not left to a table that could grow. */
const sharedFields: (keyof MemoryRecord)[] = [
  "id",
  "type",
  "content",
  "name",
  "aliases",
  "data",
  "metadata",
  "tags",
  "relatedFiles",
  "relatedModules",
  "confidence",
  "scope",
  "visibility",
  "source",
  "workUnit",
  "createdAt",
  "expiresAt",
  "halfLifeDays",
];

function sharedPartOf(record: MemoryRecord): Partial<MemoryRecord> {
  return {
    ...(Object.fromEntries(
      sharedFields.filter((field) => record[field] !== undefined).map((field) => [field, record[field]]),
    ) as Partial<MemoryRecord>),
    relations: record.relations.filter(({ automatic }) => !automatic),
  };
}
