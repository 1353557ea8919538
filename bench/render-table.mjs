/**
 * A table of everything measured side by side: a line a measure, a column a peer, each figure with its ratio to that of
 * `base`. A line is `{ what, values: { peer: number }, cut: [peer], isCount }`; a peer in `cut` is marked with a star, a
 * count has no ratio, and what was not measured is a dash.
 */
export function renderTable({ names, base, lines }) {
  const columns = Object.keys(names);
  return [
    row(["", ...columns.map((column) => names[column])]),
    row(["---", ...columns.map(() => "---:")]),
    ...lines.map((line) => row([line.what, ...columns.map((column) => renderCell(line, column, base))])),
  ].join("\n");
}

function renderCell({ values, cut = [], isCount }, column, base) {
  const value = values[column];
  if (value === undefined) return "–";
  const star = cut.includes(column) ? "\\*" : "";
  if (isCount) return `${value}${star}`;
  const ratio = values[base] > 0 && column !== base ? ` (× ${readable(value / values[base], 2)})` : "";
  return `${readable(value)}${star}${ratio}`;
}

function row(cells) {
  return `| ${cells.join(" | ")} |`;
}

/** As many digits as mean something. */
export function readable(value, most = 3) {
  return value >= 1000 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(most);
}
