export type GraphFormatName = "json" | "dot" | "mermaid";

/** What is drawn of a node and of an edge; JSON has whatever else they say. */
export interface DrawnNode {
  id: string;
}
export interface DrawnEdge {
  from: string;
  to: string;
  kind: string;
  confidence: number;
}

/** What a format makes of the parts of a graph, in the order in which they come. */
export interface GraphFormat {
  begin: string;
  node(node: DrawnNode, isFirst: boolean): string;
  between: string;
  edge(edge: DrawnEdge, isFirst: boolean): string;
  end: string;
}

/** A format, to be used for one graph. */
export function openFormat(name: GraphFormatName): GraphFormat {
  return { json: openJson, dot: openDot, mermaid: openMermaid }[name]();
}

/** A node or an edge on a line, so that it can be compared line by line. */
function openJson(): GraphFormat {
  return {
    begin: '{"nodes":[',
    node: (node, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(node)}`,
    between: '\n],"edges":[',
    edge: (edge, isFirst) => `${isFirst ? "" : ","}\n${JSON.stringify(edge)}`,
    end: "\n]}\n",
  };
}

/** For Graphviz: `dot -Tsvg`. */
function openDot(): GraphFormat {
  return {
    begin: "digraph code {\n  rankdir=LR;\n  node [shape=box];\n",
    node: ({ id }) => `  ${dotId(id)} [label=${dotLabel(id)}];\n`,
    between: "",
    edge: ({ from, to, kind, confidence }) =>
      `  ${dotId(from)} -> ${dotId(to)} [label=${dotLabel(kind)}, weight=${Math.max(1, Math.round(confidence * 10))}];\n`,
    end: "}\n",
  };
}

/** For Mermaid, as GitHub and others show it. Names are text in quotes, and nodes go by numbers. */
function openMermaid(): GraphFormat {
  const numbers = new Map<string, number>();
  return {
    begin: "flowchart LR\n",
    node: ({ id }) => {
      numbers.set(id, numbers.size);
      return `  n${numbers.get(id)}["${mermaidText(id)}"]\n`;
    },
    between: "",
    edge: ({ from, to, kind }) => `  n${numbers.get(from)} -->|${mermaidText(kind)}| n${numbers.get(to)}\n`,
    end: "",
  };
}

/** A line break would end it, and a quote: a backslash stands for itself in a name, but not before a quote. */
function dotId(text: string): string {
  return `"${withoutControls(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** What is drawn is read once more, for entities. */
function dotLabel(text: string): string {
  return dotId(text.replaceAll("&", "&amp;"));
}

/** Anything but letters, digits and what paths are made of by its number: Mermaid has no other way to write a quote. */
function mermaidText(text: string): string {
  return withoutControls(text).replaceAll(/[^\p{L}\p{M}\p{N} ./_@$-]/gu, (sign) => `#${sign.codePointAt(0)};`);
}

/** Also those that turn the direction of writing, or that nobody sees: a name must not look like another. */
function withoutControls(text: string): string {
  return text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
