/** A path that names a file or a folder below `/memories`, or why it names none. */
export type CheckedPath = { path: string } | { refusal: string };

/** Everything that the tool knows lies below it. */
export const root = "/memories";

// A path is the name of its memory too, and a name has 256 bytes at most.
const longestBytes = 200;
const deepest = 10;

// A colon only as in a time of day: elsewhere it would look like a drive. A tilde anywhere but where a shell would read it.
const allowed = /^(?!~)(?:[\p{L}\p{M}\p{N} ._+(),@=#&'~-]|(?<=\d):(?=\d))+$/u;
// Letters that nobody sees would make two files of one name.
const invisible = /\p{Default_Ignorable_Code_Point}/u;

/**
 * Checks a path as a model gives it. Nothing is decoded, cleaned or resolved: what is not plainly below `/memories` is refused,
 * so that `..`, `%2e%2e`, backslashes, drives, hosts and their disguises lead nowhere. Only letters that can be written in two
 * ways are brought into one (NFC), and a slash at the end is taken away.
 *
 * @example
 * checkPath("/memories/notes/")              // { path: "/memories/notes" }
 * checkPath("/memories/../etc/passwd")       // { refusal: "…" }
 */
export function checkPath(given: unknown): CheckedPath {
  if (typeof given !== "string") return refuse("A path is needed.");
  if (Buffer.byteLength(given) > longestBytes) return refuse(`A path has at most ${longestBytes} bytes.`);
  const path = given.normalize("NFC").replace(/\/$/, "");
  if (path === root) return { path };
  const [empty, first, ...parts] = path.split("/");
  if (empty !== "" || `/${first}` !== root) return refuse(`Every path begins with ${root}/.`);
  if (parts.length > deepest) return refuse(`A path has at most ${deepest} parts below ${root}.`);
  const problem = parts.map(problemOf).find((one) => one !== undefined);
  return problem === undefined ? { path } : refuse(problem);
}

function problemOf(part: string): string | undefined {
  if (/^\.*$/.test(part)) return "A path has no empty parts, and none of dots alone.";
  if (!allowed.test(part) || invisible.test(part)) {
    return "A path may hold letters, digits, blanks and . _ - + ( ) , @ = # & ' ~ between its slashes, and a colon between digits; no part begins with ~.";
  }
  return /^ |[ .]$/.test(part)
    ? "A part of a path neither begins with a blank nor ends with a blank or a dot."
    : undefined;
}

function refuse(why: string): CheckedPath {
  return {
    refusal: `Error: This path is refused, and nothing was read or changed. ${why} For example: ${root}/notes.md`,
  };
}

/** Whether a path lies below a folder. */
export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}
