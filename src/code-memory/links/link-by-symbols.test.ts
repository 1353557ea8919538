import type { MemoryContext } from "../../memory/change/change.js";
import { describe, expect, it } from "vitest";
import { noon, projectContext, recordsOf } from "../../../test/support/keep-records.js";
import { listByReference } from "../../memory/read/memory-queries.js";
import { linkBySymbols, type SymbolsOf } from "./link-by-symbols.js";
import type { MemoryInput } from "../../memory/memory.js";
import { readProject } from "../../project/project-context.js";
import { relateMemory } from "../../memory/edit/relate-memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { revise } from "../../memory/edit/revise.js";

describe("links by the names of symbols", () => {
  it("lead from a text to what it names and its files define", async () => {
    const context = await projectContext();
    await remember(context, [about("Store.read waits for `openDisk`, never for nothingKnown")]);

    const report = await linkBySymbols(context, "all", symbols({ "src/a.ts": ["Store", "Store.read", "openDisk"] }));

    expect(report).toEqual({ linked: 2, unlinked: 0 });
    expect(await relationsOf(context)).toEqual([
      { kind: "documents", file: "src/a.ts#Store.read", confidence: 0.8, automatic: true },
      { kind: "documents", file: "src/a.ts#openDisk", confidence: 0.8, automatic: true },
    ]);
  });

  it.each([
    ["a method by its name alone", "`readAll` waits", ["Store.readAll"], ["src/a.ts#Store.readAll"]],
    [
      "what is called just so, before what only ends so",
      "`parse` waits",
      ["parse", "Reader.parse"],
      ["src/a.ts#parse"],
    ],
    ["nothing that could be two", "`parse` waits", ["Writer.parse", "Reader.parse"], []],
    ["nothing that is spelled otherwise", "openstore() waits", ["openStore"], []],
    ["nothing that only a word means", "the parse waits", ["parse"], []],
    ["no object of a program by the class that it may be of", "`store.read()` waits", ["Store.read"], []],
    ["the file that was named with it", "b.ts#openIt and openIt()", ["openIt"], ["src/b.ts#openIt"]],
  ])("lead to %s", async (_what, content, paths, expected) => {
    const context = await projectContext();
    await remember(context, [{ ...about(content), relatedFiles: ["src/a.ts", "src/b.ts"] }]);

    await linkBySymbols(context, "all", symbols({ "src/a.ts": paths, "src/b.ts": ["openIt"] }));

    expect((await relationsOf(context)).map(({ file }) => file)).toEqual(expected);
  });

  it("are five a memory at most, the first it names", async () => {
    const context = await projectContext();
    const names = ["oneThing", "twoThings", "threeThings", "fourThings", "fiveThings", "sixThings"];
    await remember(context, [about(names.join(", "))]);

    await linkBySymbols(context, "all", symbols({ "src/a.ts": names.toReversed() }));

    const linked = new Set((await relationsOf(context)).map(({ file }) => file));
    expect(linked).toEqual(new Set(names.slice(0, 5).map((name) => `src/a.ts#${name}`)));
  });

  it("are no change of the memory", async () => {
    const context = await projectContext();
    await remember(context, [about("openStore waits")]);
    const [before] = await recordsOf(context);
    const later = { ...context, now: () => new Date(Date.parse(noon) + 1000) };

    await linkBySymbols(later, "all", symbols({ "src/a.ts": ["openStore"] }));

    const [after] = await recordsOf(context);
    expect(after?.history).toEqual([]);
    expect({ ...after?.record, relations: [] }).toEqual(before?.record);
  });

  it("go away with the name in the text, the file of the memory, or the symbol in the file", async () => {
    const context = await projectContext();
    const [text, file] = await remember(context, [
      { ...about("openStore waits"), name: "text" },
      { ...about("openStore waits long"), name: "file", relatedFiles: ["src/b.ts"] },
      about("closeStore waits"),
    ]);
    const known = { "src/a.ts": ["openStore", "closeStore"], "src/b.ts": ["openStore"] };
    await linkBySymbols(context, "all", symbols(known));
    const linked = await relationsOf(context);
    await revise(context, text?.id ?? "", { content: "it waits" });
    await revise(context, file?.id ?? "", { relatedFiles: [] });

    const report = await linkBySymbols(context, "all", symbols({ ...known, "src/a.ts": ["openStore"] }));

    expect(linked).toHaveLength(3);
    expect(report).toEqual({ linked: 0, unlinked: 3 });
    expect(await relationsOf(context)).toEqual([]);
  });

  it("stay while nobody knows the file", async () => {
    const context = await projectContext();
    await remember(context, [about("openStore waits")]);
    await linkBySymbols(context, "all", symbols({ "src/a.ts": ["openStore"] }));

    expect(await linkBySymbols(context, "all", symbols({}))).toEqual({ linked: 0, unlinked: 0 });
    expect(await linkBySymbols(context, "all", symbols({ "src/a.ts": [] }))).toEqual({ linked: 0, unlinked: 1 });
  });

  it("never touch what somebody stated", async () => {
    const context = await projectContext();
    const [memory] = await remember(context, [about("openStore waits")]);
    await relateMemory(context, memory?.id ?? "", { kind: "documents", file: "src/a.ts#openStore", confidence: 0.3 });
    await relateMemory(context, memory?.id ?? "", { kind: "documents", file: "src/gone.ts#it" });
    const stated = await relationsOf(context);

    await linkBySymbols(context, "all", symbols({ "src/a.ts": ["openStore"], "src/gone.ts": [] }));
    await linkBySymbols(context, "all", symbols({ "src/a.ts": [] }));

    expect(await relationsOf(context)).toEqual(stated);
  });

  it("are looked for only in the memories that are given", async () => {
    const context = await projectContext();
    await remember(context, [
      { ...about("openStore waits"), name: "one" },
      { ...about("openStore waits long"), relatedFiles: ["src/b.ts"] },
      { ...about("openStore waits longer"), relatedFiles: ["src/c.ts"] },
    ]);
    const key = await readProject(context, 0, async (reader, project) => {
      const [found] = await listByReference(reader, project, "one", new Date(noon));
      return found?.key ?? 0;
    });
    const asked: string[][] = [];
    const known = symbols({ "src/a.ts": ["openStore"], "src/b.ts": ["openStore"], "src/c.ts": ["openStore"] }, asked);

    expect(await linkBySymbols(context, { keys: [key] }, known)).toEqual({ linked: 1, unlinked: 0 });
    expect(await linkBySymbols(context, { keys: [key] }, known)).toEqual({ linked: 0, unlinked: 0 });
    expect(await linkBySymbols(context, { files: ["src/b.ts", "src/d.ts"] }, known)).toEqual({
      linked: 1,
      unlinked: 0,
    });
    expect(asked).toEqual([["src/a.ts"], ["src/a.ts"], ["src/b.ts"]]);
    expect(await linkBySymbols(context, "all", known)).toEqual({ linked: 1, unlinked: 0 });
    expect(await linkBySymbols(context, "all", known)).toEqual({ linked: 0, unlinked: 0 });
  });

  it("are not made for a text that changed meanwhile", async () => {
    const context = await projectContext();
    const [memory] = await remember(context, [about("openStore waits")]);

    const report = await linkBySymbols(context, "all", async (files) => {
      await revise(context, memory?.id ?? "", { content: "it waits" });
      return symbols({ "src/a.ts": ["openStore"] })(files);
    });

    expect(report).toEqual({ linked: 0, unlinked: 0 });
    expect(await relationsOf(context)).toEqual([]);
  });

  it("are made for any number of memories", async () => {
    const context = await projectContext();
    await remember(
      context,
      Array.from({ length: 230 }, (_, n) => about(`openStore waits ${n}`)),
    );

    const report = await linkBySymbols(context, "all", symbols({ "src/a.ts": ["openStore"] }));

    expect(report).toEqual({ linked: 230, unlinked: 0 });
  });

  it("are none in a store that does not exist, which stays away", async () => {
    const context = await projectContext({ db: "/nowhere/at/all/memory.db" });

    expect(await linkBySymbols(context, "all", symbols({}))).toEqual({ linked: 0, unlinked: 0 });
  });
});

function about(content: string): MemoryInput {
  return { content, relatedFiles: ["src/a.ts"] };
}

function symbols(known: Record<string, string[]>, asked: string[][] = []): SymbolsOf {
  return async (files) => {
    asked.push(files);
    const found = files.filter((file) => known[file]);
    return new Map(
      found.map((file) => [file, (known[file] ?? []).map((path) => ({ path, name: path.split(".").at(-1) ?? path }))]),
    );
  };
}

async function relationsOf(context: MemoryContext) {
  return (await recordsOf(context)).flatMap(({ record }) =>
    record.relations.filter(({ kind }) => kind === "documents"),
  );
}
