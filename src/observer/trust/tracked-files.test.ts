import { describe, expect, it } from "vitest";
import { commitFiles, git, gitRepository, writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { listTrackedFiles } from "./tracked-files.js";

const limits = { timeoutMs: 10_000 };

describe("listTrackedFiles", () => {
  it("lists what git had at the commit where the session began", async () => {
    const root = gitRepository();
    const commit = commitFiles(root, { "src/a.ts": "", "odd näme\n.txt": "" });
    commitFiles(root, { "src/later.ts": "" });
    writeFiles(root, { "untracked.ts": "" });

    expect(await listTrackedFiles(root, commit, limits)).toEqual(new Set(["src/a.ts", "odd näme\n.txt"]));
  });

  it("takes HEAD where no commit is known, or one that is not there", async () => {
    const root = gitRepository();
    commitFiles(root, { "a.ts": "" });

    for (const commit of [undefined, "0".repeat(40), "--output=x", "HEAD~5"]) {
      expect(await listTrackedFiles(root, commit, limits), commit).toEqual(new Set(["a.ts"]));
    }
  });

  it("takes the index where nothing was committed yet", async () => {
    const root = gitRepository();
    writeFiles(root, { "a.ts": "", "b.ts": "" });
    git(root, "add", "a.ts");

    expect(await listTrackedFiles(root, undefined, limits)).toEqual(new Set(["a.ts"]));
  });

  it("knows nothing of an empty repository or a folder without one, and says when git is late", async () => {
    const root = gitRepository();
    expect(await listTrackedFiles(root, undefined, limits)).toBeUndefined();
    expect(await listTrackedFiles(temporaryFolder(), undefined, limits)).toBeUndefined();
    expect(await listTrackedFiles("/there/is/no/such/folder", undefined, limits)).toBeUndefined();

    commitFiles(root, { "a.ts": "" });
    expect(await listTrackedFiles(root, undefined, { timeoutMs: 0 })).toBe("unknown");
  });
});
