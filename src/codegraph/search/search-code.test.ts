import { describe, expect, it } from "vitest";
import { chunkTree, type ChunkTree } from "../../../test/support/chunk-tree.js";
import { fakeEmbedder } from "../../../test/support/fake-embedder.js";
import { findActiveModel } from "../../embedding/vectors/active-model.js";
import type { Embedder } from "../../embedding/embedding.js";
import type { OutlinePart } from "../facts/facts.js";
import { embedChunks } from "../chunks/embed-chunks.js";
import { searchCode, type CodeHit, type SearchCodeOptions } from "./search-code.js";

describe("searching code", () => {
  it("finds what holds the question's words, and says which", async () => {
    const tree = await chunkTree({
      "src/a.txt": "connections are opened here and pooled",
      "src/b.txt": "cats sleep on the warm keyboard",
    });

    const [hit, ...others] = await search(tree, "Where do we open connections?");

    expect(others).toEqual([]);
    expect(hit).toMatchObject({ file: "src/a.txt", type: "prose", startLine: 1, endLine: 1, paths: { words: 1 } });
    expect(hit?.matched.toSorted()).toEqual(["connections", "open"]);
    expect(hit?.score).toBeGreaterThan(0);
    expect(hit?.score).toBeLessThanOrEqual(1);
  });

  it("puts what is called so before what only speaks of it", async () => {
    const tree = await chunkTree();
    const speaks = "readStore readStore readStore calls readStore again\n".repeat(3);
    await tree.put(
      { "speaks.ts": speaks, "calls.ts": speaks, "is.ts": "function readStore() {\n  return rows.map(toStore);\n}\n" },
      { outline: (path) => (path === "is.ts" ? [named("readStore")] : [{ start: 0, end: 2, kind: "other" }]) },
    );

    expect(filesOf(await search(tree, "readStore"))[0]).toBe("is.ts");
    expect(filesOf(await search(tree, "what does readStore() do with rows"))[0]).toBe("is.ts");
  });

  it("finds a method by its class", async () => {
    const tree = await chunkTree();
    const line = "  const value = this.rows.map((row) => row.value);\n";
    const method = (start: number): OutlinePart => ({ start, end: start + 19, kind: "function", name: "read" });
    const outline = (name: string): OutlinePart[] => [
      { start: 0, end: 59, kind: "class", name, parts: [method(0), { ...method(20), name: "write" }, method(40)] },
    ];
    await tree.put(
      { "one.ts": line.repeat(60), "other.ts": line.repeat(60) },
      { outline: (path) => outline(path === "one.ts" ? "Shelf" : "Drawer") },
    );

    const [hit] = await search(tree, "Drawer.write");

    expect(hit).toMatchObject({ file: "other.ts", name: "Drawer.write", startLine: 21, endLine: 40 });
  });

  it("finds a file by its name, with and without what it ends in", async () => {
    const tree = await chunkTree({
      "src/user-profile.txt": "nothing",
      "src/profile.txt": "nothing",
      "user.txt": "nothing",
    });

    expect(filesOf(await search(tree, "userProfile"))[0]).toBe("src/user-profile.txt");
    expect(filesOf(await search(tree, "user-profile.txt"))[0]).toBe("src/user-profile.txt");
  });

  it("keeps to the files and types that are asked for", async () => {
    const tree = await chunkTree({ "src/a.txt": "apples", "src/b/c.txt": "apples", "srcs/d.txt": "apples" });
    await tree.put({ "src/e.ts": "apples();\n" }, { outline: () => [{ start: 0, end: 0, kind: "other" }] });
    const found = async (options: SearchCodeOptions) => filesOf(await search(tree, "apples", options)).toSorted();

    expect(await found({ files: ["src"] })).toEqual(["src/a.txt", "src/b/c.txt", "src/e.ts"]);
    expect(await found({ files: ["./src/b/", "src/a.txt"] })).toEqual(["src/a.txt", "src/b/c.txt"]);
    expect(await found({ types: ["module"] })).toEqual(["src/e.ts"]);
    expect(await found({ files: ["."], limit: 2 })).toHaveLength(2);
    expect(await found({ files: [] })).toEqual([]);
  });

  it("never finds what is in another tree", async () => {
    const one = await chunkTree({ "a.txt": "apples" });
    const other = await chunkTree({ "b.txt": "apples and pears" }, one);
    const embedder = fakeEmbedder();
    await embedChunks({ ...one, embedder });
    await embedChunks({ ...other, embedder });

    expect(filesOf(await search(one, "apples pears"))).toEqual(["a.txt"]);
    expect(filesOf(await search(other, "apples", await asked(other, embedder, "apples")))).toEqual(["b.txt"]);
  });

  it("has no answer to a question without a word that anything holds", async () => {
    const tree = await chunkTree({ "a.txt": "apples" });

    for (const question of ["", "the", "zebra", '" OR *', "NEAR(", "a:b^2"])
      expect(await search(tree, question)).toEqual([]);
  });

  it("finds by meaning what has none of the words", async () => {
    const tree = await chunkTree({ "a.txt": "automobile", "b.txt": "keyboard" });
    const embedder = withSynonym(fakeEmbedder(), "car", "automobile");
    await embedChunks({ ...tree, embedder });

    const [hit] = await search(tree, "car", await asked(tree, embedder, "car"));

    expect(hit).toMatchObject({ file: "a.txt", matched: [], paths: { meaning: 1 } });
    expect(hit?.paths.words).toBeUndefined();
  });

  it("judges by its words what has no vector yet", async () => {
    const tree = await chunkTree({ "a.txt": "keyboard" });
    const embedder = fakeEmbedder();
    await embedChunks({ ...tree, embedder });
    await tree.put({ "b.txt": "the car is here" });

    const [hit] = await search(tree, "car", await asked(tree, embedder, "car"));

    expect(hit).toMatchObject({ file: "b.txt", paths: { words: 1 } });
  });

  it("looks only for chunks with a rare word where there are many", async () => {
    const line = `function returns a common value\n${"\n".repeat(99)}`;
    const tree = await chunkTree({ "many.txt": line.repeat(3100) });
    await tree.put({ "rare.txt": "a common function with a needle", "alone.txt": "a needle and much else" });

    const hits = await search(tree, "common function with the needle", { limit: 100 });

    expect(filesOf(hits).toSorted()).toEqual(["alone.txt", "rare.txt"]);
  });
});

async function search(tree: ChunkTree, question: string, options: SearchCodeOptions = {}): Promise<CodeHit[]> {
  return tree.store.read((reader) => searchCode(reader, tree.tree, question, options));
}

function filesOf(hits: readonly CodeHit[]): string[] {
  return hits.map(({ file }) => file);
}

async function asked(tree: ChunkTree, embedder: Embedder, question: string): Promise<SearchCodeOptions> {
  const [vector] = await embedder.embed([question], "query");
  const model = await tree.store.read(findActiveModel);
  return vector && model ? { queryVector: { vector, model } } : {};
}

function withSynonym(embedder: Embedder, word: string, other: string): Embedder {
  return {
    ...embedder,
    embed: (texts, ...rest) =>
      embedder.embed(
        texts.map((text) => text.replaceAll(word, other)),
        ...rest,
      ),
  };
}

function named(name: string): OutlinePart {
  return { start: 0, end: 2, kind: "function", name };
}
