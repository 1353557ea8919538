import type { Block } from "../formats/markdown-blocks.js";
import { markdownLines } from "../formats/markdown-lines.js";

const item = String.raw`^\s*(?:(?:[-*+]|\d+[.)])\s+)?`;
const clutter: readonly RegExp[] = [
  // An import: @docs/architecture.md
  new RegExp(String.raw`${item}@[\w~.-]*[./][\w~./-]*\s*$`),
  // Badges, and other pictures that stand alone.
  new RegExp(String.raw`${item}(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?\s*)+$`),
  // An entry of a table of contents.
  new RegExp(String.raw`${item}\[[^\]]*\]\(#[^)]*\)\s*$`),
  // A tag alone.
  /^\s*<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>\s*$/i,
];

/** The text of a block without what says nothing by itself, and without the box of a task. Code stays as it is. */
export function withoutClutter({ kind, text }: Block): string {
  if (kind === "code") return text;
  return markdownLines(text)
    .filter((line) => line.code !== undefined || !clutter.some((pattern) => pattern.test(line.text)))
    .map((line) => line.text)
    .join("\n")
    .replace(/^\[[ xX]\]\s+/, "")
    .trim();
}
