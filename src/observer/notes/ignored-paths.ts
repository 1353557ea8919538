import { relatedPath, type PathBase } from "../tools/related-path.js";

// What may be a path in a text of people: it has a slash, an ending, or a sign around it that says so. Turns may be of any length
// and hold anything, so each character is looked at a limited number of times: the first form begins only where such a run of
// characters does, the second is no longer than a name can be.
const candidate =
  /(?<![\w/.\\~+@%-])@?~?[\w.+@%~-]*[\\/][\w.+@%~\\/*?[\]-]*|(?<![\w/.\\~-])@?[\w+-]{0,255}\.[A-Za-z][\w.-]*/g;
const quoted = /`([^`\n]{1,300})`|"([^"\n]{1,300})"|'([^'\n]{1,300})'/g;
const longestText = 20_000;
const maxPaths = 300;

/** The paths that a text of people names, from the root where they lie in it. */
export function pathsIn(text: string, place: PathBase): string[] {
  const near = text.slice(0, longestText);
  const found = new Set<string>();
  const add = (given: string) => {
    const path = pathOf(given, place);
    if (path !== undefined && found.size < maxPaths) found.add(path);
  };
  for (const [given] of near.matchAll(candidate)) add(given);
  for (const [, ...inner] of near.matchAll(quoted)) {
    const given = inner.find((one) => one !== undefined) ?? "";
    if (!/\s/.test(given)) add(given);
  }
  return [...found];
}

/** The text with a word in the place of every path that is ignored. */
export function withoutPaths(text: string, place: PathBase, isIgnored: (path: string) => boolean): string {
  const replace = (given: string): string => {
    const path = pathOf(given, place);
    return path !== undefined && isIgnored(path) ? "[ignored]" : given;
  };
  const bare = text.replace(candidate, replace);
  return bare.replace(quoted, (whole: string) => {
    const inner = whole.slice(1, -1);
    return /\s/.test(inner) || inner === "[ignored]" ? whole : whole[0] + replace(inner) + whole[0];
  });
}

// What is longer names no file; PATH_MAX of Linux.
const longestPath = 4096;

/** `@src/a.ts:12:3,` is `src/a.ts`. */
function pathOf(given: string, place: PathBase): string | undefined {
  if (given.length > longestPath) return undefined;
  const bare = withoutMarks(given.replace(/^@/, "")).replace(/(?::\d{1,9}){1,2}$/, "");
  if (bare === "" || bare === "/" || /^https?:/i.test(bare)) return undefined;
  const path = relatedPath(bare, place);
  return path === "." ? undefined : path;
}

/** Without what closes a sentence or a bracket. From the end: an expression would begin anew at each mark. */
function withoutMarks(text: string): string {
  let end = text.length;
  while (end > 0 && ".,;:!?)]".includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
