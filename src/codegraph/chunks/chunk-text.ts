import { hash } from "node:crypto";
import type { ChunkType } from "./cut-chunks.js";

/** A chunk as the store knows it. */
export interface StoredChunk {
  type: ChunkType;
  /** With the names of what it is in: `Store.read`. */
  name: string;
  startLine: number;
  endLine: number;
}

/**
 * The text that is embedded for a chunk: where it stands and what it is, then its lines. They are those of the cleaned file.
 *
 * @example chunkText("src/store.ts", chunk, lines) // "function Store.read in src/store.ts:\n  async read() {…"
 */
export function chunkText(path: string, chunk: StoredChunk, lines: readonly string[]): string {
  return withHead(path, chunk, contentOf(chunk, lines));
}

export function contentOf({ startLine, endLine }: StoredChunk, lines: readonly string[]): string {
  return lines.slice(startLine - 1, endLine).join("\n");
}

/** What `chunkText` gives, for somebody who has the content. */
export function withHead(path: string, { type, name }: StoredChunk, content: string): string {
  const what = name === "" ? type : `${type} ${name}`;
  return `${what} in ${path}:\n${content}`;
}

/** Tells whether a chunk is still the one that was indexed. Nothing of the text can be read back. */
export function hashOf(text: string): string {
  return hash("sha256", text, "base64url").slice(0, 22);
}
