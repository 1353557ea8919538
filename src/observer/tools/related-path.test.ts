import * as fc from "fast-check";
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { relatedPath } from "./related-path.js";

describe("a path", () => {
  it.each([
    ["/project/src/a.ts", "src/a.ts"],
    ["src/a.ts", "src/a.ts"],
    ["./src/../src/a.ts", "src/a.ts"],
    ["/project", "."],
    ["/project/", "."],
    ["/projects/a.ts", "/projects/a.ts"],
    ["../other/a.ts", "/other/a.ts"],
    ["/etc/hosts", "/etc/hosts"],
    ["file:///project/a.ts", "a.ts"],
    ["~/notes.txt", `${homedir()}/notes.txt`],
    ["src\\a.ts", "src/a.ts"],
    [" a b.ts ", "a b.ts"],
    ["", undefined],
    [42, undefined],
    ["a\0b", undefined],
    ["\uD800.ts", undefined],
    ["x".repeat(5000), undefined],
  ])("%j is %j in /project", (path, related) => {
    expect(relatedPath(path, { root: "/project" })).toBe(related);
  });

  it("that is relative begins where the agent works", () => {
    expect(relatedPath("a.ts", { root: "/project", directory: "/project/packages/core" })).toBe("packages/core/a.ts");
  });

  it("of Windows has slashes, and its drive may be written either way", () => {
    const place = { root: "C:\\work\\project" };

    expect(relatedPath("C:\\work\\project\\src\\a.ts", place)).toBe("src/a.ts");
    expect(relatedPath("c:/work/project/a.ts", place)).toBe("a.ts");
    expect(relatedPath("src\\a.ts", place)).toBe("src/a.ts");
    expect(relatedPath("D:\\other\\a.ts", place)).toBe("d:/other/a.ts");
  });

  it("through the links of macOS is inside", () => {
    expect(relatedPath("/tmp/app/a.ts", { root: "/private/tmp/app" })).toBe("a.ts");
  });

  it("in another folder of the root's name is outside", () => {
    expect(relatedPath("/other/app/a.ts", { root: "/real/app", directory: "/other/app" })).toBe("/other/app/a.ts");
  });

  it("never throws, and never leads out of the root unseen", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", ".", "/", "\\", "~", ":", "C", " ", "\n") }), (path) => {
        const related = relatedPath(path, { root: "/project" }) ?? "";

        expect(related === ".." || related.startsWith("../")).toBe(false);
      }),
    );
  });
});
