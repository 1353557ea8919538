import { describe, expect, it } from "vitest";
import { neutralise, type HistoryEntry } from "../../index.js";
import { openPage, type Page } from "../terminal/page.js";
import { renderChange, renderHistory } from "./render-history.js";
import { widthOf } from "../terminal/text-width.js";

const attack = "a\u001B[2J\u009B31m\u0007\rb\u202Ec";
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const obeyed = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;
const id = "01234567-89ab-7def-8123-456789abcdef";

describe("renderHistory", () => {
  it("puts numbers, verbs and fields under each other", () => {
    const text = renderHistory(
      [
        change({
          number: 10,
          verb: "edited",
          fields: { content: { before: "port 80", after: "port 81" }, citationText: { before: "x", after: "y" } },
        }),
        change({ number: 9, verb: "renamed", fields: { name: { before: "old" } }, alsoChanged: [id] }),
        change({ number: 1, verb: "remembered" }),
      ],
      plainPage(),
    );

    expect(text.split("\n")).toEqual([
      "10  edited        2 days ago",
      "    content       port 80 → port 81",
      " 9  renamed       2 days ago",
      "    name          old → (none)",
      "    also changed  89abcdef",
      " 1  remembered    2 days ago",
    ]);
  });

  it.each([
    [{ tags: { before: [], after: ["a", "b"] } }, "tags  (none) → a, b"],
    [{ pinned: { before: false, after: true } }, "pinned  no → yes"],
    [{ confidence: { before: 0, after: 0.5 } }, "confidence  0 → 0.5"],
    [{ supersededBy: { after: id } }, "superseded by  (none) → 89abcdef"],
    [{ citationText: { before: "x", after: "y" } }, "citation text  x → y"],
    [{ metadata: { before: {}, after: { team: "core", kind: 1, file: 2 } } }, "→ team: core, kind: 1, file: 2"],
    [
      { review: { before: { state: "none" }, after: { state: "flagged", reason: "old" } } },
      "→ state: flagged, reason: old",
    ],
    [
      {
        relations: {
          before: [{ kind: "required_with", memory: id, confidence: 1, automatic: false }],
          after: [{ kind: "derived_from", file: "a.ts", confidence: 1, automatic: false }],
        },
      },
      "relations  required with 89abcdef → derived from a.ts",
    ],
  ] as [HistoryEntry["fields"], string][])("shows %j as a person would say it", (fields, line) => {
    expect(renderChange(change({ fields }), plainPage())).toContain(line);
  });

  it("keeps what is internal to a forgotten memory to itself", () => {
    const fields = { releasedNames: { after: { name: "old", aliases: [] } }, name: { before: "old" } };

    expect(renderChange(change({ fields }), plainPage())).toBe("  name  old → (none)");
  });

  it("cuts each change to one line of the page, from where the two texts part", () => {
    const begin = "The staging server of the shop listens on ";
    const text = renderHistory(
      [
        change({ fields: { content: { before: `${begin}port 8080 since spring`, after: `${begin}port 9090` } } }),
        change({ fields: { content: { before: "short", after: "long ".repeat(200) } } }),
        change({ fields: { content: { before: "漢字".repeat(100), after: "漢字漢".repeat(70) } } }),
        change({ fields: { content: { before: `${"🙂".repeat(60)}old`, after: `${"🙂".repeat(60)}new` } } }),
        change({ fields: { provenanceSessionIds: { before: ["x".repeat(90)], after: ["y".repeat(90)] } } }),
      ],
      plainPage(60),
    );

    const lines = text.split("\n");
    expect(lines).toHaveLength(10);
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60);
    expect(lines[1]).toMatch(/….*port 80.* → ….*port 90/);
    expect(lines[3]).toMatch(/short → long long .*…$/);
    expect(lines[7]).toMatch(/…(🙂)+old → …(🙂)+new$/u);
  });

  it("cuts a very long text where there is no page to fit", () => {
    const fields = { content: { before: "a ".repeat(5000), after: "b ".repeat(5000) } };

    expect(renderChange(change({ fields }), plainPage()).length).toBeLessThan(700);
  });

  it("cannot reach the terminal as an escape sequence, nor look like two changes", () => {
    const evil = { before: attack, after: { [attack]: [attack] } };
    const text = renderHistory(
      [
        change({
          fields: {
            content: { before: "x\n2  edited  just now", after: attack },
            [attack]: evil,
            relations: { after: [{ kind: attack, file: attack, confidence: 1, automatic: false }] },
          },
          alsoChanged: [attack],
        }),
      ],
      plainPage(),
    );

    expect(text).not.toMatch(obeyed);
    expect(text.split("\n")).toHaveLength(5);
  });
});

function plainPage(columns?: number): Page {
  const stream = columns === undefined ? {} : { isTTY: true, columns };
  return openPage({ stream, env: { NO_COLOR: "1" }, clean: neutralise, now: new Date("2026-03-10T00:00:00Z") });
}

function change(fields: Partial<HistoryEntry>): HistoryEntry {
  return { number: 2, verb: "edited", at: "2026-03-08T00:00:00.000Z", fields: {}, alsoChanged: [], ...fields };
}
