import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { performance } from "node:perf_hooks";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { IgnoreSetting } from "../../config/config.js";
import { openIgnoring } from "./open-ignoring.js";

describe("a .tacitignore", () => {
  it("[TR75] says it as a .gitignore does, in its folder and below, and a deeper one has the last word", () => {
    const ignores = ignoring({
      ".tacitignore": "# ours\n*.pem\n/top.ts\nvaulted/\n!keep.pem\n",
      "docs/.tacitignore": "*\n!*.md\n",
    });

    expect(["a.pem", "src/deep/a.pem", "top.ts", "vaulted/a.ts", "docs/a.txt"].filter(ignores)).toHaveLength(5);
    expect(["keep.pem", "src/top.ts", "src/vaulted.ts", "docs/a.md", "a.ts"].filter(ignores)).toEqual([]);
  });

  it("[TR75] counts for a folder whose files are ignored, and for a link that leads there", () => {
    const { root, path } = tree({ ".tacitignore": "vaulted/**\n", "vaulted/a.ts": "", "src/b.ts": "" });
    symlinkSync(join(root, "vaulted"), join(root, "src/open"));

    expect(["vaulted", "vaulted/", "src/open", "src/open/a.ts"].map((one) => path(one) !== undefined)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["src", "src/b.ts", "."].map((one) => path(one))).toEqual([undefined, undefined, undefined]);
  });

  it("[TR84] that cannot be read, or is too large, hides all that lies below it", () => {
    const { root, path } = tree({ "big/.tacitignore": "a\n".repeat(40_000), "many/.tacitignore": "a\n".repeat(3000) });
    mkdirSync(join(root, "odd/.tacitignore"), { recursive: true });

    expect(["big/x.ts", "many/x.ts", "odd/x.ts", "else/x.ts"].map((one) => path(one))).toEqual([
      ".tacitignore",
      ".tacitignore",
      ".tacitignore",
      undefined,
    ]);
  });

  it("[TR84] counts with those around it: where all of them have too many patterns, all below is hidden", () => {
    const some = "b\n".repeat(900);
    const { path } = tree({ ".tacitignore": some, "a/.tacitignore": some, "a/a/.tacitignore": some });

    expect(["x.ts", "a/x.ts", "a/a/x.ts", "a/a/a/x.ts"].map((one) => path(one))).toEqual([
      undefined,
      undefined,
      ".tacitignore",
      ".tacitignore",
    ]);
  });

  it("[TR84] of a stranger costs no time, whatever its patterns, and hides more where it would", () => {
    const stars = `${"**/a/".repeat(30)}b`;
    const { path } = tree({ ".tacitignore": `${stars}\n${"*a".repeat(40)}b\n!${"**/".repeat(1)}${"x*".repeat(30)}\n` });
    const deep = `${"a/".repeat(60)}c`;
    const began = performance.now();

    expect(path(deep)).toBe(".tacitignore");
    expect(path(`${"a".repeat(200)}c`)).toBe(".tacitignore");
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe("the setting ignore", () => {
  it("[TR75] is added to what files say, and no file takes it back", () => {
    const ignores = ignoring({ ".tacitignore": "!secret.ts\n!*\n" }, { paths: ["secret.ts", "~/keys/**", "*.pem"] });

    expect(ignores("secret.ts")).toBe(true);
    expect(ignores(`${homedir()}/keys/a`)).toBe(true);
    expect(ignores("/srv/a.pem")).toBe(true);
    expect(ignores("/srv/secret.md")).toBe(false);
  });

  it.each([
    ["vault *", "vault kv get a", true],
    ["vault *", "vault", true],
    ["vault", "vault kv get a", true],
    ["vault *", "vaultx a", false],
    ["op item get *", "op item list", false],
    ["* --token *", "deploy --token abc", true],
    [`${"*a".repeat(50)}b`, "a".repeat(5000), false],
  ])("[TR75] %j over %j is %j", (pattern, line, is) => {
    const ignore = { paths: [], commands: [pattern], projects: [] };

    expect(openIgnoring({ root: "/nowhere", ignore }).command([line])).toBe(is);
  });
});

function tree(files: Record<string, string>, ignore?: Partial<IgnoreSetting>) {
  const root = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  const { path } = openIgnoring({ root, ignore: ignore && { paths: [], commands: [], projects: [], ...ignore } });
  return { root, path };
}

function ignoring(files: Record<string, string>, ignore?: Partial<IgnoreSetting>): (path: string) => boolean {
  const { path } = tree(files, ignore);
  return (one) => path(one) !== undefined;
}
