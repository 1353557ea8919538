import { describe, expect, it } from "vitest";
import { openPage } from "../terminal/page.js";
import { renderDescribed, renderModule, renderModules } from "./render-module.js";

const page = openPage({
  stream: { isTTY: true, columns: 60 },
  env: { NO_COLOR: "1" },
  clean: (text) => text.replaceAll("\u001B", "^"),
  now: new Date(0),
});

describe("a module on a page", () => {
  it("is a line in the list, as much of its purpose as fits", () => {
    const about = { folder: "", by: "folder" as const, tests: 1 };
    const purpose = (text: string) => ({ text, source: "file" as const });

    const text = renderModules(
      {
        modules: [
          { ...about, name: "auth", files: 3, purpose: purpose("Lets people in.\nAnd \u001B[2J nobody else.") },
          { ...about, name: "codegraph/ask", files: 17, purpose: purpose("word ".repeat(40)) },
        ],
        notes: ["2 files have changed since."],
      },
      page,
    );

    expect(text.split("\n")).toEqual([
      "auth              4  Lets people in. And ^[2J nobody else.",
      "codegraph/ask    18  word word word word word word word wor…",
      "",
      "2 modules, each with its files. More of one: tacit module NAME",
      "2 files have changed since.",
    ]);
  });

  it("is its sections, one under the other", () => {
    const sections = [
      { title: "auth: 3 files", lines: ["Lets people in."] },
      { title: "Tests", lines: ["a\u001B.ts", "… and 1 more"] },
    ];

    expect(renderModule({ sections, notes: [] }, page)).toBe(
      "auth: 3 files\n  Lets people in.\n\nTests\n  a^.ts\n  … and 1 more",
    );
  });

  it("that a model was asked about says what it said, and why not", () => {
    const report = {
      described: [{ module: "auth", purpose: "Lets people in.", edges: 1 }],
      unchanged: ["db"],
      failed: [{ module: "cli", problem: "No answer." }],
      left: ["mcp"],
    };

    expect(renderDescribed(report, page)).toBe(
      "auth  Lets people in.\ncli: No answer.\n1 module described, 1 unchanged since, 1 left.",
    );
  });
});
