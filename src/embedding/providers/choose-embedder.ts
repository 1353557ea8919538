import { MemoryError } from "../../base/memory-error.js";
import type { Settings } from "../../config/config.js";
import { getEndpoint, type Environment } from "../../language-model/endpoint.js";
import { checkedEmbedder } from "./checked-embedder.js";
import type { Embedder } from "../embedding.js";
import { findKnownModel } from "./known-models.js";

/** The model whose vectors a store holds. */
export interface StoredModel {
  modelId: string;
  dimensions: number;
}

/**
 * The embedder that the user's settings name; undefined for `none`. Where they name none, it is the bundled one. What
 * they leave open (the model, its dimensions) stays as the store has it, so that nothing changes by itself: how much
 * memory is free decides about Ollama's model only the first time. Sends nothing. Throws `model-failed` where a setting
 * or a key is missing, and where the store's vectors are of a model that nobody has configured here.
 */
export async function chooseEmbedder(
  settings: Settings,
  environment: Environment,
  stored?: StoredModel,
  { freeBytes = process.availableMemory() }: { freeBytes?: number } = {},
): Promise<Embedder | undefined> {
  const { embeddingProvider: provider } = settings;
  if (provider === "none") return undefined;
  if (provider === null || provider === "bundled") {
    if (provider === null && stored) refuseUnnamed(stored);
    const { openBundledEmbedder } = await import("../bundled/open-bundled-embedder.js");
    return checkedEmbedder(await openBundledEmbedder(runtimeIn(environment)));
  }
  const before = stored && partsOf(stored);
  const kept = before?.provider === provider ? before.model : undefined;
  const model = settings.embeddingModel ?? kept ?? usualModel(provider, freeBytes);
  const keptDimensions = kept === model ? stored?.dimensions : undefined;
  const dimensions = settings.embeddingDimensions ?? keptDimensions ?? usualDimensions(model);
  const endpoint = getEndpoint("embedding", settings, environment);
  const { openHttpEmbedder } = await import("./http-embedder.js");
  return openHttpEmbedder({ provider, model, dimensions, endpoint });
}

/** `TACIT_ONNX` chooses the runtime of the bundled model, for comparing the two; else it is the faster one there is. */
function runtimeIn(environment: Environment): { runtime?: "node" | "web" } {
  const chosen = environment["TACIT_ONNX"];
  return chosen === "node" || chosen === "web" ? { runtime: chosen } : {};
}

function refuseUnnamed(stored: StoredModel): void {
  const { provider } = partsOf(stored);
  if (provider === "bundled") return;
  // A program may have brought its own, under any id.
  const use = canBeNamed(provider) ? `To use them: tacit config set embeddingProvider ${provider}. ` : "";
  throw new MemoryError(
    "model-failed",
    `The vectors of this store were made by ${stored.modelId}, which your configuration does not name.`,
    `${use}To make new ones here: tacit config set embeddingProvider bundled`,
  );
}

/** True for a provider that a configuration can name. */
export function canBeNamed(provider: string): boolean {
  return ["ollama", "openai", "openai-compatible"].includes(provider);
}

/** Provider and model of an id such as `ollama:qwen3-embedding:4b:1024`; a model may have colons of its own. */
export function partsOf({ modelId }: Pick<StoredModel, "modelId">): { provider: string; model: string } {
  const [, provider = modelId, model = ""] = /^([^:]*):(.*):\d+$/.exec(modelId) ?? [];
  return { provider, model };
}

const gibibyte = 2 ** 30;

function usualModel(provider: "ollama" | "openai" | "openai-compatible", freeBytes: number): string {
  if (provider === "openai") return "text-embedding-3-small";
  if (provider === "openai-compatible") {
    throw new MemoryError(
      "model-failed",
      "embeddingModel is not set, and openai-compatible has no usual one.",
      "tacit config set embeddingModel …",
    );
  }
  if (freeBytes > 32 * gibibyte) return "qwen3-embedding:8b";
  return freeBytes >= 8 * gibibyte ? "qwen3-embedding:4b" : "qwen3-embedding:0.6b";
}

function usualDimensions(model: string): number {
  const known = findKnownModel(model);
  if (known) return known.dimensions;
  throw new MemoryError(
    "model-failed",
    `embeddingDimensions is not set, and how many dimensions ${model} has is not known.`,
    "tacit config set embeddingDimensions …",
  );
}
