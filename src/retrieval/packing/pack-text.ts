import type { CountTokens } from "../../base/tokens/tokens.js";
import { shortId } from "../../base/ids/ids.js";
import { disarm, disarmLine } from "../../hygiene/quote-data.js";
import { memoryType } from "../../memory/type-registry/type-registry.js";
import type { Memory } from "../../memory/memory.js";
import type { Fold } from "./pack-fold.js";

/** A memory as it is told, with those that are folded into it. */
export interface PackBlock {
  fold: Fold;
  text: string;
  tokens: number;
  /** What it stands under: the first file that it is about. Empty where no memory is about a file. */
  heading: string;
  headingTokens: number;
}

// More are told by their number: an id takes ten tokens and says nothing by itself.
const maxIdsTold = 5;
const longestPath = 200;

/**
 * The blocks of these memories. Every block and heading begins with a mark and ends with a line feed, and no token lies
 * across that, so that their tokens add up to those of the whole text.
 */
export function renderBlocks(folds: readonly Fold[], countTokens: CountTokens): PackBlock[] {
  const anyFile = folds.some(({ memory }) => memory.relatedFiles.length > 0);
  return folds.map((fold) => {
    const text = render(fold, contentOf(fold.memory));
    const heading = anyFile ? headingOf(fold.memory) : "";
    return { fold, text, tokens: countTokens(text), heading, headingTokens: countTokens(heading) };
  });
}

function headingOf({ relatedFiles: [file] }: Memory): string {
  const path = file === undefined ? "In general" : disarmLine(file);
  const short = path.length > longestPath ? `…${Array.from(path).slice(-longestPath).join("")}` : path;
  return `### ${short}\n`;
}

function contentOf({ content }: Memory): string {
  return disarm(content.trim());
}

function render({ memory, similar }: Fold, content: string): string {
  const { type, status, trustFlags, userVerified, citationText, id, drift = [] } = memory;
  const doubt = drift.find(({ outcome }) => outcome === "doubt") ?? drift[0];
  const remarks = [
    ...(status === "active" ? [] : [status]),
    ...(trustFlags.includes("tainted") && !userVerified ? ["tainted: comes from outside, nobody checked it"] : []),
    ...(trustFlags.includes("unverified") && !userVerified ? ["unverified"] : []),
    ...(doubt ? [`${doubt.outcome === "doubt" ? "in doubt" : "moved"}: ${disarmLine(doubt.reason)}`] : []),
  ];
  const lines = [
    `${memoryType(type).label}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}: ${content}`,
    ...(similar.length > 0 ? [`and ${similar.length} similar: ${idsOf(similar)}`] : []),
    `[Memory #${shortId(id)}: ${disarmLine(citationText)}]`,
  ];
  // Indented, so that no line of a content can pass for a heading or a memory of its own.
  const [first, ...rest] = lines.join(content.includes("\n") || similar.length > 0 ? "\n" : " ").split("\n");
  return `${[`- ${first}`, ...rest.map((line) => (line === "" ? "" : `  ${line}`))].join("\n")}\n`;
}

function idsOf(memories: readonly Memory[]): string {
  const told = memories.slice(0, maxIdsTold).map(({ id }) => `#${shortId(id)}`);
  return `${told.join(", ")}${memories.length > maxIdsTold ? ", …" : ""}`;
}

// Where a text may be cut: after a sentence or a line, else after a word, else after a character with its accents. Not by
// Intl.Segmenter: it keeps a copy of the whole text for each segment, and took 3 GB for 64 KiB (Node 20).
const ends = [/[.!?…]+["'”’)\]]*(?=\s)|[。！？]+|.(?=\n)/gu, /\S(?=\s)/gu, /\P{M}\p{M}*/gu];

/**
 * The block with as much of its content as these tokens hold, up to the end of a sentence, or of a word where the first
 * sentence is too long. Undefined when not one character fits.
 */
export function cutBlock(block: PackBlock, maxTokens: number, countTokens: CountTokens): PackBlock | undefined {
  const { memory } = block.fold;
  const content = contentOf(memory);
  for (const end of ends) {
    const cuts = Array.from(content.matchAll(end), ({ index, 0: { length } }) => index + length);
    const cut = findLast(cuts, (at) => {
      const beginning = content.slice(0, at).trimEnd();
      const text = render(block.fold, `${beginning} … (cut; the whole text is memory #${shortId(memory.id)})`);
      const tokens = countTokens(text);
      return tokens <= maxTokens ? { ...block, text, tokens } : undefined;
    });
    if (cut) return cut;
  }
  return undefined;
}

/** What `make` makes of the last item for which it makes something; it must do so for all items before that one. */
function findLast<R>(items: readonly number[], make: (item: number) => R | undefined): R | undefined {
  let found: R | undefined;
  let [from, to] = [0, items.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const made = make(items[middle] ?? 0);
    if (made === undefined) {
      to = middle;
    } else {
      found = made;
      from = middle + 1;
    }
  }
  return found;
}

/** The blocks, best first, in the order for reading: those under the same heading stand together. */
export function layOut(blocks: readonly PackBlock[]): { text: string; blocks: PackBlock[] } {
  const groups = new Map<string, PackBlock[]>();
  for (const block of blocks) groups.set(block.heading, [...(groups.get(block.heading) ?? []), block]);
  return {
    text: [...groups].map(([heading, group]) => `${heading}${group.map(({ text }) => text).join("")}`).join(""),
    blocks: [...groups.values()].flat(),
  };
}
