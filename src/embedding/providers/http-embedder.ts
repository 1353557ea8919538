import type { EmbeddingModel } from "ai";
import { fetchDirectly, openAiBase, type Endpoint } from "../../language-model/endpoint.js";
import { loadSdk } from "../../language-model/load-sdk.js";
import { outgoingText, readableText } from "../../language-model/outgoing-text.js";
import { checkedEmbedder } from "./checked-embedder.js";
import type { Embedder, EmbeddingKind } from "../embedding.js";
import { cutToTokens } from "./cut-to-tokens.js";
import { candidateDimensions, findKnownModel, type KnownModel } from "./known-models.js";

export interface HttpEmbedderOptions {
  provider: "ollama" | "openai" | "openai-compatible";
  model: string;
  dimensions: number;
  endpoint: Endpoint;
  /** How often a call for documents is repeated, waiting longer each time. A question is asked once: somebody waits. */
  retries?: number;
  timeoutsMs?: Record<EmbeddingKind, number>;
}

// A question falls back to words. Documents can wait, also for a local model of many gigabytes to be loaded.
const patienceMs = { query: 5000, document: 60_000 };

/**
 * An embedder behind an endpoint that speaks OpenAI's protocol, checked. Nothing is sent until it is used. Questions
 * leave without secrets; documents are memories, and clean already.
 */
export function openHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { provider, model, dimensions, endpoint, retries = 2, timeoutsMs = patienceMs } = options;
  const known = findKnownModel(model);
  const embedder: Embedder = {
    modelId: `${provider}:${model}:${dimensions}`,
    dimensions,
    ...(known?.isMatryoshka && dimensions > candidateDimensions && { candidateDimensions }),
    embed: async (texts, kind, { signal } = {}) => {
      const { embedMany } = await loadSdk();
      const { embeddings, responses = [] } = await embedMany({
        model: await loadModel(options),
        values: await Promise.all(texts.map((text) => prepare(text, kind, known))),
        maxRetries: kind === "query" ? 0 : retries,
        maxParallelCalls: 1,
        ...(signal && { abortSignal: signal }),
        // A server refuses the wish for fewer dimensions where the model does not leave the choice.
        ...(known?.isMatryoshka && { providerOptions: { openai: { dimensions }, openaiCompatible: { dimensions } } }),
      });
      return inOrder(embeddings, responses).map((vector) =>
        // Some servers do not heed the wish.
        Float32Array.from(known?.isMatryoshka ? vector.slice(0, dimensions) : vector),
      );
    },
  };
  return checkedEmbedder(embedder, {
    who: `${model} at ${endpoint.host}`,
    timeoutsMs,
    ...(endpoint.key !== undefined && { key: endpoint.key }),
  });
}

async function loadModel({ provider, model, endpoint: { url, key } }: HttpEmbedderOptions): Promise<EmbeddingModel> {
  const apiKey = key === undefined ? {} : { apiKey: key };
  if (provider === "openai") {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL: url, fetch: fetchDirectly, ...apiKey }).embedding(model);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const baseURL = provider === "ollama" ? openAiBase(url) : url;
  return createOpenAICompatible({ name: "tacit", baseURL, fetch: fetchDirectly, ...apiKey }).embeddingModel(model);
}

async function prepare(text: string, kind: EmbeddingKind, known: KnownModel | undefined): Promise<string> {
  const clean = kind === "query" ? await outgoingText(text) : readableText(text);
  // An empty text is refused, and would take its whole batch with it.
  const short = (known?.longestTokens === undefined ? clean : await cutToTokens(clean, known.longestTokens)) || " ";
  return kind === "query" && known?.asQuery ? known.asQuery(short) : short;
}

/** The vectors in the order of their texts: a server may answer in another, and the SDK does not look. */
function inOrder(vectors: number[][], responses: ({ body?: unknown } | undefined)[]): number[][] {
  let from = 0;
  const ordered = responses.flatMap((response) => {
    const { data = [] } = (response?.body ?? {}) as { data?: { index?: number }[] };
    const part = vectors.slice(from, from + data.length);
    from += data.length;
    return data
      .map(({ index }, place) => ({ index: index ?? place, vector: part[place] ?? [] }))
      .toSorted((a, b) => a.index - b.index)
      .map(({ vector }) => vector);
  });
  return ordered.length === vectors.length ? ordered : vectors;
}
