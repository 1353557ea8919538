import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, expect, it, vi } from "vitest";
import { commitFiles, git, gitRepository } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { findRenames, type Rename } from "./find-renames.js";

afterEach(() => vi.unstubAllEnvs());

it("finds what was renamed since a commit, committed or staged, in any folder and under any name", async () => {
  const root = gitRepository();
  const first = commitFiles(root, { "a.ts": body("a"), "b.ts": body("b"), "c.ts": body("c"), "d.ts": body("d") });
  git(root, "mv", "a.ts", "\nodd name.ts");
  commitFiles(root, { "src/keep.ts": "1" });
  git(root, "mv", "b.ts", "src/b.ts");
  git(root, "rm", "--quiet", "c.ts");

  expect(await renamesSince(root, first)).toEqual([
    { from: "a.ts", to: "\nodd name.ts" },
    { from: "b.ts", to: "src/b.ts" },
  ]);
});

it("gives a chain from its first to its last name", async () => {
  const root = gitRepository();
  const first = commitFiles(root, { "a.ts": body("a") });
  git(root, "mv", "a.ts", "b.ts");
  commitFiles(root, {});
  git(root, "mv", "b.ts", "c.ts");
  commitFiles(root, {});

  expect(await renamesSince(root, first)).toEqual([{ from: "a.ts", to: "c.ts" }]);
});

it("follows a file that changed little by little until nothing was left of it", async () => {
  const root = gitRepository();
  const lines = (from: number) => Array.from({ length: 20 }, (_, at) => `line ${from + at} of the file\n`).join("");
  const first = commitFiles(root, { "a.ts": lines(0) });
  for (const [step, name] of ["a", "b", "c", "d"].entries()) {
    if (step > 0) git(root, "mv", `${"abcd"[step - 1]}.ts`, `${name}.ts`);
    commitFiles(root, { [`${name}.ts`]: lines(step * 7) });
  }
  expect(git(root, "diff", "--name-status", "-M", first)).not.toContain("R");

  expect(await renamesSince(root, first)).toEqual([{ from: "a.ts", to: "d.ts" }]);
});

it("does not give a name that was taken back", async () => {
  const root = gitRepository();
  const first = commitFiles(root, { "a.ts": body("a") });
  git(root, "mv", "a.ts", "x.ts");
  commitFiles(root, {});
  git(root, "mv", "x.ts", "a.ts");
  commitFiles(root, {});

  expect(await renamesSince(root, first)).toEqual([]);
});

it("gives none for a commit that is not there, beyond a shallow clone, or is no commit, and without git", async () => {
  const source = gitRepository();
  const first = commitFiles(source, { "a.ts": body("a") });
  git(source, "mv", "a.ts", "b.ts");
  commitFiles(source, {});
  const clone = join(temporaryFolder(), "clone");
  git(dirname(clone), "clone", "--quiet", "--depth=1", pathToFileURL(source).href, clone);

  expect(await renamesSince(clone, first)).toEqual([]);
  for (const commit of ["0".repeat(40), "HEAD~1", "", "--output=x", git(source, "rev-parse", `${first}^{tree}`)]) {
    expect(await renamesSince(source, commit), commit).toEqual([]);
  }
  expect(await renamesSince(temporaryFolder(), first)).toEqual([]);
  expect(await findRenames(source, first, { timeoutMs: 20_000, signal: AbortSignal.abort() })).toEqual([]);
  vi.stubEnv("PATH", temporaryFolder());
  expect(await renamesSince(source, first)).toEqual([]);
});

it("starts no program that the repository names", async () => {
  const root = gitRepository();
  const first = commitFiles(root, {
    "a.ts": body("a"),
    "b.ts": body("b"),
    ".gitattributes": "*.ts filter=evil diff=evil",
  });
  git(root, "mv", "a.ts", "c.ts");
  commitFiles(root, {});
  const [trap, trace] = [join(root, ".git/trap"), join(root, ".git/sprung")];
  writeFileSync(trap, `#!/bin/sh\ntouch '${trace}'\ncat\n`);
  chmodSync(trap, 0o755);
  for (const key of ["core.fsmonitor", "diff.external", "diff.evil.textconv", "filter.evil.clean"]) {
    git(root, "config", key, trap);
  }
  writeFileSync(join(root, "b.ts"), "something else");
  rmSync(trace, { force: true });

  expect(await renamesSince(root, first)).toEqual([{ from: "a.ts", to: "c.ts" }]);
  expect(existsSync(trace)).toBe(false);
  git(root, "diff", "-M", "--name-status", first);
  expect(existsSync(trace)).toBe(true);
});

function renamesSince(root: string, commit: string): Promise<Rename[]> {
  return findRenames(root, commit, { timeoutMs: 20_000 });
}

function body(seed: string): string {
  return Array.from({ length: 20 }, (_, line) => `line ${line} of ${seed}\n`).join("");
}
