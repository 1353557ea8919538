import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeTree, type CodeTree } from "../../../test/support/code-tree.js";
import { Store } from "../../storage/storage.js";
import { exportGraph, type ExportGraphOptions } from "./export-graph.js";

describe("exportGraph", () => {
  it("gives nodes and edges as one JSON document, in the order of their names", async () => {
    const graph = await codeTree({
      edges: ["b.ts#run calls a.ts#read 0.9 :3", "b.ts imports a.ts", "a.ts contains a.ts#read"],
      companions: [["a.ts", "b.ts", 0.4]],
    });

    const text = await exportOf(graph);

    expect(JSON.parse(text)).toEqual({
      nodes: [
        { id: "a.ts", kind: "file", name: "a.ts", file: "a.ts", startLine: 2, endLine: 2 },
        { id: "a.ts#read", kind: "function", name: "read", file: "a.ts", startLine: 4, endLine: 4 },
        { id: "b.ts", kind: "file", name: "b.ts", file: "b.ts", startLine: 1, endLine: 1 },
        { id: "b.ts#run", kind: "function", name: "run", file: "b.ts", startLine: 3, endLine: 3 },
      ].map((node) => ({ ...node, startLine: expect.any(Number), endLine: expect.any(Number) })),
      edges: [
        { from: "a.ts", to: "a.ts#read", kind: "contains", tier: "import", confidence: 1, source: "ast" },
        { from: "a.ts", to: "b.ts", kind: "changes_with", tier: "history", confidence: 0.4, source: "git" },
        { from: "b.ts", to: "a.ts", kind: "imports", tier: "import", confidence: 1, source: "ast" },
        { from: "b.ts#run", to: "a.ts#read", kind: "calls", tier: "import", confidence: 0.9, source: "ast" },
      ],
    });
    expect(await exportOf(graph)).toBe(text);
  });

  it("is a document also where there is nothing", async () => {
    const graph = await codeTree({});

    expect(JSON.parse(await exportOf(graph))).toEqual({ nodes: [], edges: [] });
    expect(await exportOf(graph, { format: "dot" })).toMatch(/^digraph code \{[^]*\}\n$/);
    expect(await exportOf(graph, { format: "mermaid" })).toBe("flowchart LR\n");
  });

  it("can be kept to kinds, to files, and to the level of files", async () => {
    const graph = await codeTree({
      edges: [
        "src/b.ts#run calls src/a.ts#read 0.7",
        "src/b.ts#go calls src/a.ts#read 0.9",
        "src/b.ts imports src/a.ts",
        "src/b.ts#run calls src/b.ts#go",
        "test/x.ts imports src/a.ts",
      ],
    });

    const calls = JSON.parse(await exportOf(graph, { kinds: ["calls"], level: "file" }));
    const source = JSON.parse(await exportOf(graph, { files: "src/", level: "file" }));

    expect(calls.edges).toMatchObject([{ from: "src/b.ts", to: "src/a.ts", kind: "calls", confidence: 0.9 }]);
    expect(calls.nodes).toHaveLength(3);
    expect(source.nodes.map(({ id }: { id: string }) => id)).toEqual(["src/a.ts", "src/b.ts"]);
    expect(source.edges).toHaveLength(2);
  });

  it("draws files for Graphviz and for Mermaid", async () => {
    const graph = await codeTree({ edges: ["src/b.ts imports src/a.ts 0.5"] });

    expect(await exportOf(graph, { format: "dot" })).toBe(
      `digraph code {
  rankdir=LR;
  node [shape=box];
  "src/a.ts" [label="src/a.ts"];
  "src/b.ts" [label="src/b.ts"];
  "src/b.ts" -> "src/a.ts" [label="imports", weight=5];
}
`,
    );
    expect(await exportOf(graph, { format: "mermaid" })).toBe(
      `flowchart LR
  n0["src/a.ts"]
  n1["src/b.ts"]
  n1 -->|imports| n0
`,
    );
  });

  it("lets no name break out of a drawing", async () => {
    const name = fc.array(
      fc.constantFrom(
        '"',
        "\\",
        "\n",
        "]",
        "[",
        "<b>",
        "&amp;",
        "#",
        ";",
        "|",
        "`",
        "é",
        "日",
        "\u202E",
        "{",
        "a",
        "end",
      ),
      { minLength: 1, maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(name, async (parts) => {
        const store = new Store({ db: ":memory:", timeoutMs: 5000 });
        const graph = await codeTree({ edges: ["a.ts imports b.ts"] }, { store });
        await store.write(async (writer) => {
          await writer.run("UPDATE code_files SET path = :path WHERE path = 'b.ts'", { path: parts.join("") });
        });

        const dot = await exportOf(graph, { format: "dot" });
        const mermaid = await exportOf(graph, { format: "mermaid" });
        const json = JSON.parse(await exportOf(graph));
        await store.close();

        const quotedText = String.raw`"(?:[^"\\\n]|\\\\|\\")*"`;
        expect(dot.split("\n").slice(3, 6).join("\n")).toMatch(
          new RegExp(`^(?:  ${quotedText} \\[label=${quotedText}\\];\n){2}  ${quotedText} -> ${quotedText} \\[`),
        );
        expect(dot.split("\n")).toHaveLength(8);
        expect(mermaid).toMatch(
          /^flowchart LR\n(?: {2}n\d\["(?:[\p{L}\p{N} ./_@$-]|#\d+;)*"\]\n){2} {2}n\d -->\|imports\| n\d\n$/u,
        );
        expect(json.edges[0]?.to).toBe(parts.join(""));
      }),
      { numRuns: 60 },
    );
  });

  it("comes in pieces, and never has an edge without its ends", async () => {
    const graph = await codeTree({
      edges: Array.from({ length: 250 }, (_, n) => `f${n}.ts imports f${(n + 1) % 250}.ts`),
    });
    const pieces: string[] = [];
    for (const piece of await graph.ask(async (reader, tree) => exportGraph(reader, tree))) {
      pieces.push(piece);
      if (pieces.length === 2) {
        await graph.store.write(async (writer) => {
          await writer.run(
            `INSERT INTO code_nodes (file_number, path, name, kind, start_line, end_line)
             SELECT number, 'late', 'late', 'function', 1, 1 FROM code_files WHERE path = 'f0.ts'`,
          );
          await writer.run(
            `INSERT INTO code_edges (from_node, kind, to_node, tier, confidence, source)
             SELECT a.number, 'calls', b.number, 'scope', 1, 'ast' FROM code_nodes AS a, code_nodes AS b
             WHERE a.path = 'late' AND b.name = 'f5.ts'`,
          );
        });
      }
    }

    const { nodes, edges } = JSON.parse(pieces.join("")) as { nodes: { id: string }[]; edges: { from: string }[] };
    expect(pieces.length).toBeGreaterThan(6);
    expect(nodes).toHaveLength(250);
    expect(edges).toHaveLength(250);
    expect(edges.filter(({ from }) => from.includes("late"))).toEqual([]);
  });

  it("never holds another tree", async () => {
    const store = new Store({ db: ":memory:", timeoutMs: 5000 });
    const mine = await codeTree({ edges: ["a.ts imports b.ts"] }, { store });
    await codeTree({ edges: ["a.ts imports secret.ts"], companions: [["a.ts", "b.ts", 1]] }, { store, root: "/other" });

    expect(await exportOf(mine)).not.toMatch(/secret|changes_with/);
    await store.close();
  });
});

async function exportOf(graph: CodeTree, options?: ExportGraphOptions): Promise<string> {
  return (await graph.ask(async (reader, tree) => exportGraph(reader, tree, options))).join("");
}
