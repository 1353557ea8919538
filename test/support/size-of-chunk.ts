import type { Chunk } from "../../src/codegraph/chunks/cut-chunks.js";

export function sizeOf({ startLine, endLine }: Chunk, lines: string[]): number {
  return lines
    .slice(startLine - 1, endLine)
    .join("")
    .replaceAll(/\s/g, "").length;
}
