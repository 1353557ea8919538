/**
 * embedding: the meaning of memories and questions as vectors: the models that make them, and when.
 *
 * It owns the port, its providers, the vectors of the memories, their search, and the work in the background that
 * keeps them up to date. A memory is kept whether or not a model answers. It refuses to decide what is relevant.
 */

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

/** How it stands with the vectors of a store. */
export interface EmbeddingStatus {
  /** The model whose vectors count; absent before the first memory is embedded. */
  modelId?: string;
  dimensions?: number;
  /** True when meanings are compared: every memory has had a vector of this model. */
  ready: boolean;
  /** How many memories have a vector of it, and how many wait for one; forgotten ones aside. */
  embedded: number;
  pending: number;
  /** What the model could not do when it was last asked. */
  failure?: string;
  /** The next step, where this process knows one. */
  hint?: string;
  failedAt?: string;
}
