// Each more multiplies the ways in which a path can match.
const maxStars = 4;

/** Tells what a shell would choose by `docs/*.md`, `src/{a,b}/**` or `[ab].ts`; of an odd one more than that. */
export function globOf(glob: string): RegExp {
  const parts = glob.match(/\*+\/?|\[[^\]]*\]|[^*[]+|\[/g) ?? [];
  if (parts.filter((part) => part.startsWith("*")).length > maxStars) {
    return new RegExp(`^${literal(glob.slice(0, glob.search(/[*?[{]/)))}`);
  }
  let depth = 0;
  const source = parts.map((part) => {
    if (part.startsWith("**")) return ".*";
    if (part.startsWith("*")) return `[^/]*${part.slice(1)}`;
    if (part.startsWith("[") && part.endsWith("]")) return "[^/]";
    return part.replaceAll(/[^\w/ -]/g, (char) => {
      if (char === "?") return "[^/]";
      if (char === "{") return ++depth > 0 ? "(?:" : "";
      if (char === "}" && depth > 0) return --depth >= 0 ? ")" : "";
      return char === "," && depth > 0 ? "|" : literal(char);
    });
  });
  return new RegExp(`^${source.join("")}${")".repeat(depth)}$`, "s");
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
