import { markdownLines } from "../formats/markdown-lines.js";

/** Twice the length of a long rule; longer texts are recalled for the wrong reasons, and crowd others out. */
const longestBytes = 8 * 1024;

/** A text of more than 8 KiB in parts, cut between paragraphs. Code and a single longer paragraph stay whole. */
export function splitLong(text: string): string[] {
  if (Buffer.byteLength(text) <= longestBytes) return [text];
  const parts: string[] = [];
  let part = "";
  for (const paragraph of listParagraphs(text)) {
    const joined = part === "" ? paragraph : `${part}\n\n${paragraph}`;
    if (part !== "" && Buffer.byteLength(joined) > longestBytes) {
      parts.push(part);
      part = paragraph;
    } else {
      part = joined;
    }
  }
  return [...parts, part];
}

function listParagraphs(text: string): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of markdownLines(text)) {
    if (line.code === undefined && line.text.trim() === "") paragraphs.push([]);
    else paragraphs.at(-1)?.push(line.text);
  }
  return paragraphs.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
}
