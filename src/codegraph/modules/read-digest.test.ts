import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree, type CodeTreeContent } from "../../../test/support/code-tree.js";
import { writeFiles } from "../../../test/support/git-repository.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { exportGraph, type ExportGraphOptions } from "../export/export-graph.js";
import { storeDescription } from "./module-edge-queries.js";
import { openDigesting, readDigest, type CodeDigest } from "./read-digest.js";
import { readModules } from "./read-modules.js";

const files = [
  "src/auth/a.ts",
  "src/auth/b.ts",
  "src/auth/c.ts",
  "src/db/a.ts",
  "src/db/b.ts",
  "src/db/c.ts",
  "src/main.ts",
];
const edges = [
  "src/main.ts imports src/auth/a.ts",
  "src/main.ts calls src/auth/a.ts#login 0.9",
  "src/db/c.ts calls src/auth/a.ts#login",
  "src/db/c.ts calls src/auth/b.ts#Guard.check",
  "src/db/c.ts references src/auth/c.ts#User",
  "src/main.ts references src/auth/c.ts#User",
  "src/auth/a.test.ts calls src/auth/c.ts#secret",
  "src/auth/a.ts imports src/auth/b.ts",
  "src/auth/a.ts imports src/db/a.ts",
  "src/auth/a.ts#login calls src/auth/b.ts#check 0.9",
  "src/auth/b.ts#check calls src/db/a.ts#query 0.9",
  "src/auth/b.ts#Guard.check calls src/db/b.ts#read",
  "src/auth/c.ts#secret calls src/auth/a.ts#login",
];

describe("the digest of a module", () => {
  it("[G30] names what others enter it by: what runs first, by how many of their files use it, tests left out", async () => {
    const { entryPoints } = await digestOf("auth");

    expect(entryPoints.map(({ node, users }) => `${node.id} ${users}`)).toEqual([
      "src/auth/a.ts#login 2",
      "src/auth/b.ts#Guard 1",
      "src/auth/c.ts#User 2",
    ]);
  });

  it("[G30] leads from there along calls to the first things of other modules, as surely as all calls together", async () => {
    const { flows } = await digestOf("auth");

    expect(flows).toEqual([
      {
        from: "src/auth/b.ts#Guard",
        to: "src/db/b.ts#read",
        module: "db",
        way: ["src/auth/b.ts#Guard", "src/auth/b.ts#Guard.check", "src/db/b.ts#read"],
        source: "ast",
        confidence: 1,
      },
      {
        from: "src/auth/a.ts#login",
        to: "src/db/a.ts#query",
        module: "db",
        way: ["src/auth/a.ts#login", "src/auth/b.ts#check", "src/db/a.ts#query"],
        source: "ast",
        confidence: 0.81,
      },
    ]);
  });

  it("[G30] begins with what a manifest says a program begins with, also where that is built from it", async () => {
    const root = temporaryFolder();
    const manifest = { name: "shop", bin: { shop: "./dist/main.js" }, exports: { ".": "./dist/auth/a.js" } };
    writeFiles(root, { "package.json": JSON.stringify(manifest) });

    const graph = await treeOf({
      root,
      nodes: ["package.json"],
      more: ["src/main.test.ts calls src/main.ts#start", "src/main.ts#start calls src/db/b.ts#read"],
    });
    const [auth, shop] = [await digestIn(graph, "auth"), await digestIn(graph, "shop")];

    expect(auth.entryPoints[0]).toMatchObject({ node: { id: "src/auth/a.ts" }, program: "exports", users: 0 });
    // A library is entered by who is not in its tree, as by its tests.
    expect(shop.entryPoints).toMatchObject([
      { node: { id: "src/main.ts" }, program: "bin" },
      { node: { id: "src/main.ts#start" }, users: 0, testers: 1 },
    ]);
    expect(shop.flows.map(({ way }) => way)).toContainEqual(["src/main.ts", "src/auth/a.ts#login"]);
  });

  it("[G29] tells who is central, who imports whom, its tests, and what changes with it", async () => {
    const digest = await digestOf("auth", {
      companions: [
        ["src/auth/a.ts", "src/db/a.ts", 0.9],
        ["src/auth/b.ts", "src/db/a.ts", 0.9],
        ["src/auth/a.ts", "src/auth/b.ts", 0.9],
      ],
      more: ["test/whole.test.ts tests src/auth/a.ts", "test/whole.test.ts tests src/db/a.ts"],
    });

    expect(
      digest.central
        .slice(0, 2)
        .map(({ node }) => node.name)
        .toSorted(),
    ).toEqual(["check", "login"]);
    expect(digest.uses).toEqual([{ module: "db", imports: 1 }]);
    expect(digest.usedBy).toEqual([{ module: ".", imports: 1 }]);
    expect(digest.testedBy).toEqual(["src/auth/a.test.ts", "test/whole.test.ts"]);
    expect(digest.changesWith).toEqual({
      files: [{ file: "src/db/a.ts", commits: 10 }],
      modules: [{ module: "db", commits: 10 }],
    });
  });

  it("[G29] says what it is for: as its README or main file says, else by its central names", async () => {
    const root = temporaryFolder();
    const key = ["sk", "live", "51H8abcdefghijklmnopqrstuv"].join("_");
    writeFiles(root, {
      "src/auth/README.md": `# Auth\n\n[![x](y)](z)\n\nLets people in, and <system>nobody</system> else. api_key = "${key}"\n\nMore.`,
      "src/db/db.ts": "/** db: keeps the rows of everything. */\nexport {};",
    });
    const nodes = ["src/auth/README.md", "src/db/db.ts"];

    const graph = await treeOf({ root, nodes });
    const { purpose } = await digestIn(graph, "auth");

    expect((await digestOf("auth")).purpose).toMatchObject({
      text: expect.stringMatching(/^3 files around (?:check and login|login and check)\.$/) as string,
      source: "names",
    });
    expect(purpose).toMatchObject({ file: "src/auth/README.md", source: "file" });
    expect(purpose.text).toMatch(/^Lets people in, and nobody else\./);
    expect(purpose.text).not.toContain(key);
    expect((await digestIn(graph, "src/db")).purpose.text).toBe("db: keeps the rows of everything.");
  });

  it("is found by its name, folder, a file of it or the end of its name, and refused with what may be meant", async () => {
    const graph = await treeOf({ nodes: ["src/auth/tiny/d.ts"] });

    for (const name of [
      "src/auth/tiny",
      "auth",
      "AUTH",
      "src/auth",
      "src/auth/",
      "./src/auth",
      "module:auth",
      "src/auth/b.ts",
    ]) {
      expect((await digestIn(graph, name)).name).toBe("auth");
    }
    const upper = await codeTree({ nodes: files.map((file) => file.replace("src/", "Src/")) });
    expect(await digestIn(upper, "SRC")).toMatchObject({ name: "Src", folder: "Src" });
    expect((await digestIn(graph, "src")).parts).toEqual(["auth", "db"]);
    await expect(digestIn(graph, "aut")).rejects.toMatchObject({ code: "node-not-found", hint: "Did you mean auth?" });
    await expect(digestIn(graph, "nothing")).rejects.toMatchObject({ code: "node-not-found" });
  });

  it("[G31] has what a model said of it behind what rules found, while its ends are there, and only the last it said", async () => {
    const graph = await treeOf({});
    const first = [
      { from: "module:auth", kind: "is_entrypoint_for" as const, to: "src/auth/c.ts#secret", confidence: 0.6 },
      { from: "src/auth/c.ts#secret", kind: "flows_to" as const, to: "src/db/c.ts", confidence: 0.5 },
      { from: "src/auth/gone.ts#it", kind: "flows_to" as const, to: "src/db/c.ts", confidence: 0.5 },
    ];
    const module = { name: "auth", files: ["src/auth/a.ts", "src/auth/b.ts", "src/auth/c.ts"] };
    const keep = async (edgesOf: typeof first, from: string) =>
      graph.store.write(async (writer) =>
        storeDescription(
          writer,
          1,
          module,
          { purpose: "Lets people in.", confidence: 0.7, edges: edgesOf },
          { from, at: new Date(0) },
        ),
      );

    await keep(first, (await digestIn(graph, "auth")).state);
    const told = await digestIn(graph, "auth");
    await keep([], "another state");
    const later = await digestIn(graph, "auth");

    expect(told.purpose).toEqual({ text: "Lets people in.", source: "llm", confidence: 0.7 });
    expect(told.entryPoints.at(-1)).toMatchObject({
      node: { id: "src/auth/c.ts#secret" },
      source: "llm",
      confidence: 0.6,
    });
    expect(told.flows.filter(({ source }) => source === "llm")).toMatchObject([{ to: "src/db/c.ts", confidence: 0.5 }]);
    expect(later.purpose).toMatchObject({ text: "Lets people in.", source: "llm", isOutdated: true });
    expect(later.entryPoints.filter(({ source }) => source === "llm")).toEqual([]);
  });
});

describe("the graph of modules", () => {
  it("[G30] has modules with their imports, entry points and flows as JSON, and the imports in a drawing", async () => {
    const { nodes, edges: told } = JSON.parse(await exported({ level: "module" })) as {
      nodes: { id: string }[];
      edges: { from: string; kind: string; to: string }[];
    };

    expect(nodes.map(({ id }) => id)).toEqual(
      ["module:.", "module:auth", "module:db", "src/auth/a.ts", "src/auth/a.ts#login"].concat([
        "src/auth/b.ts",
        "src/auth/b.ts#Guard",
        "src/auth/c.ts",
        "src/db/a.ts",
        "src/db/a.ts#query",
        "src/db/b.ts",
        "src/db/b.ts#read",
      ]),
    );
    expect(told.map(({ from, kind, to }) => `${from} ${kind} ${to}`)).toEqual([
      "module:. imports module:auth",
      "module:auth imports module:db",
      "module:auth is_entrypoint_for src/auth/a.ts",
      "module:auth is_entrypoint_for src/auth/b.ts",
      "module:auth is_entrypoint_for src/auth/c.ts",
      "src/auth/a.ts#login flows_to src/db/a.ts#query",
      "src/auth/b.ts#Guard flows_to src/db/b.ts#read",
      "module:db is_entrypoint_for src/db/a.ts",
      "module:db is_entrypoint_for src/db/b.ts",
    ]);
    expect(await exported({ level: "module", format: "mermaid" })).toBe(
      [
        "flowchart LR",
        '  n0["module#58;."]',
        '  n1["module#58;auth"]',
        '  n2["module#58;db"]',
        "  n0 -->|imports| n1",
        "  n1 -->|imports| n2",
        "",
      ].join("\n"),
    );
    expect(await exported({ level: "module", format: "dot", files: "src/db" })).not.toContain("auth");
  });
});

async function exported(options: ExportGraphOptions): Promise<string> {
  return (await (await treeOf({})).ask((reader, tree) => exportGraph(reader, tree, options))).join("");
}

interface Given extends CodeTreeContent {
  more?: string[];
  root?: string;
}

async function treeOf({ more = [], nodes = [], root, ...content }: Given): Promise<CodeTree> {
  const told = ["src/auth/c.ts#User interface", "src/auth/b.ts#Guard", ...nodes];
  // A folder of its own: that of other tests may have a manifest.
  const place = root ?? temporaryFolder();
  return codeTree({ nodes: [...files, ...told], edges: [...edges, ...more], ...content }, { root: place });
}

async function digestOf(name: string, given: Given = {}): Promise<CodeDigest> {
  return digestIn(await treeOf(given), name);
}

async function digestIn(graph: CodeTree, name: string): Promise<CodeDigest> {
  return graph.ask(async (reader, tree) =>
    readDigest(await openDigesting(reader, 1, await readModules(reader, tree)), name),
  );
}
