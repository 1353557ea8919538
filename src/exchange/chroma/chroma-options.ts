import type { MemoryRecord, MemoryFilter } from "../../memory/memory.js";
import type { ImportOptions, ImportReport } from "../exchange.js";

/**
 * How a Chroma server is asked. The address is `http://127.0.0.1:8000`, and may name `tenant`, `database` and `collection`
 * as in a query: `http://127.0.0.1:8000?collection=notes`.
 */
export interface ChromaOptions {
  /** Sent as `x-chroma-token`. */
  token?: string;
  /** How long one request is waited for. Default 30,000. */
  timeoutMs?: number;
}

export interface ChromaImportOptions extends ImportOptions, ChromaOptions {}

export interface ChromaImportReport extends ImportReport {
  collection: string;
  /** How many had no text, and hence nothing to remember. */
  leftOut: number;
}

export interface ChromaExportOptions extends MemoryFilter, ChromaOptions {
  /** `reading`: how many have their vectors; `writing`: how many are there. */
  onProgress?: (done: number, phase: "reading" | "writing") => void;
}

export interface ChromaExportReport {
  format: "chroma";
  /** The server, without what a query of its address said. */
  output: string;
  collection: string;
  memories: number;
}

/** The model whose vectors such a collection holds. Readers of it ask with vectors of the same one. */
export const collectionModel = { name: "all-MiniLM-L6-v2", dimensions: 384 };

/** Gives each of these memories a vector of the collection's model, in their order. Throws where there is no such model. */
export type VectorsOf = (memories: MemoryRecord[]) => Promise<number[][]>;
