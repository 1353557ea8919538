import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../test/support/open-memories.js";
import { temporaryFolder } from "../../test/support/temporary-folder.js";

describe("a project", () => {
  it("[P2] is the same in every clone and worktree of one remote", async () => {
    const { home, db } = place();
    const one = repository(join(home, "one"), "git@github.com:Acme/Shop.git");
    const two = repository(join(home, "two"), "https://user:token@github.com/acme/shop");
    git(one, "worktree", "add", "-q", join(home, "tree"));

    await (
      await openTestMemory({ db, project: undefined, directory: one })
    ).remember({ content: "known in all of them" });

    for (const directory of [two, join(home, "tree")]) {
      const memory = await openTestMemory({ db, project: undefined, directory });
      // Git itself keeps the worktree; another clone is confirmed once.
      if (directory === two) await memory.projects.accept();
      expect(await memory.recall("known")).toHaveLength(1);
    }
  });

  it("[P2] is another one in a folder of the same name", async () => {
    const { home, db } = place();
    mkdirSync(join(home, "a", "app"), { recursive: true });
    mkdirSync(join(home, "b", "app"), { recursive: true });

    await (
      await openTestMemory({ db, project: undefined, directory: join(home, "a", "app") })
    ).remember({ content: "only a" });

    const other = await openTestMemory({ db, project: undefined, directory: join(home, "b", "app") });
    expect(await other.list()).toEqual([]);
  });

  it("[P2] stays the same when its folder becomes a repository, and when a remote is added later", async () => {
    const { home, db } = place();
    const directory = join(home, "app");
    mkdirSync(directory);
    const { project } = await (
      await openTestMemory({ db, project: undefined, directory })
    ).remember({ content: "from the start" });

    repository(directory);
    const afterInit = await (
      await openTestMemory({ db, project: undefined, directory })
    ).remember({ content: "after init" });
    git(directory, "remote", "add", "origin", "git@github.com:acme/app.git");
    const afterRemote = await (
      await openTestMemory({ db, project: undefined, directory })
    ).remember({ content: "after remote" });
    const clone = repository(join(home, "clone"), "git@github.com:acme/app.git");

    expect([afterInit.project, afterRemote.project]).toEqual([project, project]);
    const there = await openTestMemory({ db, project: undefined, directory: clone });
    await there.projects.accept();
    expect(await there.list()).toHaveLength(3);
  });

  it("[P2] learns of a new remote by reading alone, before a clone can claim it", async () => {
    const { home, db } = place();
    const directory = repository(join(home, "app"));
    const first = await openTestMemory({ db, project: undefined, directory });
    await first.remember({ content: "from the first folder" });
    await first.close();
    git(directory, "remote", "add", "origin", "git@github.com:acme/app.git");
    const reader = await openTestMemory({ db, project: undefined, directory });
    await reader.list();
    await reader.close();

    const clone = repository(join(home, "clone"), "https://github.com/acme/app.git");
    const memory = await openTestMemory({ db, project: undefined, directory: clone });
    await memory.projects.accept();

    expect((await memory.list()).map(({ content }) => content)).toEqual(["from the first folder"]);
    expect(await memory.projects.list()).toMatchObject([{ name: "app", memories: 1 }]);
  });

  it("[P3] asks when the remote changed, and never merges by itself", async () => {
    const { home, db } = place();
    const directory = repository(join(home, "app"), "git@github.com:acme/old.git");
    const old = await (
      await openTestMemory({ db, project: undefined, directory })
    ).remember({ content: "the old remote" });
    git(directory, "remote", "set-url", "origin", "git@github.com:acme/new.git");

    const memory = await openTestMemory({ db, project: undefined, directory });
    const doubt = await memory.projects.current();
    const fresh = await memory.remember({ content: "the new remote" });
    const stillInDoubt = await memory.projects.current();
    const joined = await memory.projects.join(old.project);

    expect(doubt.notice).toContain(`tacit project join ${old.project}`);
    expect(fresh.project).not.toBe(old.project);
    expect(stillInDoubt.notice).toContain(old.project);
    expect(joined).toMatchObject({ id: old.project });
    expect(joined.notice).toBeUndefined();
    expect((await memory.list()).map(({ content }) => content)).toEqual(["the old remote"]);
  });

  it("[P2] knows its branch and commit, and its files from its root", async () => {
    const { home, db } = place();
    const directory = repository(join(home, "app"));
    mkdirSync(join(directory, "src"));
    commit(directory);

    const memory = await openTestMemory({ db, project: undefined, directory: join(directory, "src") });
    const kept = await memory.remember({
      content: "x",
      relatedFiles: [join(directory, "src", "a.ts"), "b.ts", "/elsewhere/c.ts"],
    });

    expect(kept).toMatchObject({ branch: "main", commit: expect.stringMatching(/^[0-9a-f]{40}$/) });
    expect(kept.relatedFiles).toEqual(["src/a.ts", "b.ts", "/elsewhere/c.ts"]);
    expect(await memory.list({ files: [join(directory, "src", "a.ts")] })).toHaveLength(1);
    expect(await memory.recall("x", { files: [join(directory, "src", "a.ts")] })).toHaveLength(1);
  });

  it("refuses to join what does not exist", async () => {
    const memory = await openTestMemory();

    await expect(memory.projects.join("nobody")).rejects.toMatchObject({ code: "invalid-input" });
  });
});

function place(): { home: string; db: string } {
  const home = temporaryFolder();
  return { home, db: join(home, "memory.db") };
}

function repository(directory: string, remote?: string): string {
  mkdirSync(directory, { recursive: true });
  git(directory, "-c", "init.defaultBranch=main", "init", "-q");
  if (remote !== undefined) {
    git(directory, "remote", "add", "origin", remote);
    commit(directory);
  }
  return directory;
}

function commit(directory: string): void {
  const author = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
  git(directory, ...author, "commit", "-q", "--allow-empty", "-m", "first");
}

function git(cwd: string, ...args: string[]): void {
  execFileSync("git", args, {
    cwd,
    stdio: "ignore",
    env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  });
}
