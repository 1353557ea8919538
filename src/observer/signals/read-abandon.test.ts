import { describe, expect, it } from "vitest";
import { edited, learned, ran, read, searched, seenIn } from "../../../test/support/acts.js";
import { readAbandon } from "./read-abandon.js";
import { signalValue } from "./signal.js";

const left = "src/auth/session.ts";
const goal = "src/auth/tokens.ts";
const detour = [searched("refreshToken", 4), read(left), searched("refresh", 9), read(goal), edited(goal)];

describe("readAbandon", () => {
  it("is worth 0.79", () => {
    expect(signalValue(readAbandon)).toBe(0.79);
  });

  it("learns that a file only looks like the right place", () => {
    expect(learned(readAbandon, [detour, detour, detour])).toMatchObject({
      type: "gotcha",
      content: `\`${left}\` looks like the place for \`refreshToken\`, but sessions that open it leave it again: what they needed was in \`${goal}\`.`,
      relatedFiles: [goal, left],
      relatedModules: ["src/auth"],
    });
  });

  it("takes a file that was read in several pieces and left for another one", () => {
    const session = [read(left), read(left), read(goal), edited(goal)];

    expect(seenIn(readAbandon, session)).toMatchObject([{ subject: `${left} → ${goal}`, orders: [0, 1, 2, 3] }]);
  });

  it("looks past what looks at nothing, and not past reading and searching in a shell", () => {
    const glances = [
      ran("git diff --stat", { purpose: "version-control" }),
      ran("wc -l a.ts", { purpose: "look" }),
      { tool: "TodoWrite", does: "other" as const, bytes: 20 },
      { ...ran("ls src", { purpose: "look" }), does: "search" as const },
    ];
    const found = searched("refresh", 9, { line: "rg refresh src" });
    const cat = { ...ran(`cat ${goal}`, { purpose: "look" }), does: "read" as const, files: [goal] };

    expect(seenIn(readAbandon, [read(left), ...glances, found, read(goal), edited(goal)])).toMatchObject([
      { subject: `${left} → ${goal}`, data: { lookedFor: "refresh" } },
    ]);
    expect(seenIn(readAbandon, [read(left), ...glances, cat, searched("refresh", 9), edited(goal)])).toEqual([]);
    expect(seenIn(readAbandon, [read(left), ...glances, edited(goal), found])).toEqual([]);
  });

  it("sees nothing in a file that is then changed, or opened again", () => {
    expect(seenIn(readAbandon, [...detour, edited(left)])).toEqual([]);
    expect(seenIn(readAbandon, [...detour, read(left)])).toEqual([]);
    expect(seenIn(readAbandon, [searched("refresh", 3), read(goal), edited(goal)])).toEqual([]);
  });

  it("sees nothing in reading for the sake of the change", () => {
    const imports = read(goal, { imports: ["./session.js", "zod"] });

    expect(seenIn(readAbandon, [read(left), searched("refresh", 9), imports, edited(goal)])).toEqual([]);
    expect(seenIn(readAbandon, [read("src/auth/tokens.test.ts"), searched("refresh", 9), edited(goal)])).toEqual([]);
    expect(seenIn(readAbandon, [read("README.md"), searched("refresh", 9), read(goal), edited(goal)])).toEqual([]);
    expect(seenIn(readAbandon, [read("package.json"), searched("refresh", 9), read(goal), edited(goal)])).toEqual([]);
  });

  it("sees nothing in a glance on the way", () => {
    expect(seenIn(readAbandon, [read(left), read(goal), edited(goal)])).toEqual([]);
  });

  it("sees nothing where nothing is changed, or much later", () => {
    expect(seenIn(readAbandon, [read(left), searched("refresh", 9), read(goal)])).toEqual([]);
    expect(
      seenIn(readAbandon, [
        read(left),
        searched("refresh", 9),
        ...Array.from({ length: 20 }, () => ran("ls")),
        edited(goal),
      ]),
    ).toEqual([]);
  });

  it("sees nothing in a session that reads its way through many files", () => {
    const files = ["a", "b", "c", "d"].flatMap((name) => [read(`src/${name}.ts`), searched(name, 3)]);

    expect(seenIn(readAbandon, [...files, edited(goal)])).toEqual([]);
  });

  it("makes nothing of a file that most sessions stay with", () => {
    expect(learned(readAbandon, [detour, detour, detour], { sessions: 12, sessionsOfFile: () => 9 })).toBeUndefined();
  });

  it("does not add up sessions that ended in different files", () => {
    const other = [searched("refreshToken", 4), read(left), searched("refresh", 9), edited("src/other.ts")];

    expect(learned(readAbandon, [detour, other, detour])).toBeUndefined();
  });
});
