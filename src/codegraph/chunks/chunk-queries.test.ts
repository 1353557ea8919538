import { describe, expect, it } from "vitest";
import { chunkTree } from "../../../test/support/chunk-tree.js";

const section = (name: string) => `# ${name}\n${`some words about ${name} `.repeat(20)}\n`;

describe("writing chunks", () => {
  it("numbers them within their tree, and keeps their words under the same numbers", async () => {
    const one = await chunkTree({ "a.md": section("alpha") });
    const other = await chunkTree({ "a.md": section("beta") }, one);

    const rows = await one.rows(
      "SELECT c.number, c.name, w.name AS words FROM code_chunks AS c JOIN code_words AS w ON w.rowid = c.number ORDER BY 1",
    );

    expect(rows).toEqual([
      { number: one.tree.number * 2 ** 32 + 1, name: "alpha", words: "alpha" },
      { number: other.tree.number * 2 ** 32 + 1, name: "beta", words: "beta" },
    ]);
  });

  it("leaves a chunk that only moved its number, its words and its vector", async () => {
    const tree = await chunkTree({ "a.md": section("alpha") + section("beta") });
    const before = await tree.rows("SELECT number FROM code_chunks WHERE name = 'beta'");
    await tree.store.write(async (writer) => {
      await writer.run("INSERT INTO embedding_models (number, id, dimensions) VALUES (1, 'm', 1)");
      await writer.run(
        "INSERT INTO code_vectors (chunk_number, model_number, vector) SELECT number, 1, x'00000000' FROM code_chunks",
      );
      await writer.run("UPDATE code_chunks SET embedded_by = 1");
    });

    await tree.put({ "a.md": `${section("gamma")}\n\n${section("beta")}` });

    expect(await tree.rows("SELECT name, start_line, embedded_by FROM code_chunks ORDER BY start_line")).toEqual([
      { name: "gamma", start_line: 1, embedded_by: null },
      { name: "beta", start_line: 5, embedded_by: 1 },
    ]);
    expect(await tree.rows("SELECT number FROM code_chunks WHERE name = 'beta'")).toEqual(before);
    expect(await tree.rows("SELECT chunk_number AS number FROM code_vectors")).toEqual(before);
    expect(await tree.rows("SELECT name FROM code_words ORDER BY rowid")).toEqual([
      { name: "beta" },
      { name: "gamma" },
    ]);
  });

  it("takes away what is no longer there, with its words", async () => {
    const tree = await chunkTree({ "a.md": section("alpha"), "b.md": section("beta") });

    await tree.put({ "a.md": "" });

    expect(await tree.rows("SELECT name FROM code_chunks")).toEqual([{ name: "beta" }]);
    expect(await tree.rows("SELECT name FROM code_words")).toEqual([{ name: "beta" }]);
    expect(await tree.rows("SELECT count(*) AS n FROM code_vocabulary WHERE term = 'alpha'")).toEqual([{ n: 0 }]);
  });

  it("keeps as many as there are of chunks that say the same", async () => {
    const line = "the same words over and over again, ".repeat(30);
    const tree = await chunkTree({ "a.txt": `${line}\n\n`.repeat(5) });
    const [{ n: before } = { n: 0 }] = await tree.rows("SELECT count(*) AS n FROM code_chunks");

    await tree.put({ "a.txt": `${line}\n\n`.repeat(3) });
    await tree.put({ "a.txt": `${line}\n\n`.repeat(5) });

    expect(await tree.rows("SELECT count(*) AS n FROM code_chunks")).toEqual([{ n: before }]);
    expect(await tree.rows("SELECT max(end_line) AS n FROM code_chunks")).toEqual([{ n: 10 }]);
  });
});
