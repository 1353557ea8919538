import type { CodeEdge, CodeNode, TacitMemory } from "../../src/index.js";

interface ReadGraph {
  nodes: CodeNode[];
  edges: CodeEdge[];
}

/** The whole graph of a memory's work tree, as it is exported. */
export async function readGraph(memory: Pick<TacitMemory, "exportGraph">): Promise<ReadGraph> {
  let text = "";
  for await (const piece of memory.exportGraph({ format: "json" })) text += piece;
  return JSON.parse(text) as ReadGraph;
}

/** Edges as one reads them: `src/b.ts#run calls src/a.ts#read`. */
export function sayEdges({ edges }: ReadGraph): string[] {
  return edges.map(({ from, kind, to }) => `${from} ${kind} ${to}`);
}
