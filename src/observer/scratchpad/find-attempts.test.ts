import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findAttempts } from "./find-attempts.js";
import type { Action, Attempt, SpokenSaying } from "./session-view.js";

describe("an attempt that was taken back", () => {
  it("is abandoned when a check had failed because of it, and something else held instead", () => {
    const [tried, held] = attemptsOf(
      says("plan", "I'll use a worker for this."),
      edit("src/a.ts", ["A", "B"]),
      fails("TypeError: no worker"),
      edit("src/a.ts", ["B", "A"]),
      edit("src/b.ts", ["C", "D"]),
      passes(),
    );

    expect(tried).toMatchObject({ fate: "abandoned", first: 1, last: 3, files: ["src/a.ts"] });
    expect(tried?.because).toEqual(["reverted", "error"]);
    expect(tried?.error?.message).toBe("TypeError: no worker");
    expect(tried?.sayings.map(({ text }) => text)).toEqual(["I'll use a worker for this."]);
    expect(tried?.instead).toEqual({ files: ["src/b.ts"], sayings: [], order: 5 });
    expect(held).toMatchObject({ fate: "held", because: [], first: 4, last: 5 });
  });

  it("is abandoned when a command restored it", () => {
    const attempts = attemptsOf(edit("src/a.ts", ["A", "B"]), fails("E"), restores("."), edit("src/b.ts"), passes());

    expect(fatesOf(attempts)).toEqual(["abandoned: reverted, error", "held"]);
  });

  it("is abandoned when it was given up in words", () => {
    const attempts = attemptsOf(
      edit("src/a.ts", ["A", "B"]),
      says("abandonment", "This approach won't work."),
      edit("src/a.ts", ["B", "A"]),
      edit("src/b.ts"),
      passes(),
    );

    expect(fatesOf(attempts)).toEqual(["abandoned: reverted, said", "held"]);
  });

  it("is abandoned when two things were put in the same place and both taken back", () => {
    const attempts = attemptsOf(
      edit("src/a.ts", ["A", "B"]),
      edit("src/a.ts", ["B", "A"]),
      edit("src/a.ts", ["A", "C"]),
      edit("src/a.ts", ["C", "A"]),
      edit("src/b.ts"),
      passes(),
    );

    expect(fatesOf(attempts)).toEqual(["abandoned: reverted", "held"]);
  });

  it("is not one where it was a line for debugging", () => {
    const silent = attemptsOf(edit("src/a.ts", ["A", "B"]), edit("src/a.ts", ["B", "A"]), edit("src/b.ts"), passes());
    const whileFailing = attemptsOf(
      fails("E"),
      edit("src/a.ts", ["A", "B"]),
      fails("E"),
      edit("src/a.ts", ["B", "A"]),
      edit("src/b.ts"),
      passes(),
    );

    expect(fatesOf(silent)).toEqual(["open", "held"]);
    expect(fatesOf(whileFailing)).toEqual(["open", "held"]);
  });

  it("is one where it was more than that, though the error was there before", () => {
    const large = { ...edit("src/a.ts", ["A", "B"]), edit: { pairs: [["A", "B"]], lines: 12 } } as Happened;
    const attempts = attemptsOf(fails("E"), large, fails("E"), edit("src/a.ts", ["B", "A"]), edit("b.ts"), passes());

    expect(fatesOf(attempts)).toEqual(["abandoned: reverted, error", "held"]);
  });

  it("is not one where lines for debugging were put in several files, one after the other", () => {
    const print = (file: string) => [edit(file, ["A", "B"]), passes(), edit(file, ["B", "A"])];

    expect(fatesOf(attemptsOf(...print("a.ts"), ...print("b.ts")))).toEqual(["open", "open"]);
  });

  it("leaves out what stayed, and another request", () => {
    const [stays, tried] = attemptsOf(edit("a.ts"), edit("b.ts", ["A", "B"]), fails("E"), restores("b.ts"), passes());
    const asked = attemptsOf(
      edit("a.ts"),
      asks("Simplify b."),
      edit("b.ts", ["A", "B"]),
      fails("E"),
      edit("b.ts", ["B", "A"]),
      passes(),
    );
    const most = attemptsOf(
      edit("a.ts"),
      edit("b.ts", ["A", "B"]),
      edit("c.ts", ["A", "B"]),
      fails("E"),
      edit("b.ts", ["B", "A"]),
      edit("c.ts", ["B", "A"]),
      passes(),
    );

    expect(stays).toMatchObject({ fate: "held", files: ["a.ts"], first: 0, last: 4 });
    expect(tried).toMatchObject({
      fate: "abandoned",
      because: ["reverted", "error"],
      files: ["b.ts"],
      first: 1,
      last: 3,
    });
    expect(asked[1]).toMatchObject({ fate: "abandoned", files: ["b.ts"], first: 2, last: 4 });
    expect(fatesOf(asked)).toEqual(["held", "abandoned: reverted, error"]);
    expect(most).toMatchObject([
      { fate: "held", files: ["a.ts"] },
      { fate: "abandoned", files: ["b.ts", "c.ts"], first: 1, last: 5 },
    ]);
  });

  it("is what was given up in words, and not what stayed", () => {
    const attempts = attemptsOf(
      edit("a.ts"),
      edit("b.ts", ["A", "B"]),
      fails("E"),
      says("abandonment", "This approach won't work."),
      edit("b.ts", ["B", "A"]),
      edit("c.ts"),
      passes(),
    );

    expect(attempts).toMatchObject([
      { fate: "open", files: ["a.ts"] },
      { fate: "abandoned", because: ["reverted", "said", "error"], files: ["b.ts"], last: 4 },
      { fate: "held", files: ["c.ts"] },
    ]);
  });

  it("is not one where a line for debugging was taken out of what stays", () => {
    const attempts = attemptsOf(
      edit("a.ts"),
      fails("E"),
      edit("a.ts", ["A", "B"]),
      edit("b.ts", ["A", "B"]),
      fails("E"),
      edit("b.ts", ["B", "A"]),
      edit("a.ts", ["B", "A"]),
      edit("a.ts"),
      passes(),
    );

    expect(fatesOf(attempts).filter((fate) => fate.startsWith("abandoned"))).toEqual([]);
  });

  it("is not abandoned when it was made again, or only stashed to look", () => {
    const again = attemptsOf(
      edit("src/a.ts", ["A", "B"]),
      fails("E"),
      edit("src/a.ts", ["B", "A"]),
      edit("src/a.ts", ["A", "B"]),
      passes(),
    );
    const stashed = attemptsOf(
      edit("src/a.ts", ["A", "B"]),
      fails("E"),
      restores(".", "git stash"),
      fails("E"),
      runs("git stash pop", "version-control"),
      edit("src/a.ts", ["B", "C"]),
      passes(),
    );

    expect(fatesOf(again)).not.toContain("abandoned: reverted, error");
    expect(fatesOf(stashed)).toEqual(["held"]);
  });
});

describe("an attempt whose error keeps coming back", () => {
  it("is abandoned when the error goes after only other files were edited", () => {
    const attempts = attemptsOf(
      edit("src/a.ts", ["A", "B"]),
      fails("E"),
      edit("src/a.ts", ["B", "C"]),
      fails("E"),
      edit("src/b.ts"),
      passes(),
    );

    expect(fatesOf(attempts)).toEqual(["abandoned: error", "held"]);
    expect(attempts[0]).toMatchObject({ first: 0, last: 3, instead: { files: ["src/b.ts"], order: 5 } });
  });

  it.each([
    ["it failed once", [edit("a.ts"), fails("E"), edit("b.ts"), passes()]],
    ["the same files were mended", [edit("a.ts"), fails("E"), edit("a.ts"), fails("E"), edit("a.ts"), passes()]],
    ["other errors came", [edit("a.ts"), fails("E"), edit("a.ts"), fails("F"), edit("b.ts"), passes()]],
    ["it was only run again", [edit("a.ts"), fails("E"), fails("E"), edit("b.ts"), passes()]],
    [
      "the tests were written first",
      [edit("a.test.ts"), fails("E"), edit("a.test.ts"), fails("E"), edit("a.ts"), passes()],
    ],
    [
      "the error pointed to the other file",
      [edit("a.ts"), fails("E", "b.ts"), edit("a.ts"), fails("E", "b.ts"), edit("b.ts"), passes()],
    ],
    ["nobody knows the error", [edit("a.ts"), fails(""), edit("a.ts"), fails(""), edit("b.ts"), passes()]],
  ])("is not abandoned when %s", (_, happened) => {
    expect(fatesOf(attemptsOf(...happened)).filter((fate) => fate !== "held")).toEqual([]);
  });

  it("stays open as long as nothing passed", () => {
    const attempts = attemptsOf(edit("a.ts"), fails("E"), edit("a.ts"), fails("E"), edit("b.ts"), fails("F"));

    expect(fatesOf(attempts)).toEqual(["open", "open"]);
  });
});

describe("an attempt that was given up in words", () => {
  it("is abandoned when other files or other text come in its place", () => {
    const elsewhere = [
      edit("a.ts", ["A", "B"]),
      says("abandonment", "I need to abandon this."),
      edit("b.ts"),
      passes(),
    ];
    const replaced = [edit("a.ts", ["A", "B"]), says("abandonment", "No."), edit("a.ts", ["B", "C"]), passes()];

    expect(fatesOf(attemptsOf(...elsewhere))).toEqual(["abandoned: said", "held"]);
    expect(fatesOf(attemptsOf(...replaced))).toEqual(["abandoned: said", "held"]);
  });

  it("is not abandoned when another way is only announced, and other files come next", () => {
    const attempts = attemptsOf(
      edit("README.md"),
      says("abandonment", "Let me try another approach to reading this."),
      edit("b.ts"),
      passes(),
    );

    expect(fatesOf(attempts)).not.toContain("abandoned: said");
  });

  it("keeps what was said between its failure and that", () => {
    const [tried, held] = attemptsOf(
      edit("a.ts", ["A", "B"]),
      fails("E"),
      says("cause", "The problem is the pool."),
      says("abandonment", "This approach won't work."),
      says("plan", "I'll use a queue."),
      edit("b.ts"),
      passes(),
    );

    expect(tried?.because).toEqual(["said", "error"]);
    expect(tried?.sayings.map(({ is }) => is)).toEqual(["cause", "abandonment"]);
    expect(tried?.instead?.sayings.map(({ is }) => is)).toEqual(["plan"]);
    expect(held?.fate).toBe("held");
  });

  it("is not abandoned when nothing else is done, or when it had passed", () => {
    const over = [edit("a.ts", ["A", "B"]), says("abandonment", "This approach won't work.")];
    const passed = [edit("a.ts", ["A", "B"]), passes(), says("abandonment", "Not this tool."), edit("b.ts"), passes()];

    expect(fatesOf(attemptsOf(...over))).toEqual(["open"]);
    expect(fatesOf(attemptsOf(...passed))).toEqual(["held", "held"]);
  });
});

describe("an attempt", () => {
  it("is held when a check passes with it in place, whatever failed before", () => {
    expect(fatesOf(attemptsOf(edit("a.ts", ["A", "B"]), fails("E"), edit("a.ts", ["B", "C"]), passes()))).toEqual([
      "held",
    ]);
  });

  it("is not held by a check of another kind than the one that failed", () => {
    const lint = runs("npx eslint .", "check");

    expect(fatesOf(attemptsOf(edit("a.ts"), fails("E"), lint))).toEqual(["open"]);
    expect(fatesOf(attemptsOf(edit("a.ts"), fails("E"), lint, passes()))).toEqual(["held"]);
  });

  it("is checked by the agent's own script too, when that is run again", () => {
    const script = runs("node try.js", "other");
    const error = { fingerprint: "E", message: "E", kind: "Error" };
    const attempts = attemptsOf(
      edit("a.ts", ["A", "B"]),
      { ...script, failed: true, error },
      edit("a.ts", ["B", "A"]),
      edit("b.ts"),
      script,
    );

    expect(fatesOf(attempts)).toEqual(["abandoned: reverted, error", "held"]);
  });

  it("has orders that lie in the session, and is found in any", () => {
    const happened = fc.oneof(
      fc
        .tuple(fc.constantFrom("a.ts", "b.ts", "c.ts"), fc.constantFrom("AB", "BA", "BC", "CA"))
        .map(([file, pair]) => edit(file, [pair.charAt(0), pair.charAt(1)])),
      fc.constantFrom(fails("E"), fails("F"), passes(), restores("."), restores("a.ts")),
      fc.constantFrom<Happened>(says("plan", "p"), says("abandonment", "x"), says("cause", "c"), asks("q")),
    );

    fc.assert(
      fc.property(fc.array(happened, { maxLength: 40 }), (all) => {
        const attempts = attemptsOf(...all);

        for (const { first, last, fate, because, files, instead } of attempts) {
          expect(last).toBeGreaterThanOrEqual(first);
          expect(last).toBeLessThan(all.length);
          expect(files.length).toBeGreaterThan(0);
          expect(because.length > 0).toBe(fate === "abandoned");
          expect(instead?.order ?? Infinity).toBeGreaterThan(first);
        }
        expect(attempts.map(({ first }) => first)).toEqual(
          attempts.map(({ first }) => first).toSorted((a, b) => a - b),
        );
      }),
    );
  });

  it("is found in a long session in time that grows with its length", () => {
    const round = [edit("a.ts", ["A", "B"]), fails("E"), restores("a.ts"), edit("b.ts", ["C", "D"]), passes()];
    const started = performance.now();

    expect(attemptsOf(...Array.from({ length: 2000 }, () => round).flat())).toHaveLength(4000);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  it("is found in no more time where hundreds of edits are taken back one by one", () => {
    const many = (before: string, after: string) =>
      Array.from({ length: 1500 }, (_, n) => edit(`${n}.ts`, [before, after]));
    const started = performance.now();

    expect(attemptsOf(...many("A", "B"), fails("E"), ...many("B", "A")).length).toBeGreaterThan(0);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});

type Happened = Partial<Action> | Pick<SpokenSaying, "is" | "text"> | { kind: "prompt"; text: string };

function attemptsOf(...happened: readonly Happened[]): Attempt[] {
  const placed = happened.map((one, order) => ({
    order,
    at: order * 1000,
    endedAt: order * 1000,
    step: order,
    ...one,
  }));
  return findAttempts({
    actions: placed.flatMap((one) =>
      "is" in one || "kind" in one ? [] : [{ tool: "Tool", does: "run" as const, ...one }],
    ),
    sayings: placed.flatMap((one) => ("is" in one ? [one] : [])),
    prompts: placed.flatMap((one) => ("kind" in one ? [one] : [])),
  });
}

function fatesOf(attempts: readonly Attempt[]): string[] {
  return attempts.map(({ fate, because }) => (because.length > 0 ? `${fate}: ${because.join(", ")}` : fate));
}

let piece = 0;

function edit(file: string, ...pairs: [string, string][]): Partial<Action> {
  const some: [string, string][] = pairs.length > 0 ? pairs : [[`piece ${piece++}`, `piece ${piece++}`]];
  return { does: "edit", files: [file], edit: { pairs: some, lines: 1 } };
}

function runs(line: string, purpose: NonNullable<Action["command"]>["purpose"]): Partial<Action> {
  return { does: "run", command: { line, name: line, purpose } };
}

function fails(message: string, file?: string): Partial<Action> {
  const error = { fingerprint: `of ${message}`, message, kind: "Error", ...(file !== undefined && { file }) };
  return { ...runs("npm test", "test"), failed: true, error };
}

function passes(): Partial<Action> {
  return runs("npm test", "test");
}

function restores(path: string, line = `git checkout -- ${path}`): Partial<Action> {
  return { does: "run", command: { line, name: "git checkout", purpose: "version-control", restores: [path] } };
}

function asks(text: string): Happened {
  return { kind: "prompt", text };
}

function says(is: SpokenSaying["is"], text: string): Pick<SpokenSaying, "is" | "text"> {
  return { is, text };
}
