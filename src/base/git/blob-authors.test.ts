import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, gitRepository, writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { readBlobAuthors } from "./blob-authors.js";

const limits = { timeoutMs: 10_000 };
const [me, other] = ["me@example.org", "other@example.org"];

describe("who committed a text", () => {
  it("is the user where this clone made the commit, amended it or settled a conflict in it", async () => {
    const root = repository();
    commit(root, me, "a", "one\n");
    commit(root, me, "a", "two\n");
    writeFiles(root, { "notes/a.md": "three\n" });
    as(root, me, "commit", "-q", "-a", "--amend", "-m", "amended");
    git(root, "checkout", "-q", "-b", "side", "HEAD~1");
    commit(root, other, "a", "theirs\n");
    git(root, "checkout", "-q", "main");
    expect(() => as(root, me, "merge", "-q", "side")).toThrow("merge");
    writeFiles(root, { "notes/a.md": "settled\n" });
    as(root, me, "commit", "-q", "-a", "-m", "settled");

    const authors = await readBlobAuthors(root, "notes", limits);

    expect(ownOf(authors, "one\n", "three\n", "settled\n", "theirs\n")).toEqual([[true], [true], [true], [false]]);
    expect(ownOf(authors, "two\n", "never\n")).toEqual([[true], []]);
    expect(authors.of("notes/other.md", "one\n")).toEqual([]);
  });

  it("is nobody that a commit only names: not where it was fetched, picked, rebased or amended by this clone", async () => {
    const [root, theirs] = [repository(), join(temporaryFolder(), "theirs")];
    commit(root, me, "a", "first\n");
    git(root, "clone", "-q", root, theirs);
    commit(theirs, me, "b", "forged\n");
    commit(theirs, me, "c", "picked\n");
    git(root, "fetch", "-q", theirs, "main:theirs");
    as(root, me, "cherry-pick", "theirs");
    git(root, "checkout", "-q", "theirs");
    writeFiles(root, { "notes/d.md": "beside\n" });
    git(root, "add", "-A");
    as(root, me, "commit", "-q", "--amend", "-m", "amended");

    const authors = await readBlobAuthors(root, "notes", limits);

    expect(authors.of("notes/b.md", "forged\n").map(({ isOwn }) => isOwn)).toEqual([false]);
    expect(authors.of("notes/c.md", "picked\n").some(({ isOwn }) => isOwn)).toBe(false);
    expect(authors.of("notes/d.md", "beside\n").map(({ isOwn }) => isOwn)).toEqual([false]);
  });

  it.each<[string, (root: string) => void]>([
    ["a squash", (root) => git(root, "merge", "-q", "--squash", "theirs")],
    ["a cherry-pick without a commit", (root) => git(root, "cherry-pick", "-n", "theirs")],
    [
      "a soft reset",
      (root) => {
        git(root, "reset", "-q", "--hard", "theirs");
        git(root, "reset", "-q", "--soft", "HEAD~1");
      },
    ],
  ])("[TR64] stays who committed it first where the user commits it again, removals too: %s", async (_, take) => {
    const root = repository();
    commit(root, me, "gone", "mine\n");
    git(root, "checkout", "-q", "-b", "theirs");
    rmSync(join(root, "notes/gone.md"));
    commit(root, other, "a", "theirs\n");
    git(root, "checkout", "-q", "main");
    take(root);
    as(root, me, "commit", "-q", "-m", "taken");

    const authors = await readBlobAuthors(root, "notes", limits);

    expect(authors.of("notes/a.md", "theirs\n").map(({ isOwn }) => isOwn)).toEqual([false, false]);
    const head = git(root, "rev-parse", "HEAD");
    expect(authors.removedBy(head, (path) => path === "notes/gone.md")).toMatchObject({ email: me, isOwn: false });
  });

  it("[TR64] is nobody whose word counts for what a merge put together of both sides", async () => {
    const root = repository();
    const lines = (first: string, last: string) => [first, "1", "2", "3", "4", last, ""].join("\n");
    writeFiles(root, { "other.txt": "" });
    commit(root, me, "a", lines("first", "last"));
    git(root, "checkout", "-q", "-b", "theirs");
    writeFiles(root, { "other.txt": "theirs\n" });
    commit(root, other, "a", lines("first", "theirs"));
    git(root, "checkout", "-q", "main");
    writeFiles(root, { "other.txt": "mine\n" });
    commit(root, me, "a", lines("mine", "last"));
    expect(() => as(root, me, "merge", "-q", "theirs")).toThrow("merge");
    writeFiles(root, { "other.txt": "both\n" });
    as(root, me, "commit", "-q", "-a", "-m", "settled");
    git(root, "checkout", "-q", "HEAD~1");
    git(root, "cherry-pick", "-n", "-X", "ours", "theirs");
    as(root, me, "commit", "-q", "-a", "-m", "picked");

    const authors = await readBlobAuthors(root, "notes", limits);

    expect(ownOf(authors, lines("mine", "last"), lines("mine", "theirs"))).toEqual([[true], [false, false]]);
  });

  it("[TR67] is merged only by the remote that names the project, and only while its default branch has that text", async () => {
    const origin = repository();
    commit(origin, other, "a", "withdrawn\n");
    const [root, fork] = [join(temporaryFolder(), "mine"), join(temporaryFolder(), "fork")];
    git(origin, "clone", "-q", origin, root);
    git(origin, "clone", "-q", origin, fork);
    commit(origin, other, "a", "now\n");
    commit(fork, other, "b", "forged\n");
    git(root, "remote", "add", "fork", fork);
    git(root, "fetch", "-q", "--all");
    git(root, "remote", "set-head", "fork", "main");

    const authors = await readBlobAuthors(root, "notes", limits);

    const isMerged = (name: string, text: string) => authors.of(`notes/${name}.md`, text).map((one) => one.isMerged);
    expect([isMerged("a", "withdrawn\n"), isMerged("a", "now\n"), isMerged("b", "forged\n")]).toEqual([
      [false],
      [true],
      [false],
    ]);
  });

  it("is merged where the default branch of the remote has it, and is not told for what a shallow clone begins with", async () => {
    const origin = repository();
    commit(origin, other, "a", "old\n");
    commit(origin, other, "b", "new\n");
    const [whole, shallow] = [join(temporaryFolder(), "whole"), join(temporaryFolder(), "shallow")];
    git(origin, "clone", "-q", origin, whole);
    git(origin, "clone", "-q", "--depth", "1", `file://${origin}`, shallow);
    commit(whole, other, "c", "local\n");

    const inWhole = await readBlobAuthors(whole, "notes", limits);
    const inShallow = await readBlobAuthors(shallow, "notes", limits);

    expect(inWhole.of("notes/a.md", "old\n")).toMatchObject([{ email: other, isMerged: true, isOwn: false }]);
    expect(inWhole.of("notes/c.md", "local\n")).toMatchObject([{ isMerged: false }]);
    expect(inShallow.of("notes/a.md", "old\n")).toEqual([]);
  });

  it("is found for line ends that a checkout turned, and for no text where there is no repository", async () => {
    const root = repository();
    commit(root, other, "a", "one\r\ntwo\r\n");

    expect((await readBlobAuthors(root, "notes", limits)).of("notes/a.md", "one\ntwo\n")).toHaveLength(1);
    expect((await readBlobAuthors(temporaryFolder(), "notes", limits)).of("notes/a.md", "one\n")).toEqual([]);
  });
});

function repository(): string {
  const root = gitRepository();
  git(root, "config", "user.email", me);
  return root;
}

function commit(root: string, email: string, name: string, text: string): void {
  writeFiles(root, { [`notes/${name}.md`]: "" });
  writeFileSync(join(root, "notes", `${name}.md`), text);
  git(root, "add", "-A");
  as(root, email, "commit", "-q", "-m", text.trim());
}

function as(root: string, email: string, ...args: string[]): void {
  git(root, "-c", "user.name=Somebody", "-c", `user.email=${email}`, ...args);
}

function ownOf(authors: Awaited<ReturnType<typeof readBlobAuthors>>, ...texts: string[]): boolean[][] {
  return texts.map((text) => authors.of("notes/a.md", text).map(({ isOwn }) => isOwn));
}
