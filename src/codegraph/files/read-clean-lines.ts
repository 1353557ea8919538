import { cleanSource } from "./clean-source.js";
import { linesOf } from "./measure-lines.js";
import { readSource } from "./read-source.js";

/** The lines of a file without secrets; undefined where there is nothing to read. */
export async function readCleanLines(root: string, path: string): Promise<string[] | undefined> {
  const source = await readSource(root, path);
  return source && "text" in source ? linesOf(await cleanSource(source.text, path)) : undefined;
}
