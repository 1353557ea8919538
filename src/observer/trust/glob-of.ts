/** What a shell would choose by `docs/*.md`, `src/{a,b}/**` or `[ab].ts`. Takes time in proportion to a path's length. */
export function globOf(glob: string): RegExp {
  let source = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const char = glob.charAt(at);
    if (glob.startsWith("**", at)) {
      while (glob.charAt(at + 1) === "*") at++;
      if (glob.charAt(at + 1) === "/") at++;
      // One of these is enough, and several would multiply the ways to match.
      source += source.includes(".*") ? "" : ".*";
    } else if (char === "*") source += source.endsWith("[^/]*") ? "" : "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "{") {
      depth++;
      source += "(?:";
    } else if (char === "}" && depth > 0) {
      depth--;
      source += ")";
    } else if (char === "," && depth > 0) source += "|";
    else source += char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  }
  try {
    return new RegExp(`^${source}${")".repeat(depth)}$`);
  } catch {
    return /(?!)/;
  }
}
