/** What is known of an embedding model by its name. */
export interface KnownModel {
  /** Its vectors can be cut: the first dimensions are a smaller vector of their own (Matryoshka). */
  isMatryoshka: boolean;
  /** How many dimensions are asked for, where nobody has said. */
  dimensions: number;
  /** Longer texts are refused by its server, so they are cut before. */
  longestTokens?: number;
  /** A question as the model wants it; documents go as they are. */
  asQuery?: (question: string) => string;
}

/** Undefined for a model that is not known: whoever names it says how many dimensions it has. */
export function findKnownModel(name: string): KnownModel | undefined {
  return knownModels.find(({ pattern }) => pattern.test(name))?.known;
}

/** So many of the first dimensions find the candidates, where the model allows it. */
export const candidateDimensions = 256;

// By family, because servers name them differently: qwen3-embedding:4b, Qwen/Qwen3-Embedding-4B.
const knownModels: { pattern: RegExp; known: KnownModel }[] = [
  {
    pattern: /qwen3-embedding/i,
    known: {
      isMatryoshka: true,
      dimensions: 1024,
      // The form it was trained with; the task is for the one who asks to word, in English.
      asQuery: (question) =>
        `Instruct: Given a question about a software project, retrieve the notes that answer it\nQuery:${question}`,
    },
  },
  {
    pattern: /text-embedding-3-/,
    // 8191 are allowed; cutToTokens counts in pieces, and may be a few off.
    known: { isMatryoshka: true, dimensions: 1024, longestTokens: 8000 },
  },
];
