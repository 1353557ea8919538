import { createHash } from "node:crypto";
import type { SyntaxNode } from "./syntax-tree.js";

// What is shorter is the same by chance: `return self._name`.
const shortest = 40;

/** Tells the same text under another name: a hash of it without its name, however it is indented. */
export function fingerprintOf({ source }: { source: string }, whole: SyntaxNode, name: SyntaxNode): string | undefined {
  const text = `${source.slice(whole.start, name.start)}${source.slice(name.end, whole.end)}`
    .replaceAll(/\s+/g, " ")
    .trim();
  return text.length < shortest ? undefined : createHash("sha1").update(text).digest("hex").slice(0, 16);
}
