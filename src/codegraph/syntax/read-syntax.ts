import type { SyntaxNode } from "./syntax-tree.js";

export function textOf({ source }: { source: string }, node: SyntaxNode): string {
  return source.slice(node.start, node.end);
}

/** The child that has this part in its parent: `name`, `body`. */
export function part(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

/** Where the lines of a text begin. */
export interface Lines {
  lineStarts: number[];
}

/** The line of a place in the text, from 1. */
export function lineAt({ lineStarts }: Lines, place: number): number {
  let [low, high] = [0, lineStarts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= place) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}

/** The last line of a node that holds more than white space, from 1. */
export function lastLineOf(reading: Lines & { source: string }, node: SyntaxNode): number {
  let end = node.end;
  while (end > node.start && /\s/.test(reading.source[end - 1] ?? "")) end -= 1;
  return lineAt(reading, Math.max(node.start, end - 1));
}

/** Where each line begins, for `lineAt`. */
export function listLineStarts(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
