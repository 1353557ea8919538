import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryRecord } from "../../../test/support/arbitrary-record.js";
import { renderHeader, renderLine } from "../formats/json-lines.js";
import { renderMarkdown } from "../formats/markdown.js";
import { recognise } from "./recognise.js";
import { renderRules } from "../rules/rule-section.js";

describe("recognise", () => {
  it.each([
    ["a header", renderHeader(), "jsonl"],
    ["a header after a mark", `\uFEFF\r\n${renderHeader()}\r\n`, "jsonl"],
    ["lines without a header", '{"content":"a"}\n{"content":"b"}\n', "jsonl"],
    ["lines that speak of memories", '{"content":"a","metadata":{"memories":[]}}\n', "jsonl"],
    ["a damaged line", '{"content":"a\n', "jsonl"],
    ["a first line that is cut off", `{"id":"x","content":"${"a".repeat(70_000)}`, "jsonl"],
    ["a memory.json", '{\n  "version": 1,\n  "memories": [\n    {"content": "a"}', "memory-json"],
    ["a memory.json in one line", '{"version":1,"memories":[{"content":"a"}]}', "memory-json"],
    ["an empty memory.json", '{"version":1,"memories":[]}', "memory-json"],
    ["other JSON", '{"name":"x"}', undefined],
    ["front matter of ours", "---\ntype: note\n---\n\nText", "markdown"],
    ["front matter of a rule", "---\ndescription: x\nglobs: *.ts\n---\nText", "rules"],
    ["a section of ours", "Text\n<!-- tacit:begin -->\n", "rules"],
    ["a program", "export const a = 1;\n", undefined],
    ["nothing", " \n", undefined],
    ["bytes", "\u007fELF\u0002\0\0", undefined],
    ["broken text", "a\uFFFDb\uFFFD", undefined],
  ])("knows %s by its content", (_what, text, kind) => {
    expect(recognise(text, "file")).toBe(kind);
  });

  it("knows everything that Tacit writes, whatever the file is called", () => {
    fc.assert(
      fc.property(arbitraryRecord, (record) => {
        expect(recognise(renderLine(record), "CLAUDE.md")).toBe("jsonl");
        expect(recognise(renderMarkdown(record, "whole"), "CLAUDE.md")).toBe("markdown");
        expect(recognise(renderMarkdown(record, "shared"), "CLAUDE.md")).toBe("markdown");
        expect(recognise(renderRules([record]), "notes.md")).toBe("rules");
      }),
    );
  });

  it.each([
    "CLAUDE.md",
    "sub/CLAUDE.local.md",
    "AGENTS.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".github/copilot-instructions.md",
    ".github/instructions/api.instructions.md",
    ".cursor/rules/api.mdc",
    ".claude/rules/api.md",
    "C:\\work\\.cursor\\rules\\api.md",
  ])("takes a text called %s for rules", (name) => {
    expect(recognise("# Testing\n\n- use vitest\n", name)).toBe("rules");
  });

  it.each(["notes/deploy.md", "README.markdown", "todo.txt"])("takes a text called %s for a note", (name) => {
    expect(recognise("# Testing\n\n- use vitest\n", name)).toBe("markdown");
  });

  it("takes a memory for one, even where rules lie", () => {
    expect(recognise("---\r\nid: x\r\n---\r\nText", ".claude/rules/a.md")).toBe("markdown");
  });
});
