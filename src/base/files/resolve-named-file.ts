import { existsSync } from "node:fs";
import { resolve, sep } from "node:path";

/**
 * A file as a person or an agent names it, as the memory takes it. One that is there, seen from where they stand, becomes
 * an absolute path, and so does one that begins with `./` or `../`; the library makes it relative to the project's root.
 * Any other text is passed on as it is, seen from the root, because a memory may speak of a file that is not there.
 */
export function resolveNamedFile(named: string, directory: string = process.cwd()): string {
  if (named === "" || named.includes("\0")) return named;
  const path = resolve(directory, named);
  return beginsHere(named) || existsSync(path) ? path : named;
}

/**
 * A file, or one with what it defines, of which only the file is resolved.
 *
 * @example
 * resolveNamedCode("./store.ts#Store.read", "/app/src") // "/app/src/store.ts#Store.read"
 */
export function resolveNamedCode(named: string, directory: string = process.cwd()): string {
  const whole = resolveNamedFile(named, directory);
  const mark = named.indexOf("#");
  // A file may have a "#" in its own name.
  if (whole !== named || mark <= 0) return whole;
  return resolveNamedFile(named.slice(0, mark), directory) + named.slice(mark);
}

function beginsHere(named: string): boolean {
  return ["./", "../", `.${sep}`, `..${sep}`].some((start) => named.startsWith(start));
}
