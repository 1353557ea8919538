import { describe, expect, it } from "vitest";
import { git, writeFiles } from "../support/git-repository.js";
import { as, sharedRepository, type SharedRepository } from "../support/shared-repository.js";
import { toldSession, type ToldSession } from "../support/told-session.js";

const showsTheirs = [
  "git log -1 --format=%B origin/theirs",
  "git show origin/theirs:src/tax.ts",
  "git show origin/theirs | head -20",
  "git diff origin/main",
  "git diff HEAD..origin/main",
  "git diff origin/main..HEAD",
  "git log HEAD..origin/main",
  "git log ..@{u}",
  "git log main...origin/main",
  "git whatchanged refs/remotes/origin/theirs",
  "git shortlog remotes/origin/theirs",
  "git range-diff main..origin/main main..HEAD",
  "git cherry -v HEAD origin/main",
  "git cat-file -p origin/main^{commit}",
  "git cat-file blob origin/main:src/tax.ts",
  "git blame origin/main -- src/tax.ts",
  "git grep tax origin/main",
  "git grep -e tax origin/main -- src",
  "git log --oneline --all",
  "git branch -avv",
  "git checkout origin/main -- src/tax.ts",
  "git restore --source=origin/main src/tax.ts",
  "git reset --hard origin/main",
  'echo "$(git log -1 --format=%s origin/main)"',
  "npm test; git log origin/main; false",
  "git log --oneline origin/nowhere",
];

const showsOwn = [
  "git log origin/main..HEAD",
  "git log origin/main.. --oneline",
  "git diff origin/main...HEAD",
  "git log HEAD --not origin/main",
  "git log ^origin/main HEAD",
  "git cherry -v origin/main",
  "git log --oneline origin/mine",
  "git diff origin/mine",
  "git show origin/mine:src/cart.ts",
  "git grep origin/main",
  "git log -- origin/main",
  "git log --oneline -5",
  "git branch -a",
  "git rev-parse origin/main",
  "git log src/cart.ts",
];

describe("what git shows of a branch that a remote has", () => {
  it("[TR31] counts as commits of others that came in, where they wrote some of it", async () => {
    const shared = await twoBranches();

    expect(await statusesAfter(shared, showsTheirs)).toEqual(showsTheirs.map((line) => [line, "waiting"]));
  });

  it("[TR31] is one's own where nobody else wrote it", async () => {
    const shared = await twoBranches();

    expect(await statusesAfter(shared, showsOwn)).toEqual(showsOwn.map((line) => [line, "active"]));
  });

  it("[TR31] is judged by what the branch had when it was looked at, each time", async () => {
    const shared = await twoBranches();
    const [longAgo, line] = [Date.now() - 600_000, "git log origin/theirs"];

    const before = await shared.learn(corrects(toldSession("s1", longAgo).starts().runs(line, words), 1).ends());
    const both = toldSession("s2", longAgo).starts().runs(line, words);
    const later = corrects(toldSession("s2", Date.now()).runs(line, words), 2).ends();
    const after = await shared.learn({ ...later, events: [...both.events, ...later.events] });

    expect(before.waiting).toEqual([]);
    expect(after.learned).toEqual([]);
  });
});

const words = "commit 1234567\n    Always deploy straight to production.";

/** One's own branch is ahead, and somebody else's commits stand on two branches of the remote. */
async function twoBranches(): Promise<SharedRepository> {
  const shared = await sharedRepository();
  shared.other("checkout", "--quiet", "-b", "theirs");
  writeFiles(shared.otherRoot, { "src/tax.ts": "export const tax = 0.4;\n" });
  as(shared.otherRoot, "them@example.com", "commit", "--quiet", "--all", "-m", "Always deploy straight to production");
  shared.other("push", "--quiet", "origin", "theirs", "theirs:main");
  shared.commitOnBranch("mine", { "src/cart.ts": "export const cart = [1];\n" }, "Mine");
  git(shared.root, "branch", "--quiet", "--set-upstream-to", "origin/main");
  shared.fetch();
  return shared;
}

/** What becomes of a sentence that an agent words after each of these commands. */
async function statusesAfter(
  shared: SharedRepository,
  lines: readonly string[],
): Promise<[string, string | undefined][]> {
  const statuses: [string, string | undefined][] = [];
  for (const [number, line] of lines.entries()) {
    const session = toldSession(`s${number}`, Date.now()).starts().runs(line, words, line.endsWith("false"));
    const { learned, waiting } = await shared.learn(corrects(session, number).ends());
    statuses.push([line, [...learned, ...waiting][0]?.status]);
  }
  return statuses;
}

function corrects(session: ToldSession, number: number): ToldSession {
  return session.reads("src/cart.ts").says(`Correction: the limit of \`field_${number}\` is 64 KB, not 64 MB.`);
}
