import { describe, expect, it } from "vitest";
import type { IndexReport } from "../../index.js";
import { openPage } from "../terminal/page.js";
import { renderIndex } from "./render-index.js";

describe("renderIndex", () => {
  it("tells what became of a SCIP index, and which documents were refused", () => {
    const text = render({
      precise: 2,
      scip: {
        tool: "scip-test\u001B[31m 1.0",
        documents: 3,
        taken: 2,
        refused: [{ path: "src/a.ts", why: "does not fit the file as it is: make the index again" }],
        symbols: 12,
        edges: 1,
      },
    });

    expect(text).toContain("SCIP index by scip-test 1.0: 2 of 3 documents taken, 12 symbols, 1 precise edge.");
    expect(text).toContain('"src/a.ts" does not fit the file as it is: make the index again');
    expect(text).not.toContain("\u001B");
  });

  it("tells how many files a precise index still speaks of, if any", () => {
    expect(render({ precise: 2 })).toContain("A precise index speaks of 2 of 3 files.");
    expect(render({ precise: 0 })).not.toContain("precise");
  });
});

function render(report: Partial<IndexReport>): string {
  const nothing: IndexReport = {
    root: "/work",
    indexedAt: "2026-11-16T00:00:00.000Z",
    isComplete: true,
    extractor: "1",
    files: 3,
    symbols: 0,
    edges: 0,
    chunks: 0,
    unresolved: 0,
    waiting: 0,
    outdated: 0,
    precise: 0,
    changed: 0,
    removed: 0,
    linked: 0,
    moves: { files: [], symbols: [] },
    isStopped: false,
    problems: [],
    tookMs: 1,
  };
  const clean = (text: string) => text.replaceAll("\u001B[31m", "");
  const page = openPage({ stream: {}, env: {}, clean, now: new Date(0) });
  return renderIndex({ ...nothing, ...report }, page);
}
