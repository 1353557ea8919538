/** Turns texts into vectors. Every provider is wrapped by `checkedEmbedder`, so that a lie is an error. */
export interface Embedder {
  /** Provider, model and dimensions, such as `bundled:all-MiniLM-L6-v2:384`. Vectors of two models are never compared. */
  readonly modelId: string;
  readonly dimensions: number;
  /** How many of the first dimensions make a smaller vector of their own (Matryoshka); absent: none. */
  readonly candidateDimensions?: number;
  /** One vector of length 1 for each text, in order. Throws `MemoryError` with the code `model-failed`. */
  embed(texts: string[], kind: EmbeddingKind, options?: { signal?: AbortSignal }): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

/** Some models want to know what a text is for. */
export type EmbeddingKind = "query" | "document";
