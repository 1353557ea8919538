import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { identifyFolder } from "./identify-folder.js";

let home: string;
beforeEach(() => {
  home = realpathSync.native(mkdtempSync(join(tmpdir(), "tacit-identity-")));
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe("identifyFolder", () => {
  it("gives clones of one remote the same remote key, and each its own git key", async () => {
    const first = repositoryAt("first", { origin: "git@github.com:Owner/Repo.git" });
    const second = repositoryAt("second", { origin: "https://me:token@github.com/owner/repo" });

    const [one, two] = [await identifyFolder(first), await identifyFolder(second)];

    expect(one).toMatchObject({ name: "repo", remoteKey: "remote:github.com/owner/repo", root: first });
    expect(two.remoteKey).toBe(one.remoteKey);
    expect(two.gitKey).not.toBe(one.gitKey);
    expect(JSON.stringify(two)).not.toContain("token");
  });

  it("recognises clones of one folder by that folder", async () => {
    const source = repositoryAt("source");
    git(home, "clone", "--quiet", source, "one");
    git(home, "clone", "--quiet", `file://${slashed(source)}/.git`, "two");

    const keys = [await identifyFolder(join(home, "one")), await identifyFolder(join(home, "two"))];

    expect(keys.map((key) => key.remoteKey)).toEqual(Array(2).fill(`remote:file:${slashed(source)}`));
  });

  it("gives all worktrees of a repository one git key, each with its own root and branch", async () => {
    const main = repositoryAt("main", { origin: "../elsewhere" });
    const linked = join(home, "deep", "linked");
    git(main, "worktree", "add", "--quiet", "-b", "feature/x", linked);

    const [one, two] = [await identifyFolder(main), await identifyFolder(linked)];

    expect(two).toMatchObject({ root: linked, branch: "feature/x", gitKey: one.gitKey, remoteKey: one.remoteKey });
    expect(one.gitKey).toBe(`git:${slashed(main)}/.git`);
    expect(one.remoteKey).toBe(`remote:file:${slashed(home)}/elsewhere`);
    expect(two.pathKey).toBe(`path:${slashed(linked)}`);
  });

  it("tells two repositories of the same folder name apart", async () => {
    const [one, two] = [await identifyFolder(repositoryAt("a/app")), await identifyFolder(repositoryAt("b/app"))];

    expect([one.name, two.name]).toEqual(["app", "app"]);
    expect(one.gitKey).not.toBe(two.gitKey);
    expect(one.pathKey).not.toBe(two.pathKey);
  });

  it("identifies a subfolder, a missing folder, a link and the git folder as the root", async () => {
    const root = repositoryAt("repo", { origin: "git@github.com:owner/repo.git" });
    mkdirSync(join(root, "src", "deep"), { recursive: true });
    symlinkSync(join(root, "src"), join(home, "link"), "junction");
    const expected = await identifyFolder(root);

    const folders = [join(root, "src/deep"), join(root, "not/there"), join(home, "link/deep"), join(root, ".git/refs")];

    for (const folder of folders) expect(await identifyFolder(folder)).toEqual(expected);
  });

  it("gives a submodule its own identity", async () => {
    const library = repositoryAt("library");
    const outer = repositoryAt("outer", { origin: "git@github.com:owner/outer.git" });
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");

    const inner = await identifyFolder(join(outer, "vendor/lib"));

    expect(inner).toMatchObject({ root: join(outer, "vendor", "lib"), name: "library", branch: "main" });
    expect(inner.remoteKey).toBe(`remote:file:${slashed(library)}`);
    expect(inner.gitKey).toBe(`git:${slashed(outer)}/.git/modules/vendor/lib`);
  });

  it("knows a folder outside git by its path, even one that does not exist", async () => {
    const missing = join(home, "not", "there");

    expect(await identifyFolder(home)).toEqual({
      root: home,
      name: expect.any(String),
      pathKey: `path:${slashed(home)}`,
    });
    expect(await identifyFolder(missing)).toEqual({
      root: missing,
      name: "there",
      pathKey: `path:${slashed(missing)}`,
    });
  });

  it.each(["", "nonsense", "gitdir: ../nowhere", "gitdir: .", "gitdir: .git", "x".repeat(2 ** 20 + 1)])(
    "falls back to the path for a broken .git file, not to the repository around it (%#)",
    async (content) => {
      const broken = join(repositoryAt("outer"), "broken");
      mkdirSync(join(broken, "sub"), { recursive: true });
      writeFileSync(join(broken, ".git"), content);

      const identity = await identifyFolder(join(broken, "sub"));

      expect(identity).toEqual({ root: broken, name: "broken", pathKey: `path:${slashed(broken)}` });
    },
  );

  it("falls back to the path for an empty .git folder and for one that links to itself", async () => {
    mkdirSync(join(home, "empty", ".git"), { recursive: true });
    mkdirSync(join(home, "loop"));
    symlinkSync(join(home, "loop", ".git"), join(home, "loop", ".git"), "junction");

    for (const name of ["empty", "loop"]) {
      const root = join(home, name);
      expect(await identifyFolder(root)).toEqual({ root, name, pathKey: `path:${slashed(root)}` });
    }
  });

  it("names no remote when several compete or the configuration is too large", async () => {
    const torn = repositoryAt("torn", { fork: "git@github.com:a/x.git", other: "git@github.com:b/x.git" });
    const large = repositoryAt("large", { origin: "git@github.com:a/x.git" });
    writeFileSync(join(large, ".git", "config"), "#".repeat(2 ** 20), { flag: "a" });

    const identities = [await identifyFolder(torn), await identifyFolder(large)];

    expect(identities.map(({ name, remoteKey }) => [name, remoteKey])).toEqual([
      ["torn", undefined],
      ["large", undefined],
    ]);
    expect(identities[1]?.gitKey).toBe(`git:${slashed(large)}/.git`);
  });

  it("reads branch and commit before the first commit, loose, packed and detached", async () => {
    const root = join(home, "repo");
    git(home, "-c", "init.defaultBranch=main", "init", "--quiet", root);
    const unborn = await identifyFolder(root);
    commitIn(root);
    const commit = git(root, "rev-parse", "HEAD");
    const loose = await identifyFolder(root);
    git(root, "pack-refs", "--all");
    const packed = await identifyFolder(root);
    git(root, "checkout", "--quiet", "--detach");
    const detached = await identifyFolder(root);

    const positions = [unborn, loose, packed, detached].map((identity) => [identity.branch, identity.commit]);

    expect(positions).toEqual([
      ["main", undefined],
      ["main", commit],
      ["main", commit],
      [undefined, commit],
    ]);
  });

  it.each(["../../../secret", "a b", "/etc", ".invalid", "x/../y"])(
    "takes no branch from a HEAD at %j",
    async (branch) => {
      const root = repositoryAt("repo");
      writeFileSync(join(root, ".git", "HEAD"), `ref: refs/heads/${branch}\n`);

      const identity = await identifyFolder(root);

      expect(identity).not.toHaveProperty("branch");
      expect(identity).not.toHaveProperty("commit");
    },
  );
});

function repositoryAt(name: string, remotes: Record<string, string> = {}): string {
  const root = join(home, name);
  git(home, "-c", "init.defaultBranch=main", "init", "--quiet", root);
  commitIn(root);
  for (const [remote, url] of Object.entries(remotes)) git(root, "remote", "add", remote, url);
  return root;
}

function commitIn(root: string): void {
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  git(root, ...author, "commit", "--quiet", "--allow-empty", "--message", "first");
}

function git(cwd: string, ...args: string[]): string {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_"));
  const env = { ...Object.fromEntries(inherited), GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
