import { indexTokens } from "../../base/text/text.js";
import type { IndexedText } from "./derived-indexes.js";

/** The columns of `memory_words`, each with its tokens. */
export interface WordColumns {
  content: string;
  name: string;
  tags: string;
  files: string;
}

/** What the word index holds of a memory. */
export function wordColumns(
  text: Pick<IndexedText, "content" | "tags" | "relatedFiles"> & { name?: string | null },
): WordColumns {
  return {
    content: indexTokens(text.content),
    name: indexTokens(text.name ?? ""),
    tags: labelTokens(text.tags),
    files: labelTokens(text.relatedFiles),
  };
}

/** The tokens of each label after the other. */
function labelTokens(labels: string[]): string {
  return labels
    .map(tokensOf)
    .filter((tokens) => tokens !== "")
    .join(" ");
}

// Tags and files come back with every memory.
const maxLabels = 10_000;
const known = new Map<string, string>();

function tokensOf(label: string): string {
  let tokens = known.get(label);
  if (tokens === undefined) {
    if (known.size >= maxLabels) known.clear();
    tokens = indexTokens(label);
    known.set(label, tokens);
  }
  return tokens;
}
