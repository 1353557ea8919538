import { describe, expect, it } from "vitest";
import { commitFiles, git, gitRepository } from "../../../test/support/git-repository.js";
import { setTraps, signHead } from "../../../test/support/git-trap.js";
import { runGit } from "./run-git.js";

const files = { "a.ts": "one\n", ".gitattributes": "*.ts diff=evil filter=evil merge=evil\n" };

// One question of each kind that the rooms ask.
const questions = `log --format=%H HEAD --
log --name-only -n 5 --format=%ae HEAD --
log --raw -c --all --format=%H -- a.ts
log --full-history -c --raw -p -U0 --text --no-color --no-ext-diff --no-textconv --all --format=%H -- a.ts
log -g -n 5 --format=%gs HEAD --
log --no-walk=unsorted --ignore-missing --name-only --format=%B HEAD --
log --first-parent --name-status --find-renames -z --format=%H HEAD --
rev-list --parents -n 5 HEAD --
rev-list --no-walk --ignore-missing HEAD --
rev-parse --verify --quiet HEAD^{commit}
for-each-ref --format=%(refname) refs/heads
rev-parse --is-shallow-repository --absolute-git-dir
check-attr filter ident working-tree-encoding -- a.ts
remote
config --get user.email
cat-file blob HEAD:a.ts
ls-tree -r -z --name-only HEAD
ls-files -z --cached --others --exclude-standard
ls-files -o -i --exclude-standard --directory -z
diff-index --cached --no-ext-diff --no-textconv --name-status -z HEAD --
diff-tree -p -U0 --no-ext-diff --no-textconv --no-color --no-commit-id HEAD
grep -F -l -e one HEAD --
grep -hoIwF --no-color -e one HEAD`.split("\n");

describe("a question to git", () => {
  it("[TR29] starts none of the programs that the configuration of the work tree names, whichever it is", async () => {
    const root = gitRepository();
    commitFiles(root, files);
    commitFiles(root, { "a.ts": "two\none\n" });
    signHead(root);
    git(root, "config", "user.email", "me@example.com");
    const trap = setTraps(root);

    for (const question of questions) {
      const { isWhole } = await runGit(root, question.split(" "), { timeoutMs: 20_000 });

      expect([question, isWhole, trap.wasSprung()]).toEqual([question, true, false]);
    }
    git(root, "log", "-1");
    expect(trap.wasSprung()).toBe(true);
    trap.reset();
    expect(() => git(root, "diff-tree", "-p", "--ext-diff", "HEAD")).toThrow("failed");
    expect(trap.wasSprung()).toBe(true);
  });
});
