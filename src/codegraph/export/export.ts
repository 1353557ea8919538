/** The graph as JSON, DOT or Mermaid. What other rooms use of it. */
export { type ExportGraphOptions, exportGraph } from "./export-graph.js";
export type { GraphFormatName } from "./graph-formats.js";
