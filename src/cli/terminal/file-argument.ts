import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";

/**
 * A file as it was typed. One that is there, seen from the working directory, becomes an absolute path, and so does
 * one that begins with `./` or `../`; the library makes it relative to the project's root. Any other text is passed
 * on as it is, seen from the root, because a memory may speak of a file that is not there.
 */
export function fileArgument(typed: string, directory: string = process.cwd()): string {
  if (typed === "" || typed.includes("\0")) return typed;
  const path = resolve(directory, typed);
  return beginsHere(typed) || existsSync(path) ? path : typed;
}

function beginsHere(typed: string): boolean {
  return ["./", "../", `.${sep}`, `..${sep}`].some((start) => typed.startsWith(start));
}
