/** What the front matter of a rule file says that a memory can keep. */
export interface RuleFrontMatter {
  description?: string;
  /** For which files the rules hold: `globs`, `applyTo` or `paths`. */
  globs?: string[];
}

/**
 * Takes the front matter off a rule file. Read line by line and not as YAML, which it often is not: `globs: *.ts,*.tsx`
 * would be a reference to something called `.ts`. Blank lines take its place, so that lines keep their numbers.
 */
export function takeRuleFrontMatter(text: string): { frontMatter: RuleFrontMatter; rest: string } {
  const [whole, inside = ""] = /^---[ \t]*\n([^]*?)^---[ \t]*$/m.exec(text) ?? [];
  if (whole === undefined || !text.startsWith(whole) || !/^[\w-]+:/m.test(inside))
    return { frontMatter: {}, rest: text };
  const values = new Map<string, string[]>();
  let key = "";
  for (const line of inside.split("\n")) {
    const [, next, value = ""] = /^([\w-]+):(.*)$/.exec(line) ?? [];
    if (next !== undefined) key = next;
    const stated = next === undefined ? line.replace(/^\s*-\s*/, "") : value;
    const list = values.get(key) ?? [];
    if (stated.trim() !== "") list.push(stated.trim());
    values.set(key, list);
  }
  const description = unquoted((values.get("description") ?? []).join(" ").replace(/^[>|][+-]? /, ""));
  const globs = ["globs", "applyTo", "paths"]
    .flatMap((name) => values.get(name) ?? [])
    .flatMap((value) =>
      unquoted(value)
        .replace(/^\[|\]$/g, "")
        .split(/,(?![^{]*\})/),
    )
    .map((glob) => unquoted(glob.trim()))
    .filter((glob) => glob !== "");
  return {
    frontMatter: { ...(description !== "" && { description }), ...(globs.length > 0 && { globs }) },
    rest: whole.replace(/[^\n]+/g, "") + text.slice(whole.length),
  };
}

function unquoted(value: string): string {
  return value.replace(/^(["'])(.*)\1$/, "$2");
}
