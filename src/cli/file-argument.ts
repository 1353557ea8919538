import { existsSync } from "node:fs";
import { resolve } from "node:path";

/**
 * A file as it was typed. One that is there, seen from the working directory, becomes an absolute path, which the
 * library makes relative to the project's root; any other text is passed on as it is, because a memory may speak
 * of a file that is not there.
 */
export function fileArgument(typed: string, directory: string = process.cwd()): string {
  const path = resolve(directory, typed);
  return typed !== "" && !typed.includes("\0") && existsSync(path) ? path : typed;
}
