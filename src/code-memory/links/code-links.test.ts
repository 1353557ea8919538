import type { MemoryContext } from "../../memory/change/change.js";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noon, projectContext, stored } from "../../../test/support/keep-records.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { codeGraph } from "../../storage/code-graph-migration.js";
import { connect } from "../../storage/connect.js";
import { migrate } from "../../storage/migrate.js";
import { migrations } from "../../storage/migrations.js";
import { listCodeLinks, type CodeLink, type CodeLinkOptions } from "./code-links.js";
import { forget } from "../../memory/retention/forget.js";
import { columnsOf } from "../../memory/record/record-columns.js";
import type { MemoryInput } from "../../memory/memory.js";
import { readProject } from "../../project/project-context.js";
import { remember } from "../../memory/remember/remember-memories.js";
import { flag } from "../../memory/edit/review.js";
import { supersede } from "../../memory/remember/supersede.js";

describe("the memories that hang on code", () => {
  it.each<[string, Partial<MemoryInput>, Partial<CodeLink>]>([
    ["a related file", { relatedFiles: ["src/a.ts"] }, { on: "src/a.ts", by: "file" }],
    ["a graph node", { graphNodes: ["src/a.ts"] }, { on: "src/a.ts", by: "node" }],
    ["the node of a symbol in it", { graphNodes: ["src/a.ts#Store"] }, { on: "src/a.ts#Store", by: "node" }],
    ["a relation of any kind", stating("validates", "src/a.ts"), { on: "src/a.ts", by: "validates" }],
    ["a relation to a symbol in it", stating("documents", "src/a.ts#f"), { on: "src/a.ts#f", by: "documents" }],
  ])("of a file are found by %s", async (_how, input, expected) => {
    const context = await projectContext();
    const [memory] = await remember(context, [
      { content: "one", ...input },
      { content: "other", relatedFiles: ["src/a.tsx"] },
    ]);

    const found = await hanging(context, ["src/a.ts"]);

    expect(found).toMatchObject([{ id: memory?.id, confidence: 1, automatic: false, ...expected }]);
  });

  it("of a symbol are those that name it or something in it, not those of its file or its neighbours", async () => {
    const context = await projectContext();
    await remember(context, [
      { content: "the class", graphNodes: ["src/a.ts#Store"] },
      { content: "a method", ...stating("documents", "src/a.ts#Store.read") },
      { content: "the file", relatedFiles: ["src/a.ts"] },
      { content: "a neighbour", graphNodes: ["src/a.ts#Stores", "src/a.ts#Store~2"] },
    ]);

    const ofClass = await hanging(context, ["src/a.ts#Store"]);
    const ofMethod = await hanging(context, ["src/a.ts#Store.read"]);

    expect(ofClass.map(({ on }) => on).toSorted()).toEqual(["src/a.ts#Store", "src/a.ts#Store.read"]);
    expect(ofMethod.map(({ on }) => on)).toEqual(["src/a.ts#Store.read"]);
  });

  it("are told once a node, by what was stated before what was found", async () => {
    const context = await projectContext();
    await remember(context, [
      {
        content: "much",
        relatedFiles: ["src/a.ts"],
        graphNodes: ["src/a.ts", "src/a.ts#f"],
        relations: [
          { kind: "documents", file: "src/a.ts", confidence: 0.4, automatic: false },
          { kind: "documents", file: "src/a.ts#f", confidence: 0.8, automatic: true },
          { kind: "documents", file: "src/a.ts#g", confidence: 0.8, automatic: true },
        ],
      },
    ]);

    const found = await hanging(context, ["src/a.ts", "src/a.ts#f"]);

    expect(found).toMatchObject([
      { on: "src/a.ts", by: "documents", confidence: 0.4, automatic: false },
      { on: "src/a.ts#f", by: "node", confidence: 1, automatic: false },
      { on: "src/a.ts#g", by: "documents", confidence: 0.8, automatic: true },
    ]);
  });

  it("are only those that recall would show, of this project", async () => {
    const context = await projectContext();
    const about = { relatedFiles: ["src/a.ts"], ...stating("documents", "src/a.ts") };
    const [forgotten, flagged, old] = await remember(context, [
      { content: "forgotten", ...about },
      { content: "flagged", ...about },
      { content: "old", ...about },
      { content: "expired", ...about, expiresAt: "2026-11-15T11:00:00.000Z" },
      { content: "tainted", ...about },
    ]);
    await forget(context, [forgotten?.id ?? ""]);
    await flag(context, flagged?.id ?? "", "wrong");
    await supersede(context, old?.id ?? "", { content: "new", relatedFiles: [] });
    await context.store.write((writer) =>
      writer.run(`UPDATE memories SET trust_flags = '["tainted"]' WHERE content = 'tainted'`),
    );
    await remember(await projectContext({ store: context.store, project: "other" }), [{ content: "theirs", ...about }]);

    const found = await hanging(context, ["src/a.ts"]);

    expect(found).toEqual([]);
  });

  it("are as many as asked for, the newest first, out of thousands of nodes in one look", async () => {
    const context = await projectContext();
    const input = (n: number): MemoryInput => ({
      content: `memory ${n}`,
      relatedFiles: [`src/file-${n}.ts`],
      createdAt: new Date(Date.parse(noon) - n * 1000).toISOString(),
    });
    await remember(
      context,
      Array.from({ length: 300 }, (_, n) => input(n)),
    );
    const ids = Array.from({ length: 5000 }, (_, n) => `src/file-${n}.ts`);
    const started = performance.now();

    const found = await hanging(context, ids, { limit: 3 });

    expect(performance.now() - started).toBeLessThan(1000);
    expect(found.map(({ on }) => on)).toEqual(["src/file-0.ts", "src/file-1.ts", "src/file-2.ts"]);
    expect(await hanging(context, [])).toEqual([]);
  });
});

describe("a store from before there was a code graph", () => {
  it("[S6] finds the graph nodes that its memories had already", async () => {
    const db = join(temporaryFolder(), "memory.db");
    const columns = columnsOf(stored({ content: "old", graphNodes: ["src/a.ts#f"] }));
    const client = await connect({ kind: "file", path: db }, 1000);
    await migrate(
      client,
      migrations.filter(({ number }) => number < codeGraph.number),
    );
    await client.execute("INSERT INTO projects (number, id, name, created_at) VALUES (1, 'test', 'test', '')");
    await client.execute({
      sql: `INSERT INTO memories (key, project_number, content_hash, ${Object.keys(columns).join(", ")})
            VALUES (4294967297, 1, '', ${Object.keys(columns)
              .map((column) => `:${column}`)
              .join(", ")})`,
      args: columns,
    });
    client.close();

    const context = await projectContext({ db });

    expect(await hanging(context, ["src/a.ts"])).toMatchObject([{ on: "src/a.ts#f", by: "node" }]);
  });
});

function stating(kind: "documents" | "validates", file: string): Pick<MemoryInput, "relations"> {
  return { relations: [{ kind, file, confidence: 1, automatic: false }] };
}

async function hanging(
  context: MemoryContext,
  ids: string[],
  options: Partial<CodeLinkOptions> = {},
): Promise<CodeLink[]> {
  return readProject(context, [], (reader, project) =>
    listCodeLinks(reader, project, ids, { now: new Date(noon), ...options }),
  );
}
