import type { Extraction } from "../../facts/facts.js";
import { extract } from "./extract.js";
import { loadOxc } from "./parse-with-oxc.js";
import { loadTreeSitter } from "./parse-with-tree-sitter.js";

/**
 * Opens what reads TypeScript and JavaScript: oxc where it is installed and gets through a file, else tree-sitter. A file
 * that does not parse gives what does, with the line of the first error. Never throws because of what a file says.
 */
export async function openTypeScript(
  options: { parser?: "oxc" | "tree-sitter" } = {},
): Promise<(path: string, source: string) => Extraction> {
  const [oxc, treeSitter] = await Promise.all([
    options.parser === "tree-sitter" ? undefined : loadOxc(),
    loadTreeSitter(),
  ]);
  return (path, source) => {
    const text = source.startsWith("\ufeff") ? source.slice(1) : source;
    return extract(oxc?.(path, text) ?? treeSitter(path, text), text);
  };
}
