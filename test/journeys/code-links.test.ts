import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addRelate } from "../../src/cli/memories/relate.js";
import { addShow } from "../../src/cli/memories/show.js";
import { followMoves } from "../../src/code-memory/links/follow-moves.js";
import { projectContext } from "../support/keep-records.js";
import { openTestMemory } from "../support/open-memories.js";
import { runLine, textOf } from "../support/run-line.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const method = "src/a.ts#Store.read";

describe("relations to code", () => {
  it("are stated on the command line, shown, told by history, and undone", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "it waits", name: "waits" });

    const { answer } = await runLine(memory, addRelate, ["relate", "waits", "documents", method]);
    await runLine(memory, addRelate, ["relate", "waits", "applies_pattern", "--file", "src/b.ts"]);
    const shown = textOf((await runLine(memory, addShow, ["show", "waits"])).answer);
    const [, change] = await memory.history(id);
    await memory.undo(id, { number: 2 });

    expect(textOf(answer)).toContain(`documents ${method}`);
    expect(shown).toMatch(/documents +src\/a\.ts#Store\.read/);
    expect(shown).toMatch(/applies pattern +src\/b\.ts/);
    expect(change).toMatchObject({ verb: "related", fields: { relations: { after: [stated("documents", method)] } } });
    expect((await memory.get(id))?.relations).toEqual([stated("applies_pattern", "src/b.ts")]);
  });

  it("are taken away as they were stated", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "it waits", name: "waits" });
    await runLine(memory, addRelate, ["relate", "waits", "documents", method]);

    await runLine(memory, addRelate, ["relate", "waits", "documents", method, "--remove"]);

    expect((await memory.get("waits"))?.relations).toEqual([]);
  });

  it("are seen from the root, wherever they are written from", async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, "src"));
    writeFileSync(join(root, "src", "a.ts"), "");
    const memory = await openTestMemory({ directory: root, project: undefined });
    const { id } = await memory.remember({
      content: "it waits",
      graphNodes: [`${join(root, "src", "a.ts")}#Store./users/:id`],
      relations: [stated("documents", `${join(root, "src", "a.ts")}#Store.read`)],
    });

    await memory.relate(id, { kind: "documents", file: `./${method}ing` });
    await memory.relate(id, { kind: "documents", file: `${join(root, "src", "a.ts")}#Store.#rows` });

    const { graphNodes, relations } = (await memory.get(id)) ?? {};
    expect(graphNodes).toEqual(["src/a.ts#Store./users/:id"]);
    expect(relations?.map(({ file }) => file).toSorted()).toEqual(["src/a.ts#Store.#rows", method, `${method}ing`]);
  });

  it("are refused where they lead to a memory or to a line", async () => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "one" });
    const { id: other } = await memory.remember({ content: "another thing" });

    for (const target of [{ memory: other }, { file: "src/a.ts:12" }, { file: "src/a.ts#L12-L14" }]) {
      await expect(memory.relate(id, { kind: "documents", ...target })).rejects.toMatchObject({
        code: "invalid-input",
      });
      const relation = { kind: "applies_pattern", confidence: 1, automatic: false, ...target } as const;
      await expect(memory.remember({ content: "x", relations: [relation] })).rejects.toMatchObject({
        code: "invalid-input",
        message: expect.stringContaining("never to a line"),
      });
    }
    const line = JSON.stringify({ content: "x", relations: [{ kind: "documents", memory: other }] });
    const file = join(temporaryFolder(), "in.jsonl");
    writeFileSync(file, `${line}\n`);
    await expect(memory.exchange.import(file)).rejects.toMatchObject({ code: "import-refused" });
  });

  it.each(["jsonl", "md"] as const)("travel as %s, and are the same bytes again", async (format) => {
    const memory = await openTestMemory();
    const { id } = await memory.remember({ content: "it waits", graphNodes: [method, "src/a.ts#Store.#rows"] });
    await memory.relate(id, { kind: "documents", file: method });
    await memory.relate(id, { kind: "applies_pattern", file: "docs/#1 plan.md", confidence: 0.5 });
    const [there, back] = [temporaryFolder(), temporaryFolder()];
    const target = (folder: string) => (format === "jsonl" ? join(folder, "out.jsonl") : join(folder, "out"));
    await memory.exchange.export({ format, output: target(there) });

    const other = await openTestMemory({ project: "other" });
    await other.exchange.import(target(there));
    await other.exchange.export({ format, output: target(back) });

    expect((await other.get(id))?.relations).toEqual((await memory.get(id))?.relations);
    expect((await other.get(id))?.graphNodes).toEqual([method, "src/a.ts#Store.#rows"]);
    expect(textsIn(back)).toEqual(textsIn(there));
  });

  it("are shared in git where somebody stated them", async () => {
    const root = temporaryFolder();
    const memory = await openTestMemory({ directory: root, project: undefined });
    const { id } = await memory.remember({
      content: "it waits",
      visibility: "project",
      relations: [stated("documents", method), { ...stated("documents", "src/a.ts#found"), automatic: true }],
    });

    await memory.exchange.share();

    expect(textsIn(join(root, ".tacit", "memories")).join("")).toContain(
      `relations: [{kind: documents, file: "${method}", confidence: 1}]`,
    );
    expect((await memory.exchange.share()).read.updated).toEqual([]);
    expect((await memory.get(id))?.relations).toHaveLength(2);
  });
});

describe("memories that followed code", () => {
  it("are written anew into their shared files, travel with their history, and go back", async () => {
    const root = temporaryFolder();
    const db = join(temporaryFolder(), "memory.db");
    const memory = await openTestMemory({ directory: root, db, project: undefined });
    const { id, project } = await memory.remember({
      content: "it waits",
      visibility: "project",
      relatedFiles: ["src/a.ts"],
      relations: [stated("documents", method)],
    });
    await memory.exchange.share();
    const shared = () => textsIn(join(root, ".tacit", "memories")).join("");
    const before = shared();

    await followMoves(await projectContext({ db, project }), {
      files: [{ from: "src/a.ts", to: "lib/b.ts" }],
      symbols: [],
    });
    const { written } = await memory.exchange.share();

    expect(written).toHaveLength(1);
    expect(shared()).toBe(before.replaceAll("src/a.ts", "lib/b.ts"));
    expect((await memory.list({ files: ["lib/b.ts"] })).map((one) => one.id)).toEqual([id]);
    expect(await memory.list({ files: ["src/a.ts"] })).toEqual([]);
    const output = join(temporaryFolder(), "out.jsonl");
    await memory.exchange.export({ format: "jsonl", output });
    const other = await openTestMemory({ project: "other" });
    await other.exchange.import(output);
    expect((await other.history(id))[0]).toMatchObject({ verb: "moved" });
    expect(await other.undo(id)).toMatchObject({ relatedFiles: ["src/a.ts"], relations: [{ file: method }] });
  });
});

function stated(kind: "documents" | "applies_pattern", file: string) {
  return { kind, file, confidence: 1, automatic: false } as const;
}

function textsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .toSorted();
}
