import { describe, expect, it } from "vitest";
import { type Memory, neutralise } from "../../index.js";
import { openPage, type Page } from "../terminal/page.js";
import { renderMemoryList, renderResults } from "./render-memory-list.js";
import { renderWholeMemory } from "../memories/render-whole-memory.js";
import { widthOf } from "../terminal/text-width.js";

const attack = "\u001B]0;owned\u0007\u001B[2J\u009B31m\u202Eevil\u0000\r";
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const obeyed = /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/;

describe("what a memory holds", () => {
  it("cannot reach the terminal as an escape sequence, whichever field it is in", () => {
    const memory = memoryWith({
      type: attack,
      content: attack,
      name: attack,
      aliases: [attack],
      tags: [attack],
      relatedFiles: [attack],
      relatedModules: [attack],
      metadata: { [attack]: attack },
      data: { [attack]: [attack] },
      sessionId: attack,
      agent: attack,
      commit: attack,
      branch: attack,
      project: attack,
      status: "flagged",
      review: { state: "flagged", reason: attack },
      relations: [{ kind: "required_with", file: attack, confidence: 1, automatic: false }],
    });

    expect(renderMemoryList([memory], plainPage())).not.toMatch(obeyed);
    expect(
      renderResults([{ memory, score: 1, matched: [attack], why: attack }], plainPage(), { explain: true }),
    ).not.toMatch(obeyed);
    expect(
      renderResults([{ memory, score: 1, matched: [attack], why: attack }], plainPage(), { explain: false }),
    ).not.toMatch(obeyed);
    expect(renderWholeMemory(memory, plainPage())).not.toMatch(obeyed);
  });

  it("cannot look like two memories in a list", () => {
    const text = renderMemoryList([memoryWith({ content: "one\ndeadbeef  fact  two", tags: ["a\nb"] })], plainPage());

    expect(text.split("\n")).toHaveLength(2);
  });
});

describe("renderMemoryList", () => {
  it("puts ids, types and texts under each other, with the details below", () => {
    const text = renderMemoryList(
      [
        memoryWith({ type: "fact", content: "first", tags: ["ci"], name: "one" }),
        memoryWith({ type: "convention", content: "second" }),
      ],
      plainPage(),
    );

    expect(text.split("\n")).toEqual([
      "89abcdef  fact        first",
      "                      one · #ci · 2 days ago",
      "89abcdef  convention  second",
      "                      2 days ago",
    ]);
  });

  it("folds a long text to the width of the terminal, wide characters counted double", () => {
    const text = renderMemoryList(
      [
        memoryWith({ content: "word ".repeat(100) }),
        memoryWith({ content: "漢字".repeat(100) }),
        memoryWith({ relatedFiles: ["x".repeat(200)] }),
      ],
      plainPage(60),
    );

    for (const line of text.split("\n")) expect(widthOf(line)).toBeLessThanOrEqual(60);
    expect(text).toContain("…");
  });

  it("shows about 300 characters where nothing has to fit, and show the whole", () => {
    const short = "word ".repeat(60).trim();
    const long = "word ".repeat(1000).trim();
    const memory = memoryWith({ content: long });
    const results = [{ memory, score: 1, matched: ["word"], why: "" }];

    expect(renderMemoryList([memoryWith({ content: short })], plainPage())).toContain(short);
    for (const text of [
      renderMemoryList([memory], plainPage()),
      renderResults(results, plainPage(), { explain: false }),
    ]) {
      expect(text).toContain("…");
      expect(text.length).toBeLessThan(400);
    }
    expect(renderWholeMemory(memory, plainPage())).toContain(long);
  });
});

describe("renderResults", () => {
  it("marks what holds everywhere, and with the reasons says where it is kept", () => {
    const own = { memory: memoryWith({ content: "own" }), score: 1, matched: ["x"], why: "because" };
    const everywhere = { ...own, memory: memoryWith({ content: "all", project: "user" }) };

    const text = renderResults([own, everywhere], plainPage(), { explain: false });
    const explained = renderResults([own, everywhere], plainPage(), { explain: true });

    expect(text.split("\n\n").map((each) => each.includes("everywhere · "))).toEqual([false, true]);
    expect(explained).toContain("because; holds everywhere (--project user)");
    expect(explained.split("\n\n")[0]).not.toContain("everywhere");
  });
});

describe("renderWholeMemory", () => {
  it("shows the whole text with its lines, then every field that is set", () => {
    const text = renderWholeMemory(
      memoryWith({
        content: "line one\n  line two",
        data: { steps: [1], why: "so" },
        expiresAt: "2026-03-13T00:00:00.000Z",
      }),
      plainPage(60),
    );

    expect(text).toMatch(/^line one\n {2}line two\n\n/);
    expect(text).toMatch(/^data +steps: \[1\]$/m);
    expect(text).toMatch(/^data +why: so$/m);
    expect(text).toMatch(/^expires +2026-03-13T00:00:00.000Z \(in 3 days\)$/m);
    expect(text).not.toMatch(/^aliases/m);
  });

  it("says that it is forgotten, and until when it can be restored", () => {
    const recently = memoryWith({ status: "forgotten", forgottenAt: "2026-03-09T12:00:00.000Z" });
    const longAgo = memoryWith({ status: "forgotten", forgottenAt: "2026-01-01T00:00:00.000Z" });

    expect(renderWholeMemory(recently, plainPage())).toMatch(
      /^status +forgotten; tacit restore 89abcdef brings it back until 2026-04-08T12:00:00.000Z$/m,
    );
    expect(renderWholeMemory(longAgo, plainPage())).toMatch(/^status +forgotten .*cannot be restored any more$/m);
  });

  it.each([
    ["faded", "nobody used it for three half-lives"],
    ["evicted", "more memories than maxEntries"],
    ["unshared", "taken away from the shared ones"],
  ] as const)("says why Tacit forgot what was %s, and until when it can be restored", (forgottenReason, because) => {
    const recently = memoryWith({ status: "forgotten", forgottenAt: "2026-03-09T12:00:00.000Z", forgottenReason });
    const longAgo = { ...recently, forgottenAt: "2026-01-01T00:00:00.000Z" };

    expect(renderWholeMemory(recently, plainPage())).toMatch(
      new RegExp(
        `^status +forgotten, because .*${because}; tacit restore 89abcdef brings it back until 2026-04-08T`,
        "m",
      ),
    );
    // Verified or linked, it can still be restored.
    expect(renderWholeMemory(longAgo, plainPage())).toMatch(
      /^status +forgotten, because .*; the 30 days are over, and tacit restore 89abcdef tells/m,
    );
  });

  it.each([
    [{}, "0.8"],
    [{ userVerified: true }, "0.8; verified by you"],
    [{ halfLifeDays: 60, currentConfidence: 0.799_999 }, "0.8: fades, half-life 60 days"],
    [{ halfLifeDays: 60, currentConfidence: 0.412 }, "0.8, now 0.41: fades, half-life 60 days"],
    [
      { halfLifeDays: 1, currentConfidence: 0.4, userVerified: true },
      "0.8, now 0.4: fades, half-life 1 day; verified by you",
    ],
    [{ halfLifeDays: 60, pinned: true }, "0.8; pinned: does not fade"],
  ])("tells of %j what is left of its confidence", (fields, expected) => {
    expect(/^confidence +(.*)$/m.exec(renderWholeMemory(memoryWith(fields), plainPage()))?.[1]).toBe(expected);
  });

  it("says how sure a relation is, where somebody stated less than certain", () => {
    const relation = { kind: "validates", file: "a.ts", confidence: 0.6, automatic: false } as const;
    const found = { kind: "similar", memory: "0-89abcdef", confidence: 0.9, automatic: true } as const;
    const text = renderWholeMemory(memoryWith({ relations: [relation, found] }), plainPage());

    expect(text).toMatch(/^validates +a\.ts \(confidence 0\.6\)$/m);
    expect(text).toMatch(/^similar +89abcdef$/m);
  });

  it.each([
    [{ commit: "abc123", branch: "main" }, /^commit +abc123 on main$/m, /^branch/m],
    [{ commit: "abc123" }, /^commit +abc123$/m, /^branch/m],
    [{ branch: "main" }, /^branch +main$/m, /^commit/m],
  ])("names the commit and the branch of %j for what they are", (fields, expected, unexpected) => {
    const text = renderWholeMemory(memoryWith(fields), plainPage());

    expect(text).toMatch(expected);
    expect(text).not.toMatch(unexpected);
  });
});

function plainPage(columns?: number): Page {
  const stream = columns === undefined ? {} : { isTTY: true, columns };
  return openPage({ stream, env: { NO_COLOR: "1" }, clean: neutralise, now: new Date("2026-03-10T00:00:00Z") });
}

function memoryWith(fields: Partial<Memory>): Memory {
  const time = "2026-03-08T00:00:00.000Z";
  return {
    id: "01234567-89ab-7def-8123-456789abcdef",
    project: "p",
    type: "note",
    content: "something",
    status: "active",
    aliases: [],
    metadata: {},
    tags: [],
    relatedFiles: [],
    relatedModules: [],
    confidence: 0.8,
    currentConfidence: 0.8,
    scope: "global",
    visibility: "personal",
    source: "user_taught",
    provenanceSessionIds: [],
    graphNodes: [],
    relations: [],
    validFrom: time,
    review: { state: "none" },
    trustFlags: [],
    userVerified: false,
    pinned: false,
    citationText: "something",
    accessCount: 0,
    createdAt: time,
    storedAt: time,
    updatedAt: time,
    ...fields,
  };
}
