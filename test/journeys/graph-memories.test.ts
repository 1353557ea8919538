import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Memory, MemoryInput, TacitMemory } from "../../src/index.js";
import { commitFiles, git, gitRepository, writeFiles } from "../support/git-repository.js";
import { openTestMemory } from "../support/open-memories.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { askDatabase } from "../torture/programs.js";

const store = `
export class Store {
  read(key: string): string {
    const found = this.rows.get(key);
    return found ?? "nothing is here";
  }
  write(key: string, value: string): void {
    this.rows.set(key, value);
  }
  rows = new Map<string, string>();
}

export function open(path: string): Store {
  const store = new Store();
  store.write("path", path);
  return store;
}
`;
const other = `
export function unrelated(list: string[]): number {
  return list.map((entry) => entry.length).reduce((sum, length) => sum + length, 0);
}
`;

describe("memories follow a file", () => {
  it.each<[string, (root: string) => void]>([
    ["git mv", (root) => git(root, "mv", "src/store.ts", "src/rows.ts")],
    [
      "git mv and a commit",
      (root) => {
        git(root, "mv", "src/store.ts", "src/rows.ts");
        commitFiles(root, {});
      },
    ],
    [
      "git mv with an edit",
      (root) => {
        git(root, "mv", "src/store.ts", "src/rows.ts");
        writeFiles(root, { "src/rows.ts": `// It moved.\n${store}` });
      },
    ],
    [
      "git mv with an edit and a commit",
      (root) => {
        git(root, "mv", "src/store.ts", "src/rows.ts");
        commitFiles(root, { "src/rows.ts": `// It moved.\n${store}` });
      },
    ],
    ["plain mv", (root) => renameSync(join(root, "src/store.ts"), join(root, "src/rows.ts"))],
    [
      "plain mv with an edit",
      (root) => {
        renameSync(join(root, "src/store.ts"), join(root, "src/rows.ts"));
        writeFiles(root, { "src/rows.ts": `// It moved.\n${store.replace('"path", path', '"path", `${path}/`')}` });
      },
    ],
    [
      "plain mv with an edit, once git knows of both",
      (root) => {
        renameSync(join(root, "src/store.ts"), join(root, "src/rows.ts"));
        writeFiles(root, { "src/rows.ts": `// It moved.\n${store}` });
        git(root, "add", "--all");
      },
    ],
  ])("[G7] over %s, in all that they name, with history, undo and recall", async (_how, move) => {
    const { root, memory } = await indexed({ "src/store.ts": store, "src/other.ts": other });
    const { id } = await memory.remember(aboutStore);

    move(root);
    const { moves } = await memory.index();

    expect(moves.files).toEqual([{ from: "src/store.ts", to: "src/rows.ts" }]);
    expect(placesOf(await memory.get(id))).toEqual({
      relatedFiles: ["src/rows.ts"],
      graphNodes: ["src/rows.ts#Store"],
      documents: ["src/rows.ts#Store.read", "src/rows.ts#open"],
    });
    expect((await memory.history(id))[0]).toMatchObject({
      verb: "moved",
      fields: { relatedFiles: { before: ["src/store.ts"], after: ["src/rows.ts"] } },
    });
    const found = await memory.recall("stale", { files: ["src/rows.ts"] });
    expect(found.map((result) => result.memory.id)).toEqual([id]);
    expect(await memory.recall("stale", { files: ["src/store.ts"] })).toEqual([]);
    expect((await memory.impact("src/rows.ts#Store.read")).memories.map((one) => one.memory.id)).toEqual([id]);
    expect(placesOf(await memory.undo(id))).toMatchObject({ relatedFiles: ["src/store.ts"] });
  });

  it("[G7] with its folder, by the dozen and as one operation", async () => {
    const files = Array.from({ length: 12 }, (_, n) => `src/old/part-${n}.ts`);
    const { root, memory } = await indexed(
      Object.fromEntries(files.map((file, n) => [file, `export const value${n} = ${n};\n`])),
    );
    const kept = await memory.rememberMany(files.map((file) => ({ content: `about ${file}`, relatedFiles: [file] })));

    git(root, "mv", "src/old", "src/new");
    await memory.index();

    const now = await Promise.all(kept.map(async ({ id }) => placesOf(await memory.get(id)).relatedFiles));
    expect(now.flat()).toEqual(files.map((file) => file.replace("old", "new")));
    await memory.undo(kept[0]?.id ?? "");
    expect(placesOf(await memory.get(kept[11]?.id ?? "")).relatedFiles).toEqual(["src/old/part-11.ts"]);
  });

  it("[G7] and go back when the branch is switched back, however often", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember(aboutStore);
    const before = placesOf(await memory.get(id));
    git(root, "switch", "--quiet", "--create", "renaming");
    git(root, "mv", "src/store.ts", "src/rows.ts");
    commitFiles(root, {});
    const files = async () => placesOf(await memory.get(id)).relatedFiles;

    for (let round = 0; round < 2; round += 1) {
      git(root, "switch", "--quiet", "renaming");
      await memory.index();
      expect(await files()).toEqual(["src/rows.ts"]);
      git(root, "switch", "--quiet", "main");
      await memory.index();
      expect(placesOf(await memory.get(id))).toEqual(before);
    }
  });

  it("[G7] and know both places while a second worktree still has the old one", async () => {
    const { root, memory, db } = await indexed({ "src/store.ts": store });
    const second = join(temporaryFolder(), "second");
    git(root, "worktree", "add", "--quiet", second, "-b", "second");
    const there = await openTestMemory({ db, directory: second });
    await there.index();
    const { id } = await memory.remember(aboutStore);

    git(root, "mv", "src/store.ts", "src/rows.ts");
    await memory.index();
    const both = placesOf(await memory.get(id));
    const found = await Promise.all(
      ["src/store.ts", "src/rows.ts"].map(async (file) => memory.recall("stale", { files: [file] })),
    );
    git(second, "mv", "src/store.ts", "src/rows.ts");
    await there.index();

    expect(both.relatedFiles.toSorted()).toEqual(["src/rows.ts", "src/store.ts"]);
    expect(found.map((results) => results.map((result) => result.memory.id))).toEqual([[id], [id]]);
    expect(placesOf(await there.get(id))).toMatchObject({
      relatedFiles: ["src/rows.ts"],
      graphNodes: ["src/rows.ts#Store"],
    });
  });

  it("[G7] nowhere, where it could have become two", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember({ content: "stale", relatedFiles: ["src/store.ts"] });

    rmSync(join(root, "src/store.ts"));
    writeFiles(root, { "src/one.ts": store, "src/two.ts": store });
    const { moves } = await memory.index();

    expect(moves).toEqual({ files: [], symbols: [] });
    expect(placesOf(await memory.get(id)).relatedFiles).toEqual(["src/store.ts"]);
    expect((await memory.history(id)).map(({ verb }) => verb)).toEqual(["remembered"]);
  });

  it("[G7] where it was copied, not moved, not at all", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember(aboutStore);
    const before = placesOf(await memory.get(id));

    writeFiles(root, { "src/copy.ts": store });
    await memory.index();

    expect(placesOf(await memory.get(id))).toEqual(before);
  });

  it("[G7] also when the process that saw it was killed before they could", async () => {
    const { root, memory, db } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember({ content: "stale", relatedFiles: ["src/store.ts"] });
    await askDatabase(
      db,
      `INSERT INTO code_news (tree_number, news)
       SELECT number, '{"files":[{"from":"src/store.ts","to":"src/rows.ts"}],"symbols":[]}' FROM code_trees`,
    );
    git(root, "mv", "src/store.ts", "src/rows.ts");
    await askDatabase(db, "UPDATE code_files SET path = 'src/rows.ts' WHERE path = 'src/store.ts'");

    await memory.index();
    await memory.index();

    expect(placesOf(await memory.get(id)).relatedFiles).toEqual(["src/rows.ts"]);
    expect((await memory.history(id)).map(({ verb }) => verb)).toEqual(["moved", "remembered"]);
    expect(await askDatabase(db, "SELECT number FROM code_news")).toEqual([]);
  });
});

describe("memories follow a symbol", () => {
  it("[G7] that has another name in its file", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember(aboutStore);

    writeFiles(root, { "src/store.ts": store.replace("read(key", "lookUp(key") });
    const { moves } = await memory.index();

    expect(moves).toEqual({
      files: [],
      symbols: [{ from: "src/store.ts#Store.read", to: "src/store.ts#Store.lookUp" }],
    });
    expect(placesOf(await memory.get(id))).toEqual({
      relatedFiles: ["src/store.ts"],
      graphNodes: ["src/store.ts#Store"],
      documents: ["src/store.ts#Store.lookUp", "src/store.ts#open"],
    });
    expect((await memory.history(id))[0]?.verb).toBe("moved");
  });

  it("[G7] that moved with its class into another file", async () => {
    const half = store.indexOf("\nexport function open");
    const { root, memory } = await indexed({ "src/store.ts": store, "src/rows.ts": other });
    const { id } = await memory.remember(aboutStore);

    writeFiles(root, {
      "src/store.ts": `import { Store } from "./rows.js";\n${store.slice(half)}`,
      "src/rows.ts": `${other}${store.slice(0, half)}`,
    });
    await memory.index();

    expect(placesOf(await memory.get(id))).toMatchObject({
      graphNodes: ["src/rows.ts#Store"],
      documents: ["src/rows.ts#Store.read", "src/store.ts#open"],
    });
  });

  it("[G7] into either half of a file that was split in two", async () => {
    const half = store.indexOf("\nexport function open");
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id: ofClass } = await memory.remember({ content: "one", graphNodes: ["src/store.ts#Store.read"] });
    const { id: ofFunction } = await memory.remember({ content: "two", graphNodes: ["src/store.ts#open"] });
    const { id: ofFile } = await memory.remember({ content: "three", relatedFiles: ["src/store.ts"] });

    rmSync(join(root, "src/store.ts"));
    writeFiles(root, {
      "src/rows.ts": store.slice(0, half),
      "src/open.ts": `import { Store } from "./rows.js";\n${store.slice(half)}`,
    });
    await memory.index();

    expect(placesOf(await memory.get(ofClass)).graphNodes).toEqual(["src/rows.ts#Store.read"]);
    expect(placesOf(await memory.get(ofFunction)).graphNodes).toEqual(["src/open.ts#open"]);
    expect(placesOf(await memory.get(ofFile)).relatedFiles).toEqual(["src/store.ts"]);
  });

  it("[G7] nowhere, where two have its name and its body", async () => {
    const { root, memory } = await indexed({ "a.ts": other, "b.ts": "export {};\n", "c.ts": "export {};\n" });
    const { id } = await memory.remember({ content: "one", graphNodes: ["a.ts#unrelated"] });

    writeFiles(root, { "a.ts": "export {};\n", "b.ts": other, "c.ts": other });
    const { moves } = await memory.index();

    expect(moves.symbols).toEqual([]);
    expect(placesOf(await memory.get(id)).graphNodes).toEqual(["a.ts#unrelated"]);
  });
});

describe("a memory whose text names a symbol of its file", () => {
  const naming: MemoryInput = { content: "`Store.read` may be stale", relatedFiles: ["src/store.ts"] };

  it("[G7] is linked to it at once where there is an index", async () => {
    const { memory } = await indexed({ "src/store.ts": store });

    const { id } = await memory.remember(naming);

    const links = (await memory.get(id))?.relations;
    expect(links).toEqual([{ kind: "documents", file: "src/store.ts#Store.read", confidence: 0.8, automatic: true }]);
  });

  it("[G7] is linked to it by the next indexing where there was none", async () => {
    const root = gitRepository();
    commitFiles(root, { "src/store.ts": store });
    const memory = await openTestMemory({ directory: root });
    const { id } = await memory.remember(naming);
    const before = (await memory.get(id))?.relations;

    await memory.index();

    expect(before).toEqual([]);
    expect(placesOf(await memory.get(id)).documents).toEqual(["src/store.ts#Store.read"]);
  });

  it("[G7] is linked anew when its text changes, and when another takes its place", async () => {
    const { memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember({ ...naming, content: "it may be stale" });
    const before = placesOf(await memory.get(id)).documents;

    await memory.revise(id, { content: "`Store.read` may be stale" });
    const named = placesOf(await memory.get(id)).documents;
    await memory.revise(id, { content: "`open` may be slow" });
    const renamed = placesOf(await memory.get(id)).documents;
    const { id: newer } = await memory.supersede(id, { ...naming, content: "`Store.write` is fast now" });

    expect({ before, named, renamed }).toEqual({
      before: [],
      named: ["src/store.ts#Store.read"],
      renamed: ["src/store.ts#open"],
    });
    expect(placesOf(await memory.get(newer)).documents).toEqual(["src/store.ts#Store.write"]);
  });

  it("[G7] is linked when it comes with an import", async () => {
    const { memory } = await indexed({ "src/store.ts": store });
    const file = join(temporaryFolder(), "in.jsonl");
    writeFileSync(file, `${JSON.stringify(naming)}\n`);

    await memory.exchange.import(file);

    const [imported] = await memory.list();
    expect(placesOf(imported).documents).toEqual(["src/store.ts#Store.read"]);
  });

  it("[G7] loses the link with the file", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store, "src/other.ts": other });
    const { id } = await memory.remember(naming);

    rmSync(join(root, "src/store.ts"));
    await memory.index();

    expect(placesOf(await memory.get(id)).documents).toEqual([]);
  });

  it("[G7] is linked by the next indexing where one was killed before it had linked any memory", async () => {
    const { db, memory } = await indexed({ "src/store.ts": store, "src/other.ts": other });
    const { id } = await memory.remember(naming);
    // As it is left: the file is in, and nobody has looked at the memories.
    await askDatabase(db, "DELETE FROM memory_relations");
    await askDatabase(
      db,
      `INSERT INTO code_news (tree_number, news)
       SELECT number, '{ "files": [], "symbols": [], "changed": ["src/store.ts"] }' FROM code_trees`,
    );

    await memory.index();

    expect(placesOf(await memory.get(id)).documents).toEqual(["src/store.ts#Store.read"]);
  });

  it("[G7] loses the link with the symbol, and has it again with it", async () => {
    const { root, memory } = await indexed({ "src/store.ts": store });
    const { id } = await memory.remember(naming);

    writeFiles(root, { "src/store.ts": "export {};\n" });
    await memory.index();
    const gone = placesOf(await memory.get(id)).documents;
    writeFiles(root, { "src/store.ts": store });
    await memory.index();

    expect(gone).toEqual([]);
    expect(placesOf(await memory.get(id)).documents).toEqual(["src/store.ts#Store.read"]);
  });
});

const aboutStore: MemoryInput = {
  content: "what it gives may be stale",
  relatedFiles: ["src/store.ts"],
  graphNodes: ["src/store.ts#Store"],
  relations: [
    { kind: "documents", file: "src/store.ts#Store.read", confidence: 1, automatic: false },
    { kind: "documents", file: "src/store.ts#open", confidence: 0.6, automatic: false },
  ],
};

function placesOf(memory: Memory | undefined) {
  const { relatedFiles = [], graphNodes = [], relations = [] } = memory ?? {};
  const documents = relations.flatMap(({ kind, file }) => (kind === "documents" ? (file ?? []) : [])).toSorted();
  return { relatedFiles, graphNodes, documents };
}

async function indexed(files: Record<string, string>): Promise<{ root: string; db: string; memory: TacitMemory }> {
  const root = gitRepository();
  commitFiles(root, files);
  const db = join(temporaryFolder(), "memory.db");
  const memory = await openTestMemory({ db, directory: root });
  await memory.index();
  return { root, db, memory };
}
