import { indexTokens } from "../../base/text/text.js";
import type { OutlinePart } from "../facts/facts.js";
import { contentOf, hashOf, withHead, type StoredChunk } from "./chunk-text.js";
import { cleanSource } from "../files/clean-source.js";
import { cutChunks } from "./cut-chunks.js";
import { linesOf } from "../files/measure-lines.js";

/** A chunk on its way into the store. */
export interface ChunkRow extends StoredChunk {
  /** Of the text that is embedded for it. */
  textHash: string;
  /** What the word index holds for it. */
  words: [content: string, name: string, path: string];
}

/** The chunks of a file, ready to be kept: nothing of a secret is in them. Without an outline it is taken for prose. */
export async function chunksOf(
  path: string,
  source: string,
  outline?: readonly OutlinePart[],
  /** The source without secrets, where somebody has it already. */
  clean?: string,
): Promise<ChunkRow[]> {
  const cleaned = clean ?? (await cleanSource(source, path));
  const lines = linesOf(cleaned);
  const pathWords = wordsOf(path);
  const rows: ChunkRow[] = [];
  for (const { type, name, context, startLine, endLine } of cutChunks(cleaned, outline, path)) {
    const whole = [...context, name].filter((one) => one !== "").join(".");
    // The outline is of the file as it is, and a quoted name may hold anything.
    const kept = { type, name: cleaned === source ? whole : await cleanSource(whole, path), startLine, endLine };
    const content = contentOf(kept, lines);
    rows.push({
      ...kept,
      textHash: hashOf(withHead(path, kept, content)),
      words: [indexTokens(content), indexTokens(kept.name), pathWords],
    });
  }
  return rows;
}

/** With and without what a file's name ends in, because people leave it out; each once, because a path is no text. */
function wordsOf(path: string): string {
  const tokens = indexTokens(`${path.replace(/\.\w+$/, "")} ${path.slice(path.lastIndexOf("/") + 1)}`);
  return [...new Set(tokens.split(" "))].join(" ");
}
