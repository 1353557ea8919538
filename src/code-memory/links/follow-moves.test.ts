import type { MemoryContext } from "../../memory/change/change.js";
import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { runs } from "../../../test/support/property-runs.js";
import { contentsOf, noon, projectContext, recordsOf } from "../../../test/support/keep-records.js";
import { countOutOfStep } from "../../memory/indexes/derived-indexes.js";
import { followMoves, type CodeMoves } from "./follow-moves.js";
import { forget } from "../../memory/retention/forget.js";
import { readHistory } from "../../memory/history/read-history.js";
import type { MemoryInput, Relation, MemoryRecord } from "../../memory/memory.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { undo } from "../../memory/undo/undo-change.js";

describe("memories follow code that moved", () => {
  it("in their files, relations and graph nodes, with words, filters and history in step", async () => {
    const context = await projectContext();
    const [memory] = await remember(context, [
      {
        content: "it waits",
        relatedFiles: ["src/a.ts", "src/other.ts"],
        graphNodes: ["src/a.ts", "src/a.ts#Store.read"],
        relations: [
          documents("src/a.ts#Store"),
          documents("src/a.ts#open", { automatic: true }),
          documents("src/x.ts"),
        ],
      },
    ]);

    const report = await followMoves(at(context, 1), files(["src/a.ts", "lib/b.ts"]));

    expect(report).toEqual({ moved: [memory?.id] });
    expect(await placesOf(context)).toEqual([
      {
        relatedFiles: ["lib/b.ts", "src/other.ts"],
        graphNodes: ["lib/b.ts", "lib/b.ts#Store.read"],
        relations: ["lib/b.ts#Store", "lib/b.ts#open (found)", "src/x.ts"],
      },
    ]);
    const [change, ...older] = await readHistory(context, memory?.id ?? "");
    expect(change).toMatchObject({
      verb: "moved",
      fields: {
        relatedFiles: { before: ["src/a.ts", "src/other.ts"], after: ["lib/b.ts", "src/other.ts"] },
        graphNodes: { after: ["lib/b.ts", "lib/b.ts#Store.read"] },
        relations: { after: [{ file: "lib/b.ts#Store" }, { file: "src/x.ts" }] },
      },
    });
    expect(older).toMatchObject([{ verb: "remembered" }]);
    expect((await recordsOf(context))[0]?.record.updatedAt).toBe(at(context, 1).now().toISOString());
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it.each<[string, CodeMoves, string, string]>([
    ["a symbol alone", symbols(["a.ts#f", "b.ts#g"]), "a.ts#f", "b.ts#g"],
    [
      "a symbol rather than its file",
      { ...files(["a.ts", "b.ts"]), ...only(["a.ts#f", "c.ts#f"]) },
      "a.ts#f",
      "c.ts#f",
    ],
    [
      "a file with what did not move apart",
      { ...files(["a.ts", "b.ts"]), ...only(["a.ts#f", "c.ts#f"]) },
      "a.ts#g",
      "b.ts#g",
    ],
    ["a method with its class", symbols(["a.ts#Store", "b.ts#Disk"]), "a.ts#Store.read.inner", "b.ts#Disk.read.inner"],
    ["a method rather than its class", symbols(["a.ts#S", "b.ts#S"], ["a.ts#S.m", "c.ts#m"]), "a.ts#S.m", "c.ts#m"],
    ["nothing of a like name", symbols(["a.ts#Store", "b.ts#Store"]), "a.ts#Stores", "a.ts#Stores"],
    ["no file of a like name", files(["a.ts", "b.ts"]), "a.tsx#f", "a.tsx#f"],
    ["a path that holds the mark", files(["c#/a.ts", "c/a.ts"]), "c#/a.ts", "c/a.ts"],
    ["no file for a symbol that left it", symbols(["a.ts#f", "b.ts#f"]), "a.ts", "a.ts"],
  ])("%s", async (_what, moves, before, after) => {
    const context = await projectContext();
    await remember(context, [{ content: "it waits", graphNodes: [before] }]);

    await followMoves(context, moves);

    expect(await placesOf(context)).toMatchObject([{ graphNodes: [after] }]);
  });

  it("when two files change places, and when one takes the place of another that went on", async () => {
    const context = await projectContext();
    await remember(context, [
      {
        content: "a",
        relatedFiles: ["a.ts"],
        relations: [documents("a.ts#f"), documents("b.ts#f", { confidence: 0.5 })],
      },
      { content: "b", relatedFiles: ["b.ts", "a.ts", "c.ts"] },
    ]);

    await followMoves(context, files(["a.ts", "b.ts"], ["b.ts", "a.ts"]));
    const swapped = await placesOf(context);
    await followMoves(context, files(["a.ts", "b.ts"], ["b.ts", "c.ts"]));

    expect(swapped).toMatchObject([
      { relatedFiles: ["b.ts"], relations: ["a.ts#f 0.5", "b.ts#f"] },
      { relatedFiles: ["a.ts", "b.ts", "c.ts"] },
    ]);
    expect(await placesOf(context)).toMatchObject([
      { relatedFiles: ["c.ts"], relations: ["b.ts#f 0.5", "c.ts#f"] },
      { relatedFiles: ["b.ts", "c.ts"] },
    ]);
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it("onto a place that they name already without naming it twice, where what was stated counts", async () => {
    const context = await projectContext();
    await remember(context, [
      {
        content: "it waits",
        relatedFiles: ["a.ts", "b.ts"],
        graphNodes: ["b.ts", "a.ts"],
        relations: [
          documents("a.ts", { automatic: true, confidence: 0.8 }),
          documents("b.ts", { confidence: 0.3 }),
          documents("a.ts#f", { confidence: 0.2 }),
          documents("b.ts#f", { confidence: 0.9 }),
        ],
      },
    ]);

    await followMoves(context, files(["a.ts", "b.ts"]));

    expect(await placesOf(context)).toEqual([
      { relatedFiles: ["b.ts"], graphNodes: ["b.ts"], relations: ["b.ts 0.3", "b.ts#f 0.9"] },
    ]);
  });

  it("and keep the old place where another work tree still has it, until that one follows, or this one goes back", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "it waits", relatedFiles: ["a.ts"], relations: [documents("a.ts#f")] }]);
    const asked: string[] = [];
    const keepOld = (path: string) => asked.push(path) > 0;

    await followMoves(context, files(["a.ts", "b.ts"]), { keepOld });
    await followMoves(context, files(["a.ts", "b.ts"]), { keepOld });
    const both = await placesOf(context);
    await followMoves(context, files(["b.ts", "a.ts"]));

    expect(both).toMatchObject([{ relatedFiles: ["a.ts", "b.ts"], relations: ["a.ts#f", "b.ts#f"] }]);
    expect(new Set(asked)).toEqual(new Set(["a.ts"]));
    expect(await placesOf(context)).toMatchObject([{ relatedFiles: ["a.ts"], relations: ["a.ts#f"] }]);
  });

  it("as one operation, which is undone for all of them", async () => {
    const context = await projectContext();
    const [one, other, forgotten] = await remember(context, [
      { content: "one", relatedFiles: ["a.ts"] },
      { content: "other", relations: [documents("a.ts#f"), documents("a.ts#g", { automatic: true })] },
      { content: "forgotten", relatedFiles: ["a.ts"] },
    ]);
    await forget(context, [forgotten?.id ?? ""]);
    const before = await placesOf(context);

    await followMoves(context, files(["a.ts", "b.ts"]));
    const [change] = await readHistory(context, one?.id ?? "");
    await undo(context, one?.id ?? "");

    expect(change?.alsoChanged).toEqual([other?.id]);
    expect(await placesOf(context)).toEqual([
      before[0],
      { ...before[1], relations: ["a.ts#f", "b.ts#g (found)"] },
      { ...before[2], relatedFiles: ["b.ts"] },
    ]);
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });

  it("without a trace in history where only what Tacit found leads there", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "it waits", relations: [documents("a.ts#f", { automatic: true })] }]);
    const [before] = await recordsOf(context);

    const report = await followMoves(at(context, 1), files(["a.ts", "b.ts"]));

    const [after] = await recordsOf(context);
    expect(report.moved).toEqual([before?.record.id]);
    expect(after?.history).toEqual([]);
    expect(after?.record).toEqual({ ...before?.record, relations: [documents("b.ts#f", { automatic: true })] });
  });

  it("once an occasion, even where following again would change places again", async () => {
    const context = await projectContext();
    await remember(context, [{ content: "a", relatedFiles: ["a.ts"] }]);
    const swap = files(["a.ts", "b.ts"], ["b.ts", "a.ts"]);

    await followMoves(context, swap, { occasion: "tree 1, revision 7" });
    const again = await followMoves(context, swap, { occasion: "tree 1, revision 7" });
    const once = await placesOf(context);
    await followMoves(context, swap, { occasion: "tree 1, revision 8" });

    expect(again).toEqual({ moved: [] });
    expect(once).toMatchObject([{ relatedFiles: ["b.ts"] }]);
    expect(await placesOf(context)).toMatchObject([{ relatedFiles: ["a.ts"] }]);
  });

  it("only within their project, and without a write where none is concerned", async () => {
    const context = await projectContext();
    const about: MemoryInput = { content: "a", relatedFiles: ["a.ts"], relations: [documents("a.ts#f")] };
    await remember(await projectContext({ store: context.store, project: "other" }), [about]);
    await remember(context, [{ content: "mine", relatedFiles: ["x.ts"] }]);
    const before = await contentsOf(context);
    const write = vi.spyOn(context.store, "write");

    expect(await followMoves(context, files(["a.ts", "b.ts"], ["same.ts", "same.ts"]))).toEqual({ moved: [] });
    expect(await followMoves(context, files())).toEqual({ moved: [] });
    expect(write).not.toHaveBeenCalled();
    expect(await contentsOf(context)).toEqual(before);
  });

  it("whatever they name and wherever it goes: forth, again and back", async () => {
    const paths = ["a.ts", "b.ts", "c.ts", "d.ts"];
    const path = fc.constantFrom(...paths);
    const node = fc.tuple(path, fc.constantFrom("", "#f", "#f.g")).map((parts) => parts.join(""));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(path),
        fc.uniqueArray(node),
        fc.uniqueArray(node),
        fc.shuffledSubarray(paths, { minLength: 4 }),
        async (relatedFiles, graphNodes, targets, goals) => {
          const context = await projectContext({ db: ":memory:" });
          await remember(context, [
            { content: "it", relatedFiles, graphNodes, relations: targets.map((target) => documents(target)) },
          ]);
          const before = await placesOf(context);
          const pairs = paths.map((one, index): [string, string] => [one, goals[index] ?? one]);

          await followMoves(context, files(...pairs));
          const there = await placesOf(context);
          await followMoves(context, files(...pairs.map(([one, other]): [string, string] => [other, one])));

          const moved = (name: string) => name.replace(/^[a-d]\.ts/, (file) => new Map(pairs).get(file) ?? file);
          expect(there).toMatchObject([
            {
              relatedFiles: relatedFiles.map(moved),
              graphNodes: graphNodes.map(moved),
              relations: targets.map(moved).toSorted(),
            },
          ]);
          expect(await placesOf(context)).toEqual(before);
          expect(await context.store.read(countOutOfStep)).toBe(0);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  it("by the thousand in a moment", async () => {
    const context = await projectContext();
    const inputs = Array.from({ length: 1000 }, (_, n): MemoryInput => ({
      content: `memory ${n}`,
      relatedFiles: [`src/file-${n}.ts`],
      relations: [documents(`src/file-${n}.ts#f`)],
    }));
    await remember(context, inputs);
    const moves = files(...inputs.map((_, n): [string, string] => [`src/file-${n}.ts`, `lib/file-${n}.ts`]));
    const started = performance.now();

    const { moved } = await followMoves(context, moves);

    expect(moved).toHaveLength(1000);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(await context.store.read(countOutOfStep)).toBe(0);
  });
});

function files(...pairs: [from: string, to: string][]): CodeMoves {
  return { files: pairs.map(([from, to]) => ({ from, to })), symbols: [] };
}

function only(...pairs: [from: string, to: string][]): Pick<CodeMoves, "symbols"> {
  return { symbols: pairs.map(([from, to]) => ({ from, to })) };
}

function symbols(...pairs: [from: string, to: string][]): CodeMoves {
  return { files: [], ...only(...pairs) };
}

function documents(file: string, fields: Partial<Relation> = {}): Relation {
  return { kind: "documents", file, confidence: 1, automatic: false, ...fields };
}

function at(context: MemoryContext, seconds: number): MemoryContext {
  return { ...context, now: () => new Date(Date.parse(noon) + seconds * 1000) };
}

interface NamedPlaces extends Pick<MemoryRecord, "relatedFiles" | "graphNodes"> {
  relations: string[];
}

async function placesOf(context: MemoryContext): Promise<NamedPlaces[]> {
  return (await recordsOf(context)).map(({ record: { relatedFiles, graphNodes, relations } }) => ({
    relatedFiles,
    graphNodes,
    relations: relations
      .map(({ file, confidence, automatic }) => {
        const told = automatic ? " (found)" : confidence === 1 ? "" : ` ${confidence}`;
        return `${file}${told}`;
      })
      .toSorted(),
  }));
}
