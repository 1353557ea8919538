/**
 * How a graph (`{ nodes, edges }`, as Tacit exports it) stands to the truth about the same files. An edge is right when the
 * checker has the same caller and target; what one of them has and the other has not is listed.
 */
export function compareGraph({ nodes, edges }, truth, files) {
  const known = new Set(files);
  const nodesByFile = groupBy(nodes, (node) => node.file);
  const nodeById = new Map(nodes.map((node) => [node.id, node]));
  const ours = edges.filter(({ from, to }) => known.has(nodeById.get(from)?.file) && known.has(nodeById.get(to)?.file));
  return {
    imports: compareImports(),
    calls: compareCalls(),
    references: ours.filter(({ kind }) => kind === "references").length,
  };

  function compareImports() {
    const said = new Set(ours.filter(({ kind }) => kind === "imports").map(({ from, to }) => `${from} -> ${to}`));
    return score(
      new Map([...said].map((key) => [key, { tier: "import" }])),
      new Map([...truth.imports].map((key) => [key, { tier: "import" }])),
    );
  }

  function compareCalls() {
    const said = new Map(
      ours.filter(({ kind }) => kind === "calls").map((edge) => [`${edge.from} -> ${edge.to}`, edge]),
    );
    const right = new Map();
    for (const call of truth.calls) {
      // What the graph has no node for cannot be found: it counts as missed.
      const from = call.caller ? idAt(call.caller) : call.file;
      const key = `${from} -> ${idAt(call.to)}`;
      if (!right.has(key)) right.set(key, { text: call.text, line: call.line });
    }
    return score(said, right);
  }

  /** The innermost node of that name around a line. A getter and its setter are one node, which stands at one of them. */
  function idAt({ file, name, line, isAccessor }) {
    const named = (nodesByFile.get(file) ?? []).filter((node) => node.name === name && node.kind !== "file");
    const around = named.filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
    const [best] = around.toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine));
    const distance = (node) => Math.abs(node.startLine - line);
    const other = isAccessor ? named.toSorted((a, b) => distance(a) - distance(b))[0] : undefined;
    return (best ?? other)?.id ?? `${file}#?${name}@${line}`;
  }
}

export function groupBy(values, keyOf) {
  const groups = new Map();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

function score(said, right) {
  const hits = [...said.keys()].filter((key) => right.has(key));
  const byTier = {};
  for (const [key, { tier }] of said) {
    byTier[tier] ??= { said: 0, hits: 0 };
    byTier[tier].said += 1;
    if (right.has(key)) byTier[tier].hits += 1;
  }
  return {
    said: said.size,
    right: right.size,
    hits: hits.length,
    byTier,
    wrong: [...said].filter(([key]) => !right.has(key)).map(([key, { tier, line }]) => ({ key, tier, line })),
    missed: [...right].filter(([key]) => !said.has(key)).map(([key, more]) => ({ key, ...more })),
  };
}
