import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TacitMemory } from "../../src/index.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { letTimePass } from "../support/let-time-pass.js";
import { openTestMemory } from "../support/open-memories.js";
import { readGraph } from "../support/read-graph.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("several work trees in one store", () => {
  it("[G10] two projects each answer of their own files, though these are named alike", async () => {
    const db = storeFile();
    const one = await indexed(db, { "src/a.ts": "export function a() {}\n", "src/b.ts": userOf("a") });
    const two = await indexed(db, { "src/a.ts": "export function a() {}\n", "src/c.ts": userOf("a") });

    expect((await one.projects.current()).id).not.toBe((await two.projects.current()).id);
    expect(await dependentsOf(one)).toEqual(["src/b.ts#use"]);
    expect(await dependentsOf(two)).toEqual(["src/c.ts#use"]);
    expect((await one.recallCode("use")).hits.map(({ file }) => file)).toEqual(["src/b.ts"]);
    expect([...(await two.code.neighbours(["src/a.ts"])).values()]).toEqual([["src/c.ts"]]);
  });

  it("[G10] two worktrees of a project each answer of their own files, and share its memories", async () => {
    const db = storeFile();
    const root = repository();
    const beside = join(temporaryFolder(), "beside");
    git(root, "worktree", "add", "--quiet", "-b", "feature", beside);
    writeFiles(beside, { "src/c.ts": userOf("a") });
    const here = await indexed(db, {}, root);
    const there = await indexed(db, {}, beside);
    await here.remember({ content: "a is slow", graphNodes: ["src/a.ts#a"] });

    expect((await here.projects.current()).id).toBe((await there.projects.current()).id);
    expect(await dependentsOf(here)).toEqual(["src/b.ts#use"]);
    expect(await dependentsOf(there)).toEqual(["src/b.ts#use", "src/c.ts#use"]);
    expect((await here.recallCode("use")).hits.map(({ file }) => file)).toEqual(["src/b.ts"]);
    expect([await here.code.state(), await there.code.state()]).toMatchObject([
      { branch: "main", files: 2 },
      { branch: "feature", files: 3 },
    ]);
    for (const memory of [here, there]) {
      const { memories } = await memory.impact("src/a.ts");
      expect(memories.map((one) => one.memory.content)).toEqual(["a is slow"]);
    }
  });

  it("[G10] two clones each answer of their own files", async () => {
    const db = storeFile();
    const root = repository();
    const [first, second] = [join(temporaryFolder(), "one"), join(temporaryFolder(), "two")];
    git(root, "clone", "--quiet", root, first);
    git(root, "clone", "--quiet", root, second);
    const one = await indexed(db, { "src/only-here.ts": userOf("a") }, first);
    await (await openTestMemory({ db, project: undefined, directory: second })).projects.accept();
    const two = await indexed(db, {}, second);

    expect(await dependentsOf(one)).toEqual(["src/b.ts#use", "src/only-here.ts#use"]);
    expect(await dependentsOf(two)).toEqual(["src/b.ts#use"]);
  });

  it("[G10] follows a branch that is switched to, and back, and is then as one from scratch", async () => {
    const root = repository();
    git(root, "checkout", "--quiet", "-b", "other");
    commitFiles(root, {
      "src/b.ts": "export const b = 1;\n",
      "src/d.ts": userOf("a"),
      "lib/e.ts": "export class E {}\n",
    });
    git(root, "checkout", "--quiet", "main");
    const memory = await indexed(storeFile(), {}, root);
    const before = await readGraph(memory);

    git(root, "checkout", "--quiet", "other");
    const report = await memory.index();
    const onOther = await dependentsOf(memory);
    git(root, "checkout", "--quiet", "main");
    // Without being told: an answer looks at the files once a second.
    letTimePass(1050);
    const onMain = await dependentsOf(memory);

    expect(report).toMatchObject({ branch: "other", commit: git(root, "rev-parse", "other"), changed: 3 });
    expect(onOther).toEqual(["src/d.ts#use"]);
    expect(onMain).toEqual(["src/b.ts#use"]);
    expect(await readGraph(memory)).toEqual(before);
    expect(await memory.code.state()).toMatchObject({ branch: "main", commit: git(root, "rev-parse", "main") });
  });

  it("[G7] a link that Tacit found goes only when no work tree has the symbol any more", async () => {
    const db = storeFile();
    const root = repository();
    const beside = join(temporaryFolder(), "beside");
    git(root, "worktree", "add", "--quiet", "-b", "feature", beside);
    const files = {
      "src/charge.ts": "export function charge() {}\n",
      "src/refund.ts": "export function refund() {}\n",
    };
    const here = await indexed(db, files, root);
    const charging = await here.remember({ content: "`charge` may fail", relatedFiles: ["src/charge.ts"] });
    const refunding = await here.remember({ content: "`refund` may fail", relatedFiles: ["src/refund.ts"] });
    const links = async () => {
      const memories = await Promise.all([here.get(charging.id), here.get(refunding.id)]);
      return memories.flatMap((memory) => memory?.relations.map(({ file }) => file) ?? []);
    };

    const there = await indexed(db, files, beside);
    writeFiles(beside, { "src/charge.ts": "export {};\n" });
    rmSync(join(beside, "src/refund.ts"));
    await there.index();
    const goneThere = await links();
    await there.revise(charging.id, { content: "it may fail" });
    const notNamed = await links();
    writeFiles(root, { "src/charge.ts": "export {};\n" });
    rmSync(join(root, "src/refund.ts"));
    await here.index();

    expect(goneThere).toEqual(["src/charge.ts#charge", "src/refund.ts#refund"]);
    expect(notNamed).toEqual(["src/refund.ts#refund"]);
    expect(await links()).toEqual([]);
  });

  it("[G10] is not harmed when the folder of a worktree goes away, or what it was opened on", async () => {
    const db = storeFile();
    const root = repository();
    const beside = join(temporaryFolder(), "beside");
    git(root, "worktree", "add", "--quiet", "-b", "feature", beside);
    const here = await indexed(db, {}, root);
    const there = await indexed(db, {}, beside);
    const before = await there.code.state();

    rmSync(beside, { recursive: true });
    const lost: unknown = await there.index().catch((error: unknown) => error);
    letTimePass(1050);
    const answer = await there.impact("src/a.ts#a");
    git(root, "worktree", "prune");
    await here.index();

    expect(existsSync(beside)).toBe(false);
    expect(lost).toMatchObject({ name: "MemoryError", code: "invalid-input" });
    // Not taken for a tree from which every file was deleted.
    expect(await there.code.state()).toMatchObject({ files: before?.files, edges: before?.edges });
    expect(answer.dependents.map(({ node }) => node.id)).toEqual(["src/b.ts#use"]);
    expect(answer.notes).toEqual([expect.stringMatching(/could not be brought up to date/)]);
    expect(await dependentsOf(here)).toEqual(["src/b.ts#use"]);
    expect((await here.store.diagnose()).checks.filter(({ status }) => status === "broken")).toEqual([]);
  });
});

function storeFile(): string {
  return join(temporaryFolder(), "memory.db");
}

function userOf(name: string): string {
  return `import { ${name} } from "./a.js";\nexport function use() { return ${name}(); }\n`;
}

function repository(): string {
  const root = gitRepository();
  commitFiles(root, { "src/a.ts": "export function a() {}\n", "src/b.ts": userOf("a") });
  return root;
}

/** The memory of a folder's own project, indexed. */
async function indexed(db: string, files: Record<string, string>, root = temporaryFolder()): Promise<TacitMemory> {
  writeFiles(root, files);
  const memory = await openTestMemory({ db, project: undefined, directory: root });
  await memory.index();
  return memory;
}

async function dependentsOf(memory: TacitMemory): Promise<string[]> {
  const { dependents, notes } = await memory.impact("src/a.ts#a");
  expect(notes).toEqual([]);
  return dependents.map(({ node }) => node.id).toSorted();
}
