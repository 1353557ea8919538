/**
 * Where calls of a graph lead: those that were found, those that lead to nothing known, and those that plainly lead out of the
 * tree. The graph keeps one edge for all calls of a function to another, so calls are told by who calls what name.
 */
export function countSites({ factsOf, edges, misses }) {
  const key = (file, path, name) => `${file}\n${path}\n${name}`;
  const found = new Set(
    edges
      .filter(({ kind }) => kind === "calls" || kind === "references")
      .flatMap(({ fromFile, fromPath, toPath }) =>
        // A class is called by its name, and what is found may be its constructor.
        toPath
          .split(".")
          .slice(-2)
          .map((name) => key(fromFile, fromPath, name.replace(/~\d+$/, ""))),
      ),
  );
  const missed = new Map(
    misses.filter(({ kind }) => kind === "call").map(({ file, path, name, sites }) => [key(file, path, name), sites]),
  );
  const counts = { sites: 0, found: 0, missed: 0, outside: 0 };
  const sitesOf = new Map();
  for (const [file, facts] of factsOf) {
    for (const [kind, expression, scope, , name] of facts.uses) {
      if (kind !== "call" && kind !== "new" && kind !== "element") continue;
      const called = name ?? lastName(expression);
      const at = key(file, userAt(facts, scope), called ?? "");
      sitesOf.set(at, (sitesOf.get(at) ?? 0) + 1);
    }
  }
  for (const [at, sites] of sitesOf) {
    const lost = Math.min(sites, missed.get(at) ?? 0);
    counts.sites += sites;
    counts.missed += lost;
    counts[found.has(at) ? "found" : "outside"] += sites - lost;
  }
  return counts;
}

/** Who uses what is used in a scope, as linking has it: what a field is made of is used by whatever it stands in. */
function userAt({ scopes, symbols }, scope) {
  let symbol = symbols[scopes[scope]?.symbol ?? -1];
  while (symbol && !symbol.isCallable && (symbol.kind === "variable" || symbol.kind === "property")) {
    symbol = symbols[symbol.parent];
  }
  return symbol?.path ?? "";
}

function lastName(expression) {
  if (!expression) return undefined;
  if (expression[0] === "name") return expression[1];
  if (expression[0] === "member") return expression[2];
  if (expression[0] === "type" && expression[1][0] === "name") return expression[1][1].split(/[.:\\]+/).at(-1);
  return undefined;
}
