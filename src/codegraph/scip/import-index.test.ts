import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeFiles } from "../../../test/support/git-repository.js";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { readGraph } from "../../../test/support/read-graph.js";
import { scipIndex, type WrittenDocument } from "../../../test/support/scip-index.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { TacitMemory } from "../../index.js";
import { Store } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { importIndex } from "./import-index.js";

const shop = "scip-test npm shop 1.0.0 ";
const disk = `${shop}src/\`disk.ts\`/Disk#`;
const tape = `${shop}src/\`tape.ts\`/Tape#`;

const files = {
  "src/disk.ts": "export class Disk {\n  read(key) { return key; }\n}\n",
  "src/tape.ts": "export class Tape {\n  read(key) { return key; }\n}\n",
  // Reading alone cannot tell what these two are.
  "src/copy.ts": "export function copy(from, to) {\n  return from.read(to.read(1));\n}\n",
};

const diskDocument = documentOf("src/disk.ts", { defines: { [disk]: "Disk", [`${disk}read().`]: "read" } });
const tapeDocument = documentOf("src/tape.ts", { defines: { [tape]: "Tape", [`${tape}read().`]: "read" } });
const copyDocument = documentOf("src/copy.ts", {
  defines: { [`${shop}src/\`copy.ts\`/copy().`]: "copy", "local 1": "from", "local 2": "to" },
  uses: [
    ["from@2", "local 1"],
    ["read@1", `${disk}read().`],
    ["to@2", "local 2"],
    ["read@2", `${tape}read().`],
  ],
});
const documents = [diskDocument, tapeDocument, copyDocument];

describe("a SCIP index", () => {
  it("[G24] tells what each use leads to, in the order in which names stand on a line", async () => {
    const memory = await memoryWith(files);

    const before = await callsIn(memory);
    const { scip, precise } = await memory.index({ scip: scipIndex(documents) });

    expect(before).toEqual([]);
    expect(scip).toMatchObject({ tool: "scip-test 1.0", documents: 3, taken: 3, refused: [], symbols: 5, edges: 2 });
    expect(precise).toBe(3);
    expect(await callsIn(memory)).toEqual([
      "src/copy.ts#copy -> src/disk.ts#Disk.read [precise, scip]",
      "src/copy.ts#copy -> src/tape.ts#Tape.read [precise, scip]",
    ]);
  });

  it("[G24] leaves to reading what it says nothing about, and takes what it leads outside for no miss", async () => {
    const text =
      'import { Disk } from "./disk.js";\nexport function go(disk: Disk, other) {\n  disk.read(1);\n  other.send();\n}\n';
    const memory = await memoryWith({ ...files, "src/go.ts": text });
    const { unresolved } = await memory.index();
    const uses: WrittenDocument["uses"] = [["send", "scip-test npm else 2.0.0 `index.d.ts`/Other#send()."]];

    const report = await memory.index({ scip: scipIndex([diskDocument, documentOf("src/go.ts", { text, uses })]) });

    expect(await callsIn(memory)).toContain("src/go.ts#go -> src/disk.ts#Disk.read [receiver, ast]");
    expect(unresolved - report.unresolved).toBe(1);
  });

  it("[G24] calls only what can be called, and nothing that an interface leaves open", async () => {
    const text = "export interface Shelf {\n  take(): void;\n}\nexport function use(shelf) {\n  shelf.take();\n}\n";
    const take = `${shop}src/\`shelf.ts\`/Shelf#take().`;
    const memory = await memoryWith({ "src/shelf.ts": text });

    const shelf = documentOf("src/shelf.ts", { text, defines: { [take]: "take" }, uses: [["take@2", take]] });
    await memory.index({ scip: scipIndex([shelf]) });

    const { edges } = await readGraph(memory);
    expect(await callsIn(memory)).toEqual([]);
    expect(edges).toContainEqual(
      expect.objectContaining({
        from: "src/shelf.ts#use",
        to: "src/shelf.ts#Shelf.take",
        kind: "references",
        tier: "precise",
      }),
    );
  });

  it("[G24] runs the class where its constructor is run, and knows what implements what", async () => {
    const text =
      "export interface Shelf {\n  take(): void;\n}\nexport class Box implements Shelf {\n  constructor() {}\n  take() {}\n}\nexport function make(kind) {\n  return new kind.Box();\n}\n";
    const at = `${shop}src/\`box.ts\`/`;
    const memory = await memoryWith({ "src/box.ts": text });

    const box = documentOf("src/box.ts", {
      text,
      defines: {
        [`${at}Shelf#`]: "Shelf",
        [`${at}Shelf#take().`]: "take",
        [`${at}Box#`]: "Box",
        [`${at}Box#\`<constructor>\`().`]: "constructor",
        [`${at}Box#take().`]: "take@2",
      },
      uses: [["Box@2", `${at}Box#\`<constructor>\`().`]],
      implements: { [`${at}Box#`]: `${at}Shelf#`, [`${at}Box#take().`]: `${at}Shelf#take().` },
    });
    await memory.index({ scip: scipIndex([box]) });

    const { edges } = await readGraph(memory);
    const precise = edges.filter(({ tier }) => tier === "precise").map(({ from, kind, to }) => `${from} ${kind} ${to}`);
    expect(precise.toSorted()).toEqual([
      "src/box.ts#Box implements src/box.ts#Shelf",
      "src/box.ts#Box.take implements src/box.ts#Shelf.take",
      "src/box.ts#make calls src/box.ts#Box",
    ]);
  });

  it("[G24] may be of a part of the tree, wherever its paths begin", async () => {
    const [memory, root] = await openWith(
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`packages/a b/${path}`, text])),
    );

    const { href } = pathToFileURL(join(root, "packages", "a b"));
    const { scip } = await memory.index({ scip: scipIndex(documents, href) });

    expect(scip).toMatchObject({ taken: 3, refused: [] });
    expect(await callsIn(memory)).toHaveLength(2);
  });

  it("[G25] counts only for the text it was made of, and until that changes", async () => {
    const [memory, root] = await openWith(files);
    await memory.index({ scip: scipIndex(documents) });

    writeFiles(root, { "src/copy.ts": `\n${files["src/copy.ts"]}` });
    const changed = await memory.index();
    const calls = await callsIn(memory);
    const stale = await memory.index({ scip: scipIndex(documents) });

    expect(changed.precise).toBe(2);
    expect(calls).toEqual([]);
    expect(stale.scip).toMatchObject({
      taken: 2,
      refused: [{ path: "src/copy.ts", why: "does not fit the file as it is: make the index again" }],
    });
    expect(await callsIn(memory)).toEqual([]);
  });

  it("[G25] leads nowhere else when what it led to is gone, and back when it is there again", async () => {
    const [memory, root] = await openWith(files);
    await memory.index({ scip: scipIndex(documents) });

    writeFiles(root, { "src/tape.ts": "export class Tape {\n  reads(key) { return key; }\n}\n" });
    await memory.index();
    const without = await callsIn(memory);
    writeFiles(root, { "src/tape.ts": files["src/tape.ts"] });
    await memory.index();

    expect(without).toEqual(["src/copy.ts#copy -> src/disk.ts#Disk.read [precise, scip]"]);
    expect(await callsIn(memory)).toHaveLength(2);
  });

  it("[G25] says nothing of a file that somebody has read anew while it was taken in", async () => {
    const [text, at] = ["fun run() {}\n", "scip-test maven shop 1.0.0 "];
    const db = join(temporaryFolder(), "memory.db");
    const [memory, root] = await openWith({ "Run.kt": text, "Stay.kt": text }, db);
    const [store, tree] = await storeOf(db, async () => {
      writeFiles(root, { "Run.kt": "// Nothing is left of it.\n" });
      await memory.index();
    });

    const index = ["Run", "Stay"].map((name) => ({
      path: `${name}.kt`,
      text,
      defines: { [`${at}${name}/run().`]: "run" },
    }));
    const report = await importIndex(store, tree, scipIndex(index));

    expect(report).toMatchObject({ taken: 1, symbols: 1 });
    expect(report.refused).toEqual([{ path: "Run.kt", why: "is of a file that has just changed" }]);
    const { nodes } = await readGraph(memory);
    expect(nodes.filter(({ kind }) => kind === "function").map(({ id }) => id)).toEqual(["Stay.kt#run"]);
  });

  it("[G25] is thrown away with everything else by a fresh indexing", async () => {
    const memory = await memoryWith(files);
    await memory.index({ scip: scipIndex(documents) });

    const { precise } = await memory.index({ fresh: true });

    expect(precise).toBe(0);
    expect(await callsIn(memory)).toEqual([]);
  });

  it("[G27] names what it defines: a symbol of SCIP can be asked about", async () => {
    const memory = await memoryWith(files);
    await memory.index({ scip: scipIndex(documents) });

    const { target, dependents } = await memory.impact(`${tape}read().`);

    expect(target.map(({ id }) => id)).toEqual(["src/tape.ts#Tape.read"]);
    expect(dependents.map(({ node }) => node.id)).toContain("src/copy.ts#copy");
  });

  it("[G27] gives a language that nobody here reads its symbols and its edges", async () => {
    const store =
      "package shop\n\ninterface Shelf {\n  fun take(): Int\n}\n\nclass Store(val size: Int) : Shelf {\n  override fun take() = size\n}\n";
    const run = "package shop\n\nfun run(): Int {\n  val store = Store(3)\n  return store.take()\n}\n";
    const at = "scip-test maven shop 1.0.0 shop/";
    const [memory, root] = await openWith({ "src/Store.kt": store, "src/Run.kt": run });

    const report = await memory.index({
      scip: scipIndex([
        {
          path: "src/Store.kt",
          text: store,
          defines: {
            [`${at}Shelf#`]: "Shelf",
            [`${at}Shelf#take().`]: "take",
            [`${at}Store#`]: "Store",
            [`${at}Store#\`<init>\`().`]: "Store",
            [`${at}Store#take().`]: "take@2",
            [`${at}Store#size.`]: "size",
          },
          uses: [
            ["Shelf@2", `${at}Shelf#`],
            ["size@2", `${at}Store#size.`],
          ],
          implements: { [`${at}Store#`]: `${at}Shelf#`, [`${at}Store#take().`]: `${at}Shelf#take().` },
          kinds: { [`${at}Shelf#`]: 21 },
        },
        {
          path: "src/Run.kt",
          text: run,
          defines: { [`${at}run().`]: "run", "local 0": "store" },
          uses: [
            ["Store", `${at}Store#\`<init>\`().`],
            ["store@2", "local 0"],
            ["take", `${at}Store#take().`],
          ],
        },
      ]),
    });
    const { nodes, edges } = await readGraph(memory);
    writeFiles(root, { "src/Store.kt": `${store}\n` });
    const { symbols, precise } = await memory.index();

    expect(report.scip).toMatchObject({ taken: 2, refused: [] });
    expect(
      nodes
        .filter(({ kind }) => kind !== "file")
        .map(({ id, kind }) => `${id} ${kind}`)
        .toSorted(),
    ).toEqual([
      "src/Run.kt#run function",
      "src/Store.kt#Shelf interface",
      "src/Store.kt#Shelf.take method",
      "src/Store.kt#Store class",
      "src/Store.kt#Store.size property",
      "src/Store.kt#Store.take method",
    ]);
    expect(
      edges
        .filter(({ tier }) => tier === "precise")
        .map(({ from, kind, to }) => `${from} ${kind} ${to}`)
        .toSorted(),
    ).toEqual([
      "src/Run.kt#run calls src/Store.kt#Store",
      "src/Run.kt#run calls src/Store.kt#Store.take",
      "src/Store.kt#Store implements src/Store.kt#Shelf",
      "src/Store.kt#Store references src/Store.kt#Shelf",
      "src/Store.kt#Store.take implements src/Store.kt#Shelf.take",
      "src/Store.kt#Store.take references src/Store.kt#Store.size",
    ]);
    expect({ symbols, precise }).toEqual({ symbols: 1, precise: 1 });
  });

  it("[G26] keeps no name that is a secret", async () => {
    const secret = ["ghp", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("_");
    const text = `export class ${secret} {\n  open() {}\n}\nconst { open: ${secret}x } = all;\n${secret}x();\n`;
    const open = `${shop}src/\`keys.ts\`/${secret}#open().`;
    const db = join(temporaryFolder(), "memory.db");
    const [memory] = await openWith({ ...files, "src/keys.ts": text }, db);

    const keys = { text, defines: { [open]: "open" }, uses: [[`${secret}x@2`, `${disk}read().`]] } as const;
    // Also where no file has it, as in the version of a package.
    const versioned = { ...tapeDocument, defines: { [tape.replace("1.0.0", secret)]: "Tape" } };
    const index = scipIndex([diskDocument, versioned, documentOf("src/keys.ts", keys as unknown as WrittenDocument)]);
    const { scip } = await memory.index({ scip: index });
    await memory.close();

    expect(scip?.taken).toBe(3);
    for (const file of readdirSync(dirname(db))) {
      expect(readFileSync(join(dirname(db), file)).includes(secret), file).toBe(false);
    }
  });
});

function documentOf(path: string, document: Partial<WrittenDocument>): WrittenDocument {
  return { path, text: (files as Record<string, string>)[path] ?? "", ...document };
}

async function memoryWith(content: Record<string, string>): Promise<TacitMemory> {
  return (await openWith(content))[0];
}

async function openWith(content: Record<string, string>, db?: string): Promise<[TacitMemory, string]> {
  const root = realpathSync(temporaryFolder());
  writeFiles(root, content);
  const memory = await openTestMemory({ directory: root, project: undefined, ...(db !== undefined && { db }) });
  await memory.index();
  return [memory, root];
}

/** The store behind a memory, with what happens before anything is written. */
async function storeOf(db: string, beforeWrite: () => Promise<void>): Promise<[Store, Tree]> {
  const store = new Store({ db, timeoutMs: 5000 });
  onTestFinished(() => store.close());
  const [row] = await store.read((reader) => reader.rows("SELECT number, root FROM code_trees"));
  const write: Store["write"] = async (work) => {
    await beforeWrite();
    return store.write(work);
  };
  const tree = { number: Number(row?.["number"]), root: String(row?.["root"]) };
  return [{ read: store.read.bind(store), write } as unknown as Store, tree];
}

async function callsIn(memory: TacitMemory): Promise<string[]> {
  const { edges } = await readGraph(memory);
  return edges
    .filter(({ kind }) => kind === "calls")
    .map(({ from, to, tier, source }) => `${from} -> ${to} [${tier}, ${source}]`)
    .toSorted();
}
