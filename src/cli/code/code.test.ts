/** The code of a project on the command line, in real repositories. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commitFiles, git, writeFiles } from "../../../test/support/git-repository.js";
import { runTacit, type TacitRun } from "../../../test/support/run-tacit.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { shop, freshProject } from "../../../test/support/fresh-shop.js";

let home: string;
let root: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "tacit-code-home-"));
  root = realpathSync(mkdtempSync(join(tmpdir(), "tacit-code-")));
  git(root, "-c", "init.defaultBranch=main", "init", "--quiet");
  commitFiles(root, shop);
  for (let n = 0; n < 3; n += 1) {
    commitFiles(root, { "README.md": `# A shop\n\n${n}\n`, "src/store.ts": `${shop["src/store.ts"]}// ${n}\n` });
  }
  await tacit("init");
});

afterAll(() => {
  for (const folder of [home, root]) rmSync(folder, { recursive: true, force: true });
});

describe("init and index", () => {
  it("tell what there is, what was done, and what to do next", async () => {
    const { fresh, run } = freshProject(shop);

    const first = await run("index", "--history");
    const again = await run("index");

    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^4 files: \d+ symbols, \d+ edges, \d+ chunks\.\n4 files read, 3 files linked, 0 commits/,
    );
    expect(first.stdout).toContain("tacit impact FILE");
    expect(again.stdout).toContain("Nothing has changed");
    expect(git(fresh, "status", "--porcelain")).toBe("");
  });

  it("answer with one document, which names what could not be taken in; --quiet prints nothing", async () => {
    const { run } = freshProject({ ...shop, "src/broken.ts": "export const = ;\n" });

    const { stdout } = await run("index", "--history", "--json");

    const report = JSON.parse(stdout) as Record<string, unknown>;
    expect(report).toMatchObject({
      files: 5,
      changed: 5,
      removed: 0,
      isComplete: true,
      isStopped: false,
      commits: 0,
      branch: "main",
      moves: { files: [], symbols: [] },
      problems: [{ path: "src/broken.ts", problem: "does not parse at line 1" }],
    });
    expect(await run("index", "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("tell which files have another name now", async () => {
    const { fresh, run } = freshProject(shop);
    await run("index");
    await run("remember", "keys are opaque", "--file", "src/store.ts", "--name", "opaque");
    git(fresh, "mv", "src/store.ts", "src/rows.ts");

    const { stdout } = await run("index");

    expect(stdout).toContain("  src/store.ts is now src/rows.ts\n");
    expect((await run("show", "opaque")).stdout).toMatch(/^files +src\/rows\.ts$/m);
    expect((await run("history", "opaque")).stdout).toMatch(/moved/);
    expect(await run("undo", "opaque")).toMatchObject({ code: 0 });
    expect((await run("recall", "opaque keys", "--file", "src/store.ts", "--quiet")).stdout).not.toBe("");
  });

  it("refuse a home folder, which is no project", async () => {
    const run = await tacitIn(home, { HOME: home, TACIT_HOME: join(home, "none") })("index", "--json");

    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(run.stderr).error).toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(home),
    });
    expect(existsSync(join(home, "none"))).toBe(false);
  });

  it("refuse it by its real path, and what is above it", async () => {
    const folder = realpathSync(temporaryFolder());
    const link = join(folder, "link");
    symlinkSync(home, link);
    const none = join(folder, "none");

    const above = await tacitIn(folder, { HOME: join(folder, "project"), TACIT_HOME: none })("index");
    const linked = await tacitIn(home, { HOME: link, TACIT_HOME: none })("index");
    mkdirSync(join(folder, "project"));
    const beside = await tacitIn(join(folder, "project"), { HOME: link, TACIT_HOME: none })("index");

    expect([above.code, linked.code, beside.code]).toEqual([1, 1, 0]);
    expect(linked.stderr).toContain("it holds everything of a user");
  });
});

describe("impact", () => {
  it("shows the memories, the tests, and who depends on something by depth and file", async () => {
    await tacit("remember", "keys are opaque", "--file", "src/store.ts");

    const { code, stdout, stderr } = await tacit("impact", "Store.read");

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // How sure each tier is was measured, and may be measured again.
    expect(
      stdout
        .replaceAll(/\(0\.9\d\)/g, "(0.9)")
        .split("\n\n")
        .slice(0, 5),
    ).toEqual([
      "2 dependents of src/store.ts#Store.read in 2 files",
      expect.stringMatching(/^Memories\non src\/store\.ts\n[0-9a-f]{8}  note  keys are opaque$/m),
      "Tests to run\n  test/total.test.ts  through src/cart/total.ts#total",
      "Directly\n  src/cart/total.ts:2  total → calls (0.9)",
      expect.stringContaining("2 steps away\n  test/total.test.ts:2  → calls src/cart/total.ts#total (0.9)"),
    ]);
  });

  it.each(["total.ts", ".", "../cart/total.ts#total", "src/cart/total.ts"])(
    "takes %s in a folder below the root",
    async (typed) => {
      const { code, stdout } = await tacitIn(join(root, "src", "cart"))("impact", typed, "--quiet");

      expect({ code, stdout }).toEqual({ code: 0, stdout: "test/total.test.ts\n" });
    },
  );

  it("answers with one document", async () => {
    const document = JSON.parse((await tacit("impact", "src/store.ts#limit", "--json")).stdout) as object;

    expect(Object.keys(document).toSorted()).toEqual(
      ["concepts", "dependents", "isCut", "mayGoOn", "memories", "notes", "target", "tests", "unresolved"].toSorted(),
    );
    expect(document).toMatchObject({ target: [{ id: "src/store.ts#limit" }], dependents: [], notes: [] });
    expect((await tacit("impact", "src/store.ts#limit")).stdout).toMatch(
      /^Nothing known depends on src\/store\.ts#limit\./,
    );
  });

  it("is wrong usage without a target or with a depth of nothing, and an error for what is not there", async () => {
    expect(await tacit("impact", "src/stor.ts", "--json")).toMatchObject({ code: 1, stdout: "" });
    expect(await errorOf("impact", "src/stor.ts")).toMatchObject({
      code: "node-not-found",
      hint: expect.stringContaining("src/store.ts"),
    });
    expect((await tacit("impact")).code).toBe(2);
    expect(await errorOf("impact", "src/store.ts", "--depth", "0")).toMatchObject({ code: "usage" });
  });

  it("says what to name instead of the whole tree", async () => {
    for (const typed of [".", "./"]) {
      expect(await errorOf("impact", typed)).toMatchObject({ hint: expect.stringContaining("tacit impact src/") });
    }
  });

  it("says what to do where nothing is indexed", async () => {
    const { run } = freshProject(shop);

    expect(await run("impact", "src/store.ts")).toEqual({
      code: 1,
      stdout: "",
      stderr: "tacit: The code of this folder is not indexed.\n  Run: tacit index\n",
    });
  });
});

describe("graph export", () => {
  it("[G16] writes one JSON document of exactly this shape, with paths from the root", async () => {
    const { stdout, stderr } = await tacit("graph", "export");
    const { nodes, edges, ...rest } = JSON.parse(stdout) as { nodes: object[]; edges: object[] };

    expect(stderr).toBe("");
    expect(rest).toEqual({});
    expect(nodes.length * edges.length).toBeGreaterThan(0);
    for (const node of nodes) expect(Object.keys(node)).toEqual(["id", "kind", "name", "file", "startLine", "endLine"]);
    for (const edge of edges) expect(Object.keys(edge)).toEqual(["from", "to", "kind", "tier", "confidence", "source"]);
    expect(edges).toContainEqual(
      expect.objectContaining({ kind: "changes_with", from: "src/store.ts", to: "README.md" }),
    );
    expect(stdout).not.toContain(root);
    expect((await tacit("graph", "export", "--json")).stdout).toBe(stdout);
  });

  it("[G16] writes the same again, and in another clone, in every format", async () => {
    const clone = realpathSync(temporaryFolder());
    git(clone, "clone", "--quiet", root, "other");
    const there = tacitIn(join(clone, "other"), { TACIT_HOME: join(clone, "home") });
    await there("index", "--history");

    for (const format of ["json", "dot", "mermaid"]) {
      const line = ["graph", "export", "--format", format];
      const { stdout } = await tacit(...line);

      expect(stdout).toContain("src/cart/total.ts");
      expect((await tacit(...line)).stdout).toBe(stdout);
      expect((await there(...line)).stdout).toBe(stdout);
    }
  });

  it("[G16] lets no name of a file or a symbol break a format", async () => {
    const names = ['a"b', "c\\", "d]e[", "f\ng", "h|i", ";quot;", "<b>", "-->", "\u202Etxt", 'a\\"];x', "%%{init}%%"];
    const { run } = freshProject({
      "base.ts": "export class Base { 'a\"b\\n]': string = ''; }\n",
      ...Object.fromEntries(names.map((name) => [`${name}.ts`, 'import { Base } from "./base.js";\nnew Base();\n'])),
    });
    await run("index");
    const lines = async (...args: string[]) => (await run("graph", "export", ...args)).stdout.trimEnd().split("\n");

    const json = JSON.parse((await lines()).join("\n")) as { nodes: { file: string }[] };
    const dot = await lines("--format", "dot", "--level", "symbol");
    const mermaid = await lines("--format", "mermaid", "--level", "symbol");

    expect(json.nodes.map(({ file }) => file)).toEqual(expect.arrayContaining(names.map((name) => `${name}.ts`)));
    expect(dot.slice(0, 3)).toEqual(["digraph code {", "  rankdir=LR;", "  node [shape=box];"]);
    expect(dot.at(-1)).toBe("}");
    expect(dot.slice(3, -1).filter((line) => !dotLine.test(line))).toEqual([]);
    expect(mermaid[0]).toBe("flowchart LR");
    expect(mermaid.slice(1).filter((line) => !mermaidLine.test(line))).toEqual([]);
    expect(dot.length - 4).toBe(mermaid.length - 1);
    expect(dot.join("\n") + mermaid.join("\n")).not.toMatch(/[\u202A-\u202E]/);
  });

  it("says beside the document what a reader should know, unless it is for a program", async () => {
    const { fresh, run } = freshProject(shop);
    await run("index");
    writeFiles(fresh, Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`src/f${n}.ts`, "export {};\n"])));

    const told = await run("graph", "export", "--format", "mermaid");

    expect(told.stderr).toBe("tacit: 70 files have changed since the index was made: run tacit index.\n");
    expect(told.stdout).toMatch(/^flowchart LR\n/);
    expect((await run("graph", "export", "--json")).stderr).toBe("");
  });

  it("is kept to files and kinds, and to a file of its own", async () => {
    const output = join(temporaryFolder(), "graph.mmd");

    const drawn = await tacit("graph", "export", "--format", "mermaid", "--files", "src/", "--kind", "imports");
    const written = await tacit("graph", "export", "--format", "mermaid", "--output", output, "--json");

    expect(drawn.stdout).toBe('flowchart LR\n  n0["src/cart/total.ts"]\n  n1["src/store.ts"]\n  n0 -->|imports| n1\n');
    expect(JSON.parse(written.stdout)).toEqual({ output, bytes: readFileSync(output).length });
  });

  it("leaves no file behind where there is nothing to write, and says which cannot be written", async () => {
    const { run } = freshProject(shop);
    const folder = temporaryFolder();

    const unknown = await run("graph", "export", "--output", join(folder, "graph.json"));
    const nowhere = await tacit("graph", "export", "--output", join(folder, "no", "graph.json"), "--json");

    expect(unknown.code).toBe(1);
    expect(existsSync(join(folder, "graph.json"))).toBe(false);
    expect(nowhere).toMatchObject({ code: 1, stdout: "" });
    expect(JSON.parse(nowhere.stderr).error).toMatchObject({
      code: "export-refused",
      message: expect.stringContaining("(ENOENT)"),
    });
  });

  it("is wrong usage without what to do, of an unknown kind, and for a drawing as a document", async () => {
    expect(await errorOf("graph")).toMatchObject({
      code: "usage",
      message: "tacit graph needs to be told what: export.",
    });
    expect(await errorOf("graph", "export", "--kind", "likes")).toMatchObject({ code: "usage" });
    expect(await errorOf("graph", "export", "--format", "dot")).toMatchObject({
      code: "usage",
      hint: expect.stringContaining("--output"),
    });
  });
});

describe("recall --code and embed --code", () => {
  it("[C13] print and tell no carriage return of files whose lines end as on Windows", async () => {
    const { run } = freshProject(
      Object.fromEntries(Object.entries(shop).map(([file, text]) => [file, text.replaceAll("\n", "\r\n")])),
    );
    await run("index");
    const lines = [
      ["recall", "--code", "store read key"],
      ["recall", "--code", "store read key", "--json"],
      ["map"],
      ["map", "--json"],
      ["impact", "src/store.ts"],
      ["impact", "src/store.ts", "--json"],
      ["module", "src"],
    ];

    const printed: [string, TacitRun][] = [];
    for (const line of lines) printed.push([line.join(" "), await run(...line)]);

    expect(printed.filter(([, { code, stdout }]) => code !== 0 || stdout.length < 20)).toEqual([]);
    expect(printed.filter(([, { stdout }]) => /\r|\\r|\u240d/.test(stdout)).map(([line]) => line)).toEqual([]);
  });

  it("find the places that have the words, with their lines as they are written", async () => {
    const { code, stdout } = await tacit("recall", "--code", "store read key", "--limit", "1");

    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^\d\.\d\d  src\/store\.ts:1-\d+  class Store, limit\n    export class Store \{\n {6}read\(key/,
    );
    expect((await tacit("recall", "--code", "zebra")).stdout).toBe('Nothing in the code found for "zebra".\n');
  });

  it("look below a folder that is named from here", async () => {
    const here = tacitIn(join(root, "src", "cart"));
    const filesOf = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { hits: { file: string }[] }).hits.map(({ file }) => file);

    expect(filesOf(await here("recall", "--code", "store", "--file", ".", "--json"))).toEqual(["src/cart/total.ts"]);
    expect(filesOf(await tacit("recall", "--code", "store", "--file", "src", "--json")).toSorted()).toEqual([
      "src/cart/total.ts",
      "src/store.ts",
    ]);
    expect(filesOf(await tacit("recall", "--code", "total", "--file", ".", "--json"))).toContain("test/total.test.ts");
  });

  it("refuse what is about memories", async () => {
    expect(await errorOf("recall", "--code", "store", "--type", "gotcha")).toMatchObject({
      code: "usage",
      message: "--type is about memories, and --code looks in the code.",
    });
    expect((await tacit("embed", "--code", "--status")).code).toBe(2);
  });
});

describe("relate documents", () => {
  it("takes a symbol of a file named from here, and impact shows the memory", async () => {
    const here = tacitIn(join(root, "src", "cart"));
    await tacit("remember", "totals are in cents", "--name", "cents");

    const related = await here("relate", "cents", "documents", "./total.ts#total", "--json");
    const { memories } = JSON.parse((await here("impact", "total.ts#total", "--json")).stdout) as {
      memories: object[];
    };

    expect(related).toMatchObject({ code: 0, stderr: "" });
    expect(memories).toMatchObject([
      { on: "src/cart/total.ts#total", by: "documents", confidence: 1, memory: { name: "cents" } },
    ]);
    expect((await here("relate", "cents", "documents", "total.ts#total", "--remove")).code).toBe(0);
    expect((await tacit("relate", "cents", "documents", "src/store.ts:3")).code).toBe(1);
  });
});

describe("help", () => {
  it.each(["init", "index", "watch", "impact", "graph export"])("explains %s", async (command) => {
    const { code, stdout, stderr } = await tacit(...command.split(" "), "--help");

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(new RegExp(`^Usage: tacit ${command} `));
    expect(stdout.split("\n").filter((text) => text.length > 120)).toEqual([]);
  });
});

// A quote and a backslash inside of quotes only behind a backslash, and never a line break.
const quoted = String.raw`"(?:[^"\\\n]|\\.)*"`;
const dotLine = new RegExp(`^  ${quoted} (?:-> ${quoted} \\[label=${quoted}, weight=\\d+\\]|\\[label=${quoted}\\]);$`);
const mermaidLine = /^  n\d+(?:\["[^"\n[\]|<>{}\\]*"\]| -->\|[a-z #0-9;_]+\| n\d+)$/;

async function errorOf(...args: string[]): Promise<{ code: string; message: string; hint: string }> {
  const run = await tacit(...args, "--json");
  expect(run.stdout).toBe("");
  const { error } = JSON.parse(run.stderr) as { error: { code: string; message: string; hint: string } };
  expect(run.code).toBe(error.code === "usage" ? 2 : 1);
  return error;
}

async function tacit(...args: string[]): Promise<TacitRun> {
  return tacitIn(root)(...args);
}

function tacitIn(cwd: string, env: NodeJS.ProcessEnv = {}) {
  return async (...args: string[]) => runTacit(args, { cwd, env: { TACIT_HOME: home, ...env } });
}
