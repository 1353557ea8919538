import { describe, expect, it } from "vitest";
import { commitFiles, git, gitRepository, writeFiles } from "../../../test/support/git-repository.js";
import type { Origin } from "./folder-origins.js";
import { readLeftFiles } from "./left-files.js";

describe("readLeftFiles", () => {
  it("names the content as git does, with either end of lines, and says what has changed", async () => {
    const { root, commit } = repositoryWith({ "src/a.ts": "1\n", "src/ü b.ts": "2\n" });
    writeFiles(root, { "src/ü b.ts": "3\r\n" });

    const left = await leftOf(root, { commit, isDoubtful: true }, ["src/a.ts", "src/ü b.ts"]);

    expect(left.map(({ path, isChanged }) => [path, isChanged])).toEqual([
      ["src/a.ts", false],
      ["src/ü b.ts", true],
    ]);
    writeFiles(root, { "src/ü b.ts": "3\n" });
    expect(left[1]?.blobs).toContain(git(root, "hash-object", "src/ü b.ts"));
    expect(left[0]?.blobs).toContain(git(root, "rev-parse", "HEAD:src/a.ts"));
  });

  it("leaves nothing out of what is tainted: what is gone, one of very many, or without a commit is unknown", async () => {
    const { root, commit } = repositoryWith({ "src/a.ts": "1\n" });
    const many = Array.from({ length: 301 }, (_, index) => `gen/${index}.ts`);

    const left = await leftOf(root, { commit, isDoubtful: true }, [...many, "src/a.ts"]);
    const without = await leftOf(root, { commit: undefined, isDoubtful: true }, ["src/a.ts"]);

    expect(left.length).toBe(302);
    expect(left.at(-1)).toEqual({ path: "src/a.ts", blobs: [], isChanged: true });
    expect([left[0]?.blobs, without]).toEqual([[], [{ path: "src/a.ts", blobs: [], isChanged: true }]]);
  });

  it("notes of a session that may be believed only what it wrote from elsewhere, and nothing outside of the tree", async () => {
    const { root, commit } = repositoryWith({ "src/a.ts": "1\n", "src/b.ts": "1\n" });
    const written = new Map<string, Origin>([
      ["src/a.ts", "clean"],
      ["src/b.ts", "tainted"],
      ["/home/ada/plan.md", "tainted"],
    ]);

    const left = await readLeftFiles(root, written, { commit, isDoubtful: false }, { timeoutMs: 5000 });

    expect(left.map(({ path }) => path)).toEqual(["src/b.ts"]);
  });
});

function repositoryWith(files: Record<string, string>): { root: string; commit: string } {
  const root = gitRepository();
  commitFiles(root, files);
  return { root, commit: git(root, "rev-parse", "HEAD") };
}

function leftOf(root: string, session: Parameters<typeof readLeftFiles>[2], paths: readonly string[]) {
  const written = new Map(paths.map((path): [string, Origin] => [path, "tainted"]));
  return readLeftFiles(root, written, session, { timeoutMs: 5000 });
}
