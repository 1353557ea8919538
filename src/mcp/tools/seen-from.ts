import { existsSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";

/**
 * A file as an agent names it. One that is there, seen from where the agent stands, becomes an absolute path, which the
 * library sees from the project's root; any other stays, since a memory may speak of a file that is not there.
 */
export function seenFrom(directory: string, named: string): string {
  if (named === "" || named.includes("\0") || isAbsolute(named)) return named;
  const path = resolve(directory, named);
  return existsSync(path) ? path : named;
}
