import { MemoryError } from "../../base/memory-error.js";
import { cutQuery, queryWords } from "../../base/text/text.js";
import type { QueryExplanation } from "../retrieval.js";

/** Which words of a question are looked for, and why it may find nothing. */
export function explainQuery(query: string): QueryExplanation {
  checkQuery(query);
  const cut = cutQuery(query).text;
  const { words, ignored } = queryWords(cut);
  return {
    words: words.map(({ text }) => text),
    ignored,
    ...(words.length === 0 && {
      note: `There is no searchable word in ${JSON.stringify(cut)}${ignored.length > 0 ? ": words such as “" + ignored.slice(0, 3).join("”, “") + "” are in every text" : ""}. Ask with a word that the memory would contain.`,
    }),
  };
}

export function checkQuery(query: unknown): void {
  if (typeof query === "string") return;
  throw new MemoryError("invalid-input", "The question must be a text.", 'recall("how do we deploy?")');
}
