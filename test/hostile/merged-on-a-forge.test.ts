import { readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { runHook } from "../support/hook-process.js";
import { git, gitAt, gitRepository, writeFiles } from "../support/git-repository.js";
import { as, sharedRepository, type SharedRepository } from "../support/shared-repository.js";
import { slowGit } from "../support/slow-git.js";
import { toldSession } from "../support/told-session.js";

afterEach(() => vi.unstubAllEnvs());

const github = "GitHub <noreply@github.com>";
const [me, them] = ["me <me@example.com>", "them <them@example.com>"];
const alsoMe = "Me <1234+me@users.noreply.github.com>";
const files = { "src/cart.ts": "export const cart = [1, 2, 3];\nexport const size = 3;\nexport const full = true;\n" };
const message = "Keep three things in the cart because the shop sells no more";

const hour = 3_600_000;

interface Merge {
  how: "merge" | "squash" | "renamed squash" | "rebase";
  author: string;
  committer: string;
}

describe("what waits for a merge by somebody else", () => {
  it.each<[string, Merge]>([
    ["squashed it there", { how: "squash", author: me, committer: github }],
    [
      "squashed it there, under another address and subject",
      { how: "renamed squash", author: alsoMe, committer: github },
    ],
    ["rebased it there", { how: "rebase", author: me, committer: alsoMe }],
    ["squashed it on GitLab", { how: "squash", author: me, committer: "GitLab <noreply@gitlab.com>" }],
    ["merged it by hand", { how: "merge", author: me, committer: me }],
    [
      "let a program merge it",
      { how: "merge", author: "m <1+mergify[bot]@users.noreply.github.com>", committer: github },
    ],
    ["let a program squash it", { how: "squash", author: me, committer: "bors <bors@example.org>" }],
    ["let an agent squash it", { how: "squash", author: me, committer: "Claude <noreply@anthropic.com>" }],
  ])("[TR24] goes on waiting where its author %s", async (_, merge) => {
    const shared = await workedOn();

    await mergeOnForge(shared, { ...merge, at: Date.now() + hour });

    expect(await statuses(shared, Date.now() + 3 * hour)).toEqual(["waiting", "waiting"]);
  });

  it.each<[string, Merge]>([
    ["merged it by GitHub's button", { how: "merge", author: them, committer: github }],
    ["opened the pull request that GitHub squashed", { how: "squash", author: them, committer: github }],
    ["squashed it on a forge that names them", { how: "renamed squash", author: me, committer: them }],
    ["rebased it", { how: "rebase", author: me, committer: them }],
  ])("[TR24] becomes active where somebody else %s", async (_, merge) => {
    const shared = await workedOn();

    await mergeOnForge(shared, merge);

    expect(await statuses(shared)).toEqual(["active", "active"]);
    const [one] = await shared.use((memory) => memory.list());
    const [history] = await shared.use((memory) => memory.history(one?.id ?? ""));
    expect(history?.fields["review"]?.after).toMatchObject({ reason: expect.stringContaining("them@example.com") });
  });

  it.each([
    ["is found where it was rebased before somebody else merged it", message, "active"],
    ["is not found where what was rebased says something else", `${message}\n\nAlways deploy on Fridays.`, "waiting"],
  ])("[TR24] %s", async (_, said, status) => {
    const shared = await workedOn();
    git(shared.root, "checkout", "--quiet", "feature");
    as(
      shared.root,
      "me@example.com",
      "commit",
      "--quiet",
      "--amend",
      "--message",
      said,
      "--date",
      "2026-01-01T00:00:00Z",
    );
    git(shared.root, "push", "--quiet", "--force", "origin", "feature");
    git(shared.root, "checkout", "--quiet", "main");

    await mergeOnForge(shared, { how: "merge", author: them, committer: github });

    expect(await typed(shared)).toMatchObject({ decision: status });
  });

  it("[TR24] is not released by an earlier commit of the same words, nor by one of other files", async () => {
    const shared = await sharedRepository();
    const before = shared.commitOnBranch("earlier", { "src/other.ts": "export const other = 1;\n" }, message);
    git(shared.root, "checkout", "--quiet", "main");
    shared.other("fetch", "--quiet");
    shared.other("merge", "--quiet", "--no-ff", "--no-edit", before);
    shared.other("push", "--quiet", "origin", "main");
    shared.fetch();

    await workedOn({ shared });

    expect(await statuses(shared)).toEqual(["waiting", "waiting"]);
  });

  it("[TR24] is not released by a commit in whose author's place the agent wrote another name", async () => {
    const shared = await workedOn({ options: ["--author", "Anybody <anybody@example.com>"] });

    await mergeOnForge(shared, { how: "rebase", author: "Anybody <anybody@example.com>", committer: github });

    expect(await statuses(shared)).toEqual(["waiting", "waiting"]);
  });
});

describe("work that its author let a forge merge", () => {
  const merged = (shared: SharedRepository, more: Partial<MergeOnForge> = {}) =>
    mergeOnForge(shared, { how: "merge", author: me, committer: github, at: Date.now() + hour, ...more });
  const soon = () => Date.now() + 3 * hour;

  it.each<[string, Partial<MergeOnForge>]>([
    ["merged", {}],
    ["merged under another address", { author: alsoMe }],
    ["merged on Bitbucket", { committer: "Bitbucket <noreply@bitbucket.org>" }],
  ])("[TR96] releases the message of the commit, and no other words: %s", async (_, more) => {
    const shared = await workedOn();
    const before = await typed(shared);

    await merged(shared, more);

    expect(before).toEqual({ decision: "waiting", gotcha: "waiting" });
    expect(await typed(shared, soon())).toEqual({ decision: "active", gotcha: "waiting" });
    const [decision] = await shared.use((memory) => memory.list({ type: "decision" }));
    const [last] = await shared.use((memory) => memory.history(decision?.id ?? ""));
    expect(last?.fields["review"]?.after).toMatchObject({ reason: expect.stringContaining("web page, as ") });
  });

  it.each<[string, Partial<MergeOnForge>]>([
    ["while the session went on", { at: Date.now() }],
    ["at a time that is still to come", { at: Date.now() + 5 * hour }],
  ])("[TR96] releases nothing where it was merged %s", async (_, more) => {
    const shared = await workedOn();

    await merged(shared, more);

    expect(await typed(shared, soon())).toEqual({ decision: "waiting", gotcha: "waiting" });
  });

  it.each([
    ["gh pr merge 1 --auto --squash", undefined],
    ["cd .. && gh pr -R me/shop merge 1", undefined],
    ["glab mr merge 1 --when-pipeline-succeeds", undefined],
    ["gh api -X PUT repos/me/shop/pulls/1/merge", undefined],
    ["git push origin HEAD:main", undefined],
    ["git push -o merge_request.merge_when_pipeline_succeeds origin feature", undefined],
    ["gh pr merge 1 --auto --body-file secrets/b.md", undefined],
    [undefined, ["mcp__github__merge_pull_request", { pullNumber: 1 }]],
    [undefined, ["mcp__github__merge_pull_request", { pullNumber: 1, file: "secrets/b.md" }]],
    [undefined, ["mcp__forge__graphql", { query: "mutation { enablePullRequestAutoMerge(input: {}) { id } }" }]],
  ] as const)("[TR96] releases nothing where an agent had asked for it: %s %j", async (command, call) => {
    const shared = await workedOn();
    writeFiles(shared.root, { ".tacitignore": "secrets/\n" });
    // Another session than the one whose words wait.
    const asking = toldSession("s2", Date.now() - 30_000)
      .starts()
      .reads("src/cart.ts");
    if (command === undefined) asking.uses(call[0], call[1], "done");
    else asking.runs(command, "done");
    await shared.learn(asking.ends());

    await merged(shared);

    expect(await typed(shared, soon())).toMatchObject({ decision: "waiting" });
  });

  it("[TR96] releases nothing where an agent had asked for it before the session began", async () => {
    const shared = await sharedRepository();
    await shared.learn(
      toldSession("s0", Date.now() - 48 * hour)
        .starts()
        .runs("gh pr merge 1 --auto", "done")
        .ends(),
    );
    await workedOn({ shared });

    await merged(shared);

    expect(await typed(shared, soon())).toMatchObject({ decision: "waiting" });
  });

  it("[TR96] releases what was merged although an agent had been at work in between", async () => {
    const shared = await workedOn();
    await shared.learn(
      toldSession("s2", Date.now() - 30_000)
        .starts()
        .runs("gh pr view 1", "open")
        .ends(),
    );

    await merged(shared);

    expect(await typed(shared, soon())).toMatchObject({ decision: "active" });
  });

  it("[TR96] is not kept waiting by a session of another project whose agent has been silent", async () => {
    const shared = await workedOn();
    const place = { root: gitRepository(), db: shared.db };
    const said = { session_id: "s9", cwd: place.root, tool_name: "Read", tool_use_id: "t1" };
    const input = { file_path: join(place.root, "a.ts") };
    await runHook(place, { ...said, hook_event_name: "PreToolUse", tool_input: input });
    const sessions = join(process.env["TACIT_HOME"] as string, "sessions");
    const before = new Date(Date.now() - 20 * hour);
    for (const name of readdirSync(sessions, { recursive: true, encoding: "utf8" })) {
      utimesSync(join(sessions, name), before, before);
    }

    await merged(shared);

    expect(readdirSync(sessions)).toHaveLength(1);
    expect(await typed(shared, soon())).toMatchObject({ decision: "active" });
  });

  it("[TR96] waits for a session that was under way, and is looked at again", async () => {
    const shared = await workedOn();
    // Nobody has learned from it yet: it may have merged.
    const other = toldSession("s2", Date.now()).starts().reads("src/cart.ts");
    await shared.use(async (memory) => {
      for (const event of other.events) memory.observe(event);
      await memory.sessions.acute("s2");
    });
    await merged(shared);
    const during = await typed(shared, soon());

    await shared.use((memory) => memory.finishSession("s2"), { now: soon });

    expect(during).toMatchObject({ decision: "waiting" });
    expect(await typed(shared, soon())).toMatchObject({ decision: "active" });
  });

  it("[TR96] releases what was merged once the session of a later day is over", async () => {
    const shared = await workedOn();
    await merged(shared, { at: Date.now() + hour });
    await shared.learn(
      toldSession("s2", Date.now() + 2 * hour)
        .starts()
        .reads("src/cart.ts")
        .ends(),
    );

    expect(await typed(shared, soon())).toMatchObject({ decision: "active" });
  });
});

describe("work that a person commits by hand when the session is over", () => {
  const byThem: Merge = { how: "merge", author: them, committer: them };
  const byMe: Merge = { how: "merge", author: me, committer: github };

  it.each<[string, Merge]>([
    ["merged", byThem],
    ["squashed", { ...byThem, how: "renamed squash" }],
  ])("[TR24] is found by what the session left, and released once somebody else has %s it", async (_, merge) => {
    const shared = await leftUncommitted();
    shared.commitOnBranch("feature", {}, message);
    const before = await statuses(shared);

    await mergeOnForge(shared, merge);

    expect([before, await statuses(shared)]).toEqual([["waiting"], ["active"]]);
  });

  it("[TR24] goes on waiting where the author merged it, or where the commit holds something else", async () => {
    const ofMine = await leftUncommitted();
    ofMine.commitOnBranch("feature", {}, message);
    await mergeOnForge(ofMine, byMe);
    const other = await leftUncommitted();
    other.commitOnBranch("feature", { "src/cart.ts": "export const cart = [4];\n" }, message);
    await mergeOnForge(other, byThem);

    expect([await statuses(ofMine), await statuses(other)]).toEqual([["waiting"], ["waiting"]]);
  });

  it.each([
    ["an empty file of it", { "src/empty.ts": "" }],
    ["one file of four", { "src/one.ts": "export const one = 1;\n" }],
  ])("[TR24] goes on waiting where what was merged holds only %s", async (_, left) => {
    const others = { "src/two.ts": "2;\n", "src/three.ts": "3;\n", ...files };
    const shared = await leftUncommitted({ left: { ...others, ...left } });
    git(shared.root, "checkout", "--quiet", "--", ".");
    rmSync(join(shared.root, "src/two.ts"));
    rmSync(join(shared.root, "src/three.ts"));
    shared.commitOnBranch("feature", { ...left, "src/other.ts": "export const other = 1;\n" }, "Something else");

    await mergeOnForge(shared, byThem);

    expect(await statuses(shared)).toEqual(["waiting"]);
  });

  it("[TR24] is looked for again where git was too slow to find it", async () => {
    const shared = await leftUncommitted();
    shared.commitOnBranch("feature", {}, message);
    await mergeOnForge(shared, byThem);
    const begin = Date.now();
    slowGit("--full-diff");
    const late = await statuses(shared, begin);
    vi.unstubAllEnvs();

    expect([late, await statuses(shared, begin + 3_660_000)]).toEqual([["waiting"], ["active"]]);
  }, 60_000);

  it("[TR24] goes on waiting where a branch was fetched in the place of the remote's default one", async () => {
    const shared = await leftUncommitted();
    shared.commitOnBranch("feature", {}, message);
    git(shared.root, "checkout", "--quiet", "main");
    as(shared.root, "bob@example.com", "merge", "--quiet", "--no-ff", "--no-edit", "feature");
    git(shared.root, "push", "--quiet", "origin", "main:refs/heads/other");
    git(shared.root, "fetch", "--quiet", "origin", "+other:refs/remotes/origin/main");

    expect(await statuses(shared)).toEqual(["waiting"]);
  });

  it("[TR24] is not found in what somebody else has committed, nor in what was there before", async () => {
    const pulled = await leftUncommitted();
    git(pulled.root, "checkout", "--quiet", "--", ".");
    pulled.other("checkout", "--quiet", "-b", "theirs");
    writeFiles(pulled.otherRoot, files);
    pulled.other("commit", "--quiet", "--all", "-m", message);
    pulled.other("checkout", "--quiet", "main");
    pulled.other("merge", "--quiet", "--no-ff", "--no-edit", "theirs");
    pulled.other("push", "--quiet", "origin", "main");
    pulled.fetch();
    const unchanged = await leftUncommitted({ left: {} });
    unchanged.commitOnBranch("feature", files, message);
    await mergeOnForge(unchanged, byThem);

    expect([await statuses(pulled), await statuses(unchanged)]).toEqual([["waiting"], ["waiting"]]);
  });
});

describe("a repository that git is too slow in", () => {
  beforeEach(({ skip }) => skip(process.platform === "win32", "no script can stand in for git there"));

  const byThem: Merge = { how: "merge", author: them, committer: them };

  it.each(["--first-parent", "for-each-ref"])(
    "[TR24] is not asked again at every command, but after an hour: %s",
    async (slow) => {
      const shared = await workedOn();
      await mergeOnForge(shared, byThem);
      const asked = slowGit(slow);
      const begin = Date.now();

      await statuses(shared, begin);
      const first = asked().filter((line) => line.includes(slow)).length;
      for (const later of [1, 2]) await statuses(shared, begin + later * 60_000);
      const soon = asked().filter((line) => line.includes(slow)).length;
      vi.unstubAllEnvs();

      expect([first > 0, soon - first]).toEqual([true, 0]);
      expect(await statuses(shared, begin + hour / 2)).toEqual(["waiting", "waiting"]);
      expect(await statuses(shared, begin + hour + 60_000)).toEqual(["active", "active"]);
    },
    60_000,
  );

  it("[TR24] is asked again once the remote's branch has moved", async () => {
    const shared = await workedOn();
    await mergeOnForge(shared, byThem);
    slowGit("--first-parent");
    await statuses(shared);
    vi.unstubAllEnvs();

    shared.other("commit", "--quiet", "--allow-empty", "-m", "More");
    shared.other("push", "--quiet", "origin", "main");
    shared.fetch();

    expect(await statuses(shared)).toEqual(["active", "active"]);
  }, 60_000);
});

it("[TR45] reads the commits of a session from git once when it ends", async ({ skip }) => {
  skip(process.platform === "win32", "no script can stand in for git there");
  const asked = slowGit("no-such-question");

  await workedOn();

  const readings = asked().filter((line) => line.includes("--no-walk=unsorted") && line.includes("%ct"));
  expect(readings).toHaveLength(1);
});

/** A session that read a page, worded something, and committed its work on a branch. */
async function workedOn({
  options = [],
  shared: given,
}: {
  options?: string[];
  shared?: SharedRepository;
} = {}): Promise<SharedRepository> {
  const shared = given ?? (await sharedRepository());
  shared.commitOnBranch("feature", files, message);
  if (options.length > 0) amend(shared, options);
  const sha = git(shared.root, "rev-parse", "HEAD");
  git(shared.root, "checkout", "--quiet", "main");
  const session = toldSession("s1", Date.now() - 60_000)
    .starts()
    .uses("WebFetch", { url: "https://docs.example.com/s1" }, "Some words.")
    .reads("src/cart.ts")
    .says("Correction: the limit of `field` is 64 KB, not 64 MB.")
    .commits(sha, message)
    .ends();
  const { learned } = await shared.learn(session);
  expect(learned).toEqual([]);
  return shared;
}

/** A session that read a page, worded something, and left its work as it was. */
async function leftUncommitted({ left = files }: { left?: Record<string, string> } = {}): Promise<SharedRepository> {
  const shared = await sharedRepository();
  writeFiles(shared.root, left);
  const session = toldSession("s1", Date.now() - 60_000)
    .starts()
    .uses("WebFetch", { url: "https://docs.example.com/s1" }, "Some words.")
    .edits("src/cart.ts", "[]", "[1, 2, 3]");
  for (const [path, content] of Object.entries(left)) if (!(path in files)) session.writes(path, content);
  session.says("Correction: the limit of `field` is 64 KB, not 64 MB.").ends();
  const { learned } = await shared.learn(session);
  expect(learned).toEqual([]);
  return shared;
}

function amend({ root }: SharedRepository, options: readonly string[], branch = "feature"): void {
  git(root, "-c", "user.email=me@example.com", "commit", "--quiet", "--amend", "--no-edit", ...options);
  git(root, "push", "--quiet", "--force", "origin", branch);
}

interface MergeOnForge extends Merge {
  at?: number;
}

async function mergeOnForge(
  { other, otherRoot, fetch }: SharedRepository,
  { how, author, committer, at }: MergeOnForge,
): Promise<void> {
  const [, name = "", address = ""] = /^(.*) <(.*)>$/.exec(committer) ?? [];
  const by = ["-c", `user.name=${name}`, "-c", `user.email=${address}`];
  const commit = (...args: string[]) => gitAt(at, otherRoot, ...by, "commit", "--quiet", "--author", author, ...args);
  other("fetch", "--quiet");
  if (how === "rebase") {
    other("cherry-pick", "--no-commit", "origin/feature");
    commit("-m", message);
  } else if (how === "merge") {
    other("merge", "--quiet", "--no-ff", "--no-commit", "origin/feature");
    commit("-m", "Merge pull request #1 from me/feature");
  } else {
    other("merge", "--quiet", "--squash", "origin/feature");
    commit("-m", how === "squash" ? `${message} (#1)` : "Cart (#1)");
  }
  other("push", "--quiet", "origin", "main");
  fetch();
}

/** What became of the memory of each type. */
async function typed(shared: SharedRepository, now?: number): Promise<Record<string, string>> {
  const list = async (memory: TacitMemory) => {
    await memory.review.pending();
    return Object.fromEntries((await memory.list({ status: "any" })).map(({ type, status }) => [type, status]));
  };
  return shared.use(list, now === undefined ? {} : { now: () => now });
}

async function statuses(shared: SharedRepository, now?: number): Promise<string[]> {
  const list = async (memory: TacitMemory): Promise<string[]> => {
    await memory.review.pending();
    return (await memory.list({ status: "any" })).map(({ status }) => status);
  };
  return shared.use(list, now === undefined ? {} : { now: () => now });
}
