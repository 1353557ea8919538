const mostFiles = 50;

/** Adds the files that a text names to how often each was named; not addresses. */
export function countPaths(text: string, counts: Map<string, number>): void {
  for (const [found] of text.matchAll(aPath)) {
    const name = found.replace(/^\.\//, "");
    if (!name.includes("//") && !notFiles.test(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

/** The ones that were named most often first, then in the order in which they were. A name alone counts for its path. */
export function mostNamed(counts: ReadonlyMap<string, number>): string[] {
  const paths = new Map([...counts].filter(([name]) => name.includes("/")));
  const byName = new Map([...paths.keys()].toReversed().map((path) => [path.replace(/^.*\//, ""), path]));
  for (const [name, count] of counts) {
    if (name.includes("/")) continue;
    const whole = byName.get(name) ?? name;
    paths.set(whole, (paths.get(whole) ?? 0) + count);
  }
  return [...paths]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, mostFiles)
    .map(([name]) => name);
}

const endings =
  "[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|h|cc|cpp|hpp|swift|scala|json|jsonc|jsonl|ya?ml|toml|ini|cfg|conf|env|lock|sql|md|mdx|txt|sh|bash|ps1|html?|s?css|less|vue|svelte|xml|csv|tf|proto|gradle|ipynb";
// Folders before it are bounded, so that a long row of names cannot take long.
const aPath = new RegExp(
  String.raw`(?<![\w/.@:-])(?:~?\/|\.{1,2}\/)?(?:[\w.@-]{1,80}\/){0,12}[\w.@-]{0,80}[\w-]\.(?:${endings})(?![\w/-]|\.\w)|(?<![\w/.@:-])(?:[\w.@-]{1,80}\/){0,12}(?:Dockerfile|Makefile)\b`,
  "g",
);
const notFiles =
  /^(?:node|next|vue|express|three|d3|react|socket|chart|moment|discord)\.js$|^\d[\d.]*\.\w$|^(?:e\.g|i\.e)/i;
