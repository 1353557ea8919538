import { onTestFinished, vi } from "vitest";
import type { Embedder } from "../../src/embedding/embedding.js";
import type { MemoryInput, OpenOptions, RecallResult, TacitMemory } from "../../src/index.js";
import type { FakeEmbedder } from "./fake-embedder.js";
import { openTestMemory } from "./open-memories.js";

/** A memory of the running test's own that holds these, each with its vector of this model. */
export async function openWithMeaning(
  embedder: Embedder,
  inputs: MemoryInput[] = [],
  options: OpenOptions = {},
): Promise<TacitMemory> {
  allowModels();
  const memory = await openTestMemory({ embedder, ...options });
  await memory.rememberMany(inputs);
  await memory.embedPending();
  return memory;
}

/** Until the running test ends, the model that is configured or brought is asked. */
export function allowModels(): void {
  vi.stubEnv("TACIT_EMBEDDING", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
}

/** The fake model, to which each of these words means the other. */
export function withSynonyms(embedder: FakeEmbedder, synonyms: Record<string, string>): Embedder {
  const inOneWord = (text: string) =>
    text.replaceAll(/\p{L}+/gu, (word) => synonyms[word.toLowerCase()] ?? word.toLowerCase());
  return { ...embedder, embed: (texts, ...rest) => embedder.embed(texts.map(inOneWord), ...rest) };
}

/** What the memories say, in the order of the results. */
export function contentsOf(results: readonly RecallResult[]): string[] {
  return results.map(({ memory }) => memory.content);
}
