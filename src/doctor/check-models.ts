import { MemoryError } from "../base/memory-error.js";
import type { Settings } from "../config/config.js";
import type { Check } from "./check.js";
import { canBeNamed, chooseEmbedder, partsOf, suggestEmbedder } from "../embedding/providers/providers.js";
import type { EmbeddingStatus } from "../embedding/embedding.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import { getEndpoint, type Environment } from "../language-model/endpoint.js";
import type { ProjectContext } from "../project/project.js";

/** How it stands with the vectors and the model that makes them. Asks no model: what it last said is written down. */
export async function checkMeaning(
  { settings }: Pick<ProjectContext, "settings">,
  embedding: Pick<StoreEmbedding, "status">,
  environment: Environment = process.env,
): Promise<Check> {
  const configured = await settings("user");
  const off = findSwitch(configured, environment);
  if (off !== undefined) return ok(`switched off by ${off}; memories are found by words only`);
  const status = await embedding.status();
  const problem = await findProblem(configured, environment, status);
  if (problem) return problem;
  const suggestion = configured.embeddingProvider === null ? await suggestEmbedder(environment) : undefined;
  return { ...ok(describe(status)), ...(suggestion !== undefined && { hint: suggestion }) };
}

/** The language model and the reranker, where one is named: whether everything is there that asking it takes. */
export async function checkModels(
  { settings }: Pick<ProjectContext, "settings">,
  environment: Environment = process.env,
): Promise<Check[]> {
  const configured = await settings("user");
  const checks: Check[] = [];
  if (configured.languageModelProvider !== "none") checks.push(checkLanguageModel(configured, environment));
  if (configured.rerankProvider !== "none") checks.push(checkReranker(configured, environment));
  return checks;
}

function findSwitch({ embeddingProvider }: Settings, environment: Environment): string | undefined {
  if (environment["TACIT_EMBEDDING"] === "none") return "TACIT_EMBEDDING in the environment";
  return embeddingProvider === "none" ? "embeddingProvider" : undefined;
}

/** What is in the way of using the model that was named, or what it could not do when it was last asked. */
async function findProblem(
  settings: Settings,
  environment: Environment,
  status: EmbeddingStatus,
): Promise<Check | undefined> {
  const {
    modelId,
    dimensions,
    failure,
    failedAt,
    hint = "Memories are found by words until it answers; `tacit embed` tries again.",
  } = status;
  const stored = modelId !== undefined && dimensions !== undefined ? { modelId, dimensions } : undefined;
  let named: string | undefined;
  try {
    // Where none is named, a program may have brought its own, and needs no configuration.
    if (settings.embeddingProvider !== null || (stored && canBeNamed(partsOf(stored).provider))) {
      const embedder = await chooseEmbedder(settings, environment, stored);
      named = embedder?.modelId;
      await embedder?.close?.();
    }
  } catch (error) {
    return warnOf("meaning", error);
  }
  if (named !== undefined && modelId !== undefined && named !== modelId) {
    const message = `${named} is configured, and the vectors are of ${modelId}; memories are found by words meanwhile`;
    return { name: "meaning", status: "warning", message, hint: "`tacit embed` makes new ones." };
  }
  if (failure === undefined) return undefined;
  const when = failedAt === undefined ? "" : ` (${failedAt})`;
  return { name: "meaning", status: "warning", message: `${failure}${when}`, hint };
}

function describe({ modelId, embedded, pending, ready }: EmbeddingStatus): string {
  if (embedded + pending === 0) return "no memories to embed yet";
  const waiting = `${pending} ${pending === 1 ? "memory waits for its vector" : "memories wait for their vectors"}`;
  const next = "tacit embed makes them now";
  if (modelId === undefined || !ready) return `${waiting}, and all are found by words until then; ${next}`;
  const count = `${modelId}, ${embedded} ${embedded === 1 ? "vector" : "vectors"}`;
  return pending === 0 ? count : `${count}; ${waiting}; ${next}`;
}

function checkLanguageModel(settings: Settings, environment: Environment): Check {
  const name = "language model";
  const { languageModelProvider: provider, languageModel: model, languageModelCalls: calls } = settings;
  try {
    if (model === null) {
      throw new MemoryError("model-failed", "languageModel is not set.", "tacit config set languageModel …");
    }
    const { host } = getEndpoint("languageModel", settings, environment);
    return { name, status: "ok", message: `${provider}:${model} at ${host}, at most ${calls} calls a session` };
  } catch (error) {
    return warnOf(name, error);
  }
}

function checkReranker(settings: Settings, environment: Environment): Check {
  const name = "reranker";
  const { rerankProvider: provider, rerankModel: model } = settings;
  try {
    if (provider === "ollama" && model === null) {
      throw new MemoryError("model-failed", "rerankModel is not set.", "tacit config set rerankModel …");
    }
    const { host } = getEndpoint("rerank", settings, environment);
    return { name, status: "ok", message: `${model === null ? provider : `${provider}:${model}`} at ${host}` };
  } catch (error) {
    return warnOf(name, error);
  }
}

function ok(message: string): Check {
  return { name: "meaning", status: "ok", message };
}

/** Nothing is lost without a model, so what keeps one from being asked is a warning. */
function warnOf(name: string, error: unknown): Check {
  if (!(error instanceof MemoryError)) throw error;
  return { name, status: "warning", message: error.message, hint: error.hint };
}
