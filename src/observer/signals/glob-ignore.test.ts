import { describe, expect, it } from "vitest";
import { learned, ran, read, searched, seenIn } from "../../../test/support/acts.js";
import { globIgnore } from "./glob-ignore.js";
import { excludedFolders } from "./search-reach.js";
import { signalValue } from "./signal.js";

describe("globIgnore", () => {
  it("is worth 0.64", () => {
    expect(signalValue(globIgnore)).toBe(0.64);
  });

  it("learns that searches do not see an ignored folder", () => {
    const session = (name: string) => [
      searched(name, 0, { line: `rg ${name}` }),
      searched(name, 3, { line: `rg --no-ignore ${name}` }),
      read("src/generated/client.ts"),
    ];

    expect(learned(globIgnore, [session("createClient"), session("fetchUser")])).toMatchObject({
      type: "gotcha",
      content:
        "A plain search does not see `src/generated`, which is hidden or ignored: use `--no-ignore`, or name the folder.",
      relatedFiles: ["src/generated/client.ts"],
      data: { folder: "src/generated", option: "--no-ignore" },
    });
  });

  it("learns it from a folder that had to be named", () => {
    const session = [searched("deploy", 0), ran("ls -a"), searched("deploy", 2, { where: ".github/workflows" })];

    expect(learned(globIgnore, [session, session])?.content).toBe(
      "A plain search does not see `.github`, which is hidden or ignored: name the folder.",
    );
  });

  it("learns it from files that have nothing in common but their ending", () => {
    const byName = (found: number, line?: string) => ({
      ...searched("", found, line === undefined ? {} : { line }),
      search: { pattern: line === undefined ? "**/*.yml" : "*.yml", by: "name" as const },
    });
    const session = [byName(0), byName(2, "find . -name '*.yml'"), read(".github/workflows/ship.yml")];

    expect(learned(globIgnore, [session, session])).toMatchObject({
      content: "A plain search does not see `.github`, which is hidden or ignored: name the folder.",
      data: { lookedFor: "**/*.yml" },
    });
  });

  it("learns the option where nobody knows the folder", () => {
    const session = [
      searched("schemaVersion", 0, { line: "rg schemaVersion" }),
      searched("schemaVersion", 1, { line: "rg -uu schemaVersion" }),
    ];

    expect(learned(globIgnore, [session, session])?.content).toContain("`schemaVersion` finds nothing");
  });

  it("learns what searches drown in", () => {
    const session = (name: string, line: string) => [
      searched(name, 4000, { line: `rg ${name}` }),
      searched(name, 12, { line }),
    ];

    expect(
      learned(globIgnore, [
        session("render", "rg render -g '!dist'"),
        session("mount", "rg mount --glob '!dist/**' src"),
      ]),
    ).toMatchObject({
      type: "gotcha",
      content: "Searches over the whole project drown in `dist`. Leave it out when you search.",
      relatedFiles: [],
    });
  });

  it("learns where to search instead of everywhere", () => {
    const session = (name: string) => [searched(name, 800), searched(name, 7, { where: "packages/api" })];

    expect(learned(globIgnore, [session("handler"), session("router")])).toMatchObject({
      content: "Searches over the whole project find far too much, for `router` for example. Search in `packages/api`.",
      relatedModules: ["packages/api"],
    });
  });

  it("sees nothing in a search in the wrong folder", () => {
    expect(
      seenIn(globIgnore, [
        searched("deploy", 0, { where: "src" }),
        searched("deploy", 2, { where: "scripts" }),
        read("scripts/x.ts"),
      ]),
    ).toEqual([]);
  });

  it("sees nothing in another pattern, nor in one that still finds nothing", () => {
    expect(seenIn(globIgnore, [searched("deploy", 0), searched("release", 2, { where: ".github" })])).toEqual([]);
    expect(
      seenIn(globIgnore, [
        searched("deploy", 0, { line: "rg deploy" }),
        searched("deploy", 0, { line: "rg --hidden deploy" }),
      ]),
    ).toEqual([]);
  });

  it("sees nothing in a search that was useful at once and is narrowed", () => {
    expect(seenIn(globIgnore, [searched("deploy", 40), searched("deploy", 2, { where: ".github" })])).toEqual([]);
  });

  it("sees nothing in another way of writing the same search", () => {
    expect(
      seenIn(globIgnore, [
        searched("foo\\(", 0),
        searched("foo(", 2, { line: "grep -rn 'foo(' src" }),
        read("src/foo.ts"),
      ]),
    ).toEqual([]);
  });
});

describe("excludedFolders", () => {
  it.each([
    ["rg x -g '!dist'", ["dist"]],
    ['rg x --glob "!**/dist/**" -g "!coverage/"', ["coverage", "dist"]],
    ["grep -r x --exclude-dir=node_modules .", ["node_modules"]],
    ["grep -r x --exclude-dir={dist,build} .", ["build", "dist"]],
    ["find . -name x -not -path '*/dist/*'", ["dist"]],
    ["grep -rn x . | grep -v node_modules", ["node_modules"]],
    ["rg x src", []],
  ])("reads %s", (line, folders) => {
    const command = { line, name: "rg", purpose: "look" as const };

    expect(excludedFolders({ order: 0, at: 0, step: 0, tool: "Bash", does: "search", command })).toEqual(folders);
  });
});
