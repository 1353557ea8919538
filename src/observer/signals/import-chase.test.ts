import { describe, expect, it } from "vitest";
import { edited, read } from "../../../test/support/acts.js";
import { learn, type Told } from "../../../test/support/pad-of.js";
import { importChase } from "./import-chase.js";
import { signalValue } from "./signal.js";

const chase = [
  read("src/cli/main.ts", { imports: ["node:fs", "./run.js"] }),
  read("src/cli/run.ts", { imports: ["../store/open.js", "zod"] }),
  read("src/store/open.ts", { imports: ["./pragma.js"] }),
];

describe("a chain of imports that sessions follow", () => {
  it("ends where to start", () => {
    expect(learn(importChase, times(4, { actions: [...chase, edited("src/store/open.ts")] }))).toEqual([
      {
        type: "causal_dependency",
        content:
          "What looks like the business of `src/cli/main.ts` is decided in `src/store/open.ts`, which it reaches through `src/cli/run.ts`. Start at `src/store/open.ts`.",
        data: {
          changed: "src/cli/main.ts",
          affected: "src/store/open.ts",
          through: ["src/cli/run.ts"],
          sessionCount: 4,
        },
        relatedFiles: ["src/cli/main.ts", "src/cli/run.ts", "src/store/open.ts"],
        relatedModules: ["src/cli", "src/store"],
      },
    ]);
    expect(signalValue(importChase)).toBe(0.52);
  });

  it("is followed by sessions that only read, and by those that look elsewhere in between", () => {
    const [a, b, c] = chase as [(typeof chase)[0], (typeof chase)[0], (typeof chase)[0]];

    expect(learn(importChase, times(4, { actions: chase }))).toHaveLength(1);
    expect(learn(importChase, times(4, { actions: [a, read("README.md"), b, { does: "search" }, c] }))).toHaveLength(1);
  });

  it("is nothing after three sessions", () => {
    expect(learn(importChase, times(3, { actions: [...chase, edited("src/store/open.ts")] }))).toEqual([]);
  });

  it("is nothing where the reader goes back to where it began", () => {
    expect(learn(importChase, times(5, { actions: [...chase, edited("src/cli/main.ts")] }))).toEqual([]);
    expect(
      learn(importChase, times(5, { actions: [...chase, edited("src/cli/run.ts"), edited("src/store/open.ts")] })),
    ).toEqual([]);
  });

  it("is nothing where files that do not import each other are read in the same order", () => {
    const actions = [
      read("src/cli/main.ts", { imports: ["./run.js"] }),
      read("src/cli/other.ts", { imports: ["../store/open.js"] }),
      read("src/store/open.ts"),
      edited("src/store/open.ts"),
    ];

    expect(learn(importChase, times(5, { actions }))).toEqual([]);
  });

  it("is nothing where it has two files only", () => {
    expect(learn(importChase, times(5, { actions: [...chase.slice(1), edited("src/store/open.ts")] }))).toEqual([]);
  });

  it("is nothing where an edit comes between", () => {
    const actions = [...chase.slice(0, 2), edited("src/other/a.ts"), ...chase.slice(2), edited("src/store/open.ts")];

    expect(learn(importChase, times(5, { actions }))).toEqual([]);
  });

  it("is not told where most sessions find the last file without it", () => {
    const direct = times(5, { actions: [edited("src/store/open.ts")] });

    expect(learn(importChase, [...direct, ...times(4, { actions: chase })])).toEqual([]);
  });
});

function times(count: number, session: Told): Told[] {
  return Array.from({ length: count }, () => session);
}
