import { describe, expect, it } from "vitest";
import { edited, failed, learned, ran, seenIn } from "../../../test/support/acts.js";
import { backtrack } from "./backtrack.js";
import { signalValue } from "./signal.js";

const message = "Error: Circular import of the container";

describe("backtrack", () => {
  it("is worth 0.68", () => {
    expect(signalValue(backtrack)).toBe(0.68);
  });

  it("learns that changes in a file had to be taken back in two sessions", () => {
    const session = [
      edited("src/container.ts", "a", "b"),
      failed("npm test", message),
      edited("src/container.ts", "b", "a"),
      ran("npm test"),
    ];

    expect(learned(backtrack, [session, session])).toMatchObject({
      type: "gotcha",
      content: `Changes in \`src/container.ts\` had to be taken back more than once, because \`npm test\` failed with \`${message}\`. Run \`npm test\` right after the first change there.`,
      relatedFiles: ["src/container.ts"],
      relatedModules: ["src"],
    });
    expect(seenIn(backtrack, session)[0]).toMatchObject({
      orders: [0, 1, 2],
      evidence: [
        { did: "edited src/container.ts" },
        { did: `ran \`npm test\`, which failed: ${message}` },
        { did: "edited src/container.ts" },
      ],
    });
  });

  it("knows the commands that take back", () => {
    const checkout = ran("git checkout -- src/container.ts");
    const restoring = { ...checkout.command, restores: ["src/container.ts"] } as typeof checkout.command;
    const session = [
      failed("npm test", message),
      edited("src/container.ts", "a", "b"),
      failed("npm test", message),
      { ...checkout, command: restoring as NonNullable<typeof restoring> },
    ];

    expect(seenIn(backtrack, session).map(({ subject }) => subject)).toEqual(["src/container.ts"]);
  });

  it("sees nothing in what is taken back without a failure", () => {
    expect(
      seenIn(backtrack, [edited("src/a.ts", "a", "b"), ran("npm test"), edited("src/a.ts", "b", "a"), ran("npm test")]),
    ).toEqual([]);
    expect(
      seenIn(backtrack, [failed("npm test", message), edited("src/a.ts", "a", "b"), edited("src/a.ts", "b", "a")]),
    ).toEqual([]);
  });

  it("sees nothing in a print that helps to find an error that was there before", () => {
    const session = [
      failed("npm test", message),
      edited("src/a.ts", "a", "print"),
      failed("npm test", message),
      edited("src/a.ts", "print", "a"),
    ];

    expect(seenIn(backtrack, session)).toEqual([]);
  });

  it("sees nothing in edits that stay after a failure", () => {
    const session = [
      edited("src/a.ts", "a", "b"),
      failed("npm test", message),
      edited("src/a.ts", "b", "c"),
      ran("npm test"),
    ];

    expect(seenIn(backtrack, session)).toEqual([]);
  });

  it("sees nothing in files outside of the project", () => {
    expect(
      seenIn(backtrack, [edited("/etc/hosts", "a", "b"), failed("npm test", message), edited("/etc/hosts", "b", "a")]),
    ).toEqual([]);
  });
});
