import { describe, expect, it } from "vitest";
import { edited, failed, learned, ran, read, seenIn } from "../../../test/support/acts.js";
import { padOf } from "../../../test/support/pad-of.js";
import { errorRetry, listErrors } from "./error-retry.js";
import { signalValue } from "./signal.js";

const closed = "TypeError: Cannot read properties of undefined (reading 'release')";

describe("errorRetry", () => {
  it("is worth 0.85", () => {
    expect(signalValue(errorRetry)).toBe(0.85);
  });

  it("learns what fixed an error that came in two sessions", () => {
    const session = [failed("npm test", closed), read("src/pool.ts"), edited("src/pool.ts"), ran("npm test")];
    const other = [failed("npm test", closed), edited("src/other.ts"), edited("src/pool.ts"), ran("npm test")];

    expect(learned(errorRetry, [session, other])).toMatchObject({
      type: "error_pattern",
      content: `\`npm test\` fails with \`${closed}\`; the fix was in \`src/pool.ts\`.`,
      data: { error: closed, command: "npm test", fixedIn: ["src/pool.ts"] },
      relatedFiles: ["src/pool.ts"],
    });
  });

  it("says why, where the agent said so", () => {
    const session = {
      actions: [failed("npm test", closed), edited("src/pool.ts"), ran("npm test")],
      sayings: [{ is: "cause" as const, text: "the pool is closed before the last query returns", order: 1 }],
    };

    expect(learned(errorRetry, [session, session])?.content).toContain(
      "`src/pool.ts`. The pool is closed before the last query returns.",
    );
  });

  it("makes a gotcha of a command that helps", () => {
    const refused = "Error: connect ECONNREFUSED 127.0.0.1:5432";
    const session = [failed("npm test", refused), ran("docker compose up -d db"), ran("npm test | tail -20")];

    expect(learned(errorRetry, [session, session])).toMatchObject({
      type: "gotcha",
      content: `When \`npm test\` fails with \`${refused}\`, run \`docker compose up -d db\`.`,
    });
  });

  it("makes a gotcha of another form of the same command", () => {
    const session = [
      failed("npm install", "npm ERR! code ERESOLVE", { purpose: "install" }),
      ran("npm install --legacy-peer-deps", { purpose: "install" }),
    ];

    expect(learned(errorRetry, [session, session])).toMatchObject({
      type: "gotcha",
      data: { fixedBy: ["npm install --legacy-peer-deps"] },
    });
  });

  it("takes the last fix of an error that came back, and looks behind another error", () => {
    const session = [
      failed("npm test", closed),
      edited("src/wrong.ts"),
      failed("npm test", closed),
      edited("src/pool.ts"),
      failed("npm test", "RangeError: Invalid count"),
      edited("src/count.ts"),
      ran("npm test"),
    ];

    expect(learned(errorRetry, [session, session])?.relatedFiles).toEqual(["src/pool.ts"]);
  });

  it("needs the same place and a word about the cause where a failure has no message", () => {
    const lint = (file: string) => [
      failed("make lint", "", { purpose: "check" }),
      edited(file),
      ran("make lint", { purpose: "check" }),
    ];
    const explained = (file: string) => ({
      actions: lint(file),
      sayings: [{ is: "cause" as const, text: "the rules do not know the new folder", order: 1 }],
    });

    expect(learned(errorRetry, [lint("src/a.ts"), lint("src/a.ts")])).toBeUndefined();
    expect(learned(errorRetry, [explained("src/a.ts"), explained("src/b.ts")])).toBeUndefined();
    expect(learned(errorRetry, [explained("src/a.ts"), explained("src/a.ts")])?.content).toBe(
      "`make lint` fails; the fix was in `src/a.ts`. The rules do not know the new folder.",
    );
  });

  it("makes nothing of an error that something else helps against in every third session", () => {
    const full = "Error: queue is full";
    const session = (file: string) => [failed("npm run e2e", full), edited(file), ran("npm run e2e")];
    const [same, other] = [session("src/queue.ts"), session("src/other.ts")];

    expect(learned(errorRetry, [same, other, same])?.relatedFiles).toEqual(["src/queue.ts"]);
    expect(learned(errorRetry, [same, other, session("src/third.ts"), same])).toBeUndefined();
  });

  it("makes nothing of what the language says of other names, though the same file was edited", () => {
    const session = (message: string) => [failed("npm test", message), edited("src/pool.ts"), ran("npm test")];
    const [one, other] = ["open", "close"].map((name) => closed.replace("release", name));

    expect(learned(errorRetry, [session(one ?? ""), session(other ?? "")])).toBeUndefined();
    expect(
      learned(errorRetry, [
        [
          failed("npx tsc", "TS2307: Cannot find module 'a'"),
          ran("npm run codegen"),
          ran("npx tsc", { purpose: "build" }),
        ],
        [
          failed("npx tsc", "TS2307: Cannot find module 'b'"),
          ran("npm run codegen"),
          ran("npx tsc", { purpose: "build" }),
        ],
      ])?.content,
    ).toContain("run `npm run codegen`");
  });

  it("sees nothing where everything went well", () => {
    expect(
      seenIn(errorRetry, [ran("npx eslint .", { purpose: "check" }), edited("src/a.ts"), ran("npm test")]),
    ).toEqual([]);
  });

  it("sees nothing in an error that is never resolved", () => {
    expect(seenIn(errorRetry, [failed("npm test", closed), edited("src/pool.ts"), failed("npm test", closed)])).toEqual(
      [],
    );
    expect(seenIn(errorRetry, [failed("npm test", closed), edited("src/pool.ts")])).toEqual([]);
    expect(
      seenIn(errorRetry, [failed("npm test", closed), edited("src/pool.ts"), failed("npm test", "RangeError: x")]),
    ).toEqual([]);
  });

  it("sees nothing in a test that passes by itself", () => {
    expect(seenIn(errorRetry, [failed("npm test", closed), read("src/pool.ts"), ran("npm test")])).toEqual([]);
    expect(seenIn(errorRetry, [failed("npm test", closed), ran("npm test 2>&1 | tail -40")])).toEqual([]);
  });

  it("sees nothing where another test passes", () => {
    const target = (file: string) => ({
      command: { line: `vitest ${file}`, name: "vitest", purpose: "test" as const, targets: [file] },
    });
    const session = [
      failed("vitest", closed, target("a.test.ts")),
      edited("src/a.ts"),
      ran("vitest", target("b.test.ts")),
    ];

    expect(seenIn(errorRetry, session)).toEqual([]);
  });

  it("does not add up two different errors", () => {
    const session = (message: string) => [failed("npm test", message), edited("src/pool.ts"), ran("npm test")];

    expect(learned(errorRetry, [session(closed), session("RangeError: Invalid array length")])).toBeUndefined();
  });

  it("makes nothing of everyday failing tests", () => {
    const session = (message: string, file: string) => [failed("npm test", message), edited(file), ran("npm test")];

    expect(
      learned(errorRetry, [
        session("AssertionError: expected 1 to be 2", "src/a.ts"),
        session("AssertionError: expected 3 to be 4", "src/a.ts"),
      ]),
    ).toBeUndefined();
    expect(
      learned(errorRetry, [
        session("AssertionError: expected 1 to be 2", "src/a.ts"),
        session("AssertionError: expected 1 to be 2", "src/a.ts"),
      ]),
    ).toBeUndefined();
    expect(learned(errorRetry, [session("", "src/a.ts"), session("", "src/a.ts")])).toBeUndefined();
    expect(
      learned(errorRetry, [
        session("TS2345: Argument of type 'A' is not assignable", "src/a/x.ts"),
        session("TS2345: Argument of type 'B' is not assignable", "src/b/y.ts"),
      ]),
    ).toBeUndefined();
  });

  it("does not take for the fix what only took something out again", () => {
    const session = (file: string) => [
      failed("npm test", closed),
      edited("src/pool.ts", "code", "print + code"),
      failed("npm test", closed),
      edited("src/pool.ts", "print + code", "code"),
      edited(file, "x", "y"),
      ran("npm test"),
    ];

    expect(learned(errorRetry, [session("src/a.ts"), session("src/b.ts")])).toBeUndefined();
    expect(learned(errorRetry, [session("src/a.ts"), session("src/a.ts")])?.content).toContain(
      "the fix was in `src/a.ts`.",
    );
  });

  it("sees nothing in the agent's own tools", () => {
    const error = { fingerprint: "f", message: "String to replace not found in file.", kind: "edit" };
    const session = [edited("src/a.ts", "x", "y", { failed: true, error }), read("src/a.ts"), edited("src/a.ts")];

    expect(seenIn(errorRetry, session)).toEqual([]);
  });
});

describe("listErrors", () => {
  it("counts every error and says how it was resolved", () => {
    const pad = padOf({
      actions: [
        failed("npm test", closed),
        failed("npm test", closed),
        edited("src/pool.ts"),
        ran("npm test"),
        failed("npm run e2e", "", { purpose: "test" }),
      ],
    });

    expect(listErrors(pad)).toEqual([
      {
        fingerprint: expect.any(String) as string,
        tool: "npm test",
        message: closed,
        occurrences: 2,
        resolvedHow: "edited `src/pool.ts`",
        orders: [0, 1, 2, 3],
      },
      { fingerprint: "npm run e2e fails", tool: "npm run e2e", message: "", occurrences: 1, orders: [4] },
    ]);
  });
});
