import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { commitFiles, git, gitRepository, writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { listFiles } from "./list-files.js";

afterEach(() => vi.unstubAllEnvs());

describe.each([
  ["in a git repository", gitRepository],
  ["in a plain folder", () => realpathSync(temporaryFolder())],
])("the files %s", (_, makeRoot) => {
  it("are listed from the root, sorted, with size and time", async () => {
    const root = makeRoot();
    writeFiles(root, { "src/b.ts": "12345", "src/a.ts": "", "README.md": "1", ".config/x": "1", ".gitignore": "" });

    const { files, problems } = await listFiles(root);

    expect(files.map(({ path }) => path)).toEqual([".config/x", ".gitignore", "README.md", "src/a.ts", "src/b.ts"]);
    expect(files.at(-1)).toEqual({ path: "src/b.ts", size: 5, modifiedMs: expect.closeTo(Date.now(), -5) });
    expect(problems).toEqual([]);
  });

  it("leave out what .gitignore files name, those of folders included", async () => {
    const root = makeRoot();
    writeFiles(root, {
      ".gitignore": "*.log\n/dist/\nfoo/*\n# a comment\n\n\\#odd\n",
      "a.log": "",
      "#odd": "",
      "dist/a.ts": "",
      "src/dist/a.ts": "",
      "src/.gitignore": "!keep.log\n/own.ts\ndeep.ts\n",
      "src/keep.log": "",
      "src/other.log": "",
      "src/own.ts": "",
      "src/sub/own.ts": "",
      "src/sub/deep.ts": "",
      "deep.ts": "",
      "foo/.gitignore": "!x/\n!.gitignore\n",
      "foo/a.ts": "",
      "foo/x/a.ts": "",
      "odd [x] !/.gitignore": "/a.ts\n",
      "odd [x] !/a.ts": "",
      "odd [x] !/b.ts": "",
      "x/a.ts": "",
    });

    expect(await pathsIn(root)).toEqual(
      [
        ".gitignore",
        "deep.ts",
        "foo/.gitignore",
        "foo/x/a.ts",
        "odd [x] !/.gitignore",
        "odd [x] !/b.ts",
        "src/.gitignore",
        "src/dist/a.ts",
        "src/keep.log",
        "src/sub/own.ts",
        "x/a.ts",
      ].toSorted(),
    );
  });

  it("leave out node_modules, .tacit, links and what is behind them, and repositories inside", async () => {
    const root = makeRoot();
    const outside = temporaryFolder();
    writeFiles(outside, { "secret.ts": "" });
    writeFiles(root, { "a.ts": "", "node_modules/x/index.js": "", "packages/p/node_modules/y/index.js": "" });
    writeFiles(root, { ".tacit/memories/a.md": "", "packages/p/.tacit/a.ts": "" });
    writeFiles(root, { "nested/b.ts": "", "src/node_modules.ts": "", "src/.tacit.ts": "" });
    git(join(root, "nested"), "init", "--quiet");
    commitFiles(join(root, "nested"), {});
    symlinkSync(root, join(root, "loop"));
    symlinkSync(outside, join(root, "src/outside"));
    symlinkSync(join(root, "a.ts"), join(root, "link.ts"));
    symlinkSync("nowhere", join(root, "dangling.ts"));

    expect(await pathsIn(root)).toEqual(["a.ts", "src/.tacit.ts", "src/node_modules.ts"]);
  });

  it("are no pipes and no folders", async () => {
    const root = makeRoot();
    writeFiles(root, { "a.ts": "" });
    mkdirSync(join(root, "empty"));
    execFileSync("mkfifo", [join(root, "pipe.ts")]);

    expect(await pathsIn(root)).toEqual(["a.ts"]);
  });

  it("have any name that can be told", async () => {
    const root = makeRoot();
    const names = [
      "line\nbreak.ts",
      "\nfirst.ts",
      'quo"te.ts',
      "naïve ü.ts",
      "-x.ts",
      "back\\slash.ts",
      "...",
      " a ",
      "\uFFFD",
    ];
    writeFiles(root, Object.fromEntries(names.map((name) => [name, ""])));

    expect(await pathsIn(root)).toEqual(names.toSorted());
  });

  it("are named as a problem where their name cannot be told", async () => {
    const root = makeRoot();
    writeFiles(root, { "a.ts": "", "old.ts#/a.ts": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${root}/bad`), Buffer.from([0xff]), Buffer.from(".ts")]), "");

    const { files, problems } = await listFiles(root);

    expect(files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect(problems).toEqual([
      { path: "bad\uFFFD.ts", reason: "its name is not UTF-8" },
      { path: "old.ts#/a.ts", reason: "a # in its path" },
    ]);
  });

  it("are all or none: a root that is not there and an aborted signal throw", async () => {
    const root = makeRoot();
    writeFiles(root, { "a.ts": "" });

    await expect(listFiles(join(root, "gone"))).rejects.toMatchObject({ code: "invalid-input" });
    await expect(listFiles(join(root, "a.ts"))).rejects.toMatchObject({ code: "invalid-input" });
    await expect(listFiles(root, { signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
  });
});

describe("with git", () => {
  it("lists what is there: not what is deleted, once what is in conflict, and tracked files that are ignored", async () => {
    const root = gitRepository();
    commitFiles(root, { "a.ts": "1\n", "gone.ts": "1", "kept.log": "1" });
    git(root, "checkout", "--quiet", "-b", "other");
    commitFiles(root, { "a.ts": "2\n" });
    git(root, "checkout", "--quiet", "main");
    commitFiles(root, { "a.ts": "3\n" });
    expect(() => git(root, "merge", "other")).toThrow("failed");
    rmSync(join(root, "gone.ts"));
    writeFiles(root, { ".git/info/exclude": "kept.log\nown.ts\n", "own.ts": "" });

    expect(await pathsIn(root)).toEqual(["a.ts", "kept.log"]);
  });

  it("does not follow a link that took the place of a folder, nor lists a submodule or committed node_modules", async () => {
    const root = gitRepository();
    const library = gitRepository();
    commitFiles(library, { "lib.ts": "1" });
    commitFiles(root, { "src/a.ts": "1", "node_modules/x.js": "1", "b.ts": "1" });
    git(root, "-c", "protocol.file.allow=always", "submodule", "add", "--quiet", library, "lib");
    git(root, "commit", "--quiet", "--message", "a submodule");
    const outside = join(temporaryFolder(), "src");
    renameSync(join(root, "src"), outside);
    symlinkSync(outside, join(root, "src"));

    expect(await pathsIn(root)).toEqual([".gitmodules", "b.ts"]);
  });

  it("is not needed: without it the result is the same", async () => {
    const root = gitRepository();
    commitFiles(root, { ".gitignore": "*.log\n", "src/a.ts": "1", "b.log": "1" });
    const before = await listFiles(root);

    vi.stubEnv("PATH", temporaryFolder());

    expect(await listFiles(root)).toEqual(before);
  });

  it("starts no program that the repository names, and looks at no other place that it names", async () => {
    const root = gitRepository();
    commitFiles(root, { ".gitattributes": "*.ts filter=evil diff=evil", "a.ts": "1" });
    const outside = gitRepository();
    commitFiles(outside, { "secret.ts": "1" });
    const [trap, trace] = [join(root, ".git/trap"), join(root, ".git/sprung")];
    writeFileSync(trap, `#!/bin/sh\ntouch '${trace}'\n`);
    chmodSync(trap, 0o755);
    for (const key of ["core.fsmonitor", "core.pager", "filter.evil.clean", "filter.evil.process"]) {
      git(root, "config", key, trap);
    }
    rmSync(trace, { force: true });
    git(root, "config", "core.worktree", outside);
    vi.stubEnv("GIT_DIR", join(outside, ".git"));
    writeFiles(root, { "a.ts": "2" });

    expect(await pathsIn(root)).toEqual([".gitattributes", "a.ts"]);
    expect(existsSync(trace)).toBe(false);
  });

  it("does not answer for a repository around the root", async () => {
    const outer = gitRepository();
    commitFiles(outer, { ".gitignore": "inner", "a.ts": "1" });
    writeFiles(outer, { "inner/b.ts": "" });

    expect(await pathsIn(join(outer, "inner"))).toEqual(["b.ts"]);
  });
});

describe("without git", () => {
  it("names a folder that lies too deep, an ignore file that cannot be read, and a pattern that takes too long", async () => {
    const root = realpathSync(temporaryFolder());
    writeFiles(root, { "a.ts": "", "src/.gitignore": `${"**/a/".repeat(4)}b\nc.ts`, "src/b.ts": "", "src/c.ts": "" });
    mkdirSync(join(root, "other/.gitignore"), { recursive: true });
    writeFiles(root, { [`${"deep/".repeat(70)}a.ts`]: "" });

    const { files, problems } = await listFiles(root);

    expect(files.map(({ path }) => path)).toEqual(["a.ts", "src/.gitignore", "src/b.ts"]);
    expect(problems).toEqual([
      { path: "deep/".repeat(61).slice(0, -1), reason: "lies too deep" },
      { path: "other/.gitignore", reason: "cannot be read" },
      { path: "src/.gitignore", reason: "a pattern with more than 3 **" },
    ]);
  });
});

async function pathsIn(root: string): Promise<string[]> {
  const { files, problems } = await listFiles(root);
  expect(problems).toEqual([]);
  return files.map(({ path }) => path);
}
