import { fetchDirectly, type Environment } from "../../language-model/endpoint.js";

export interface SuggestOptions {
  /** Where Ollama would be. */
  ollamaUrl?: string;
  timeoutMs?: number;
}

/**
 * One sentence about a better embedding model that this machine could use, if there is one: a local Ollama that has
 * one, or a key for OpenAI. Only suggests. Asks loopback for a list, once and briefly, and sends nothing else anywhere.
 */
export async function suggestEmbedder(
  environment: Environment,
  { ollamaUrl = "http://127.0.0.1:11434", timeoutMs = 300 }: SuggestOptions = {},
): Promise<string | undefined> {
  const names = await listOllamaModels(ollamaUrl, timeoutMs);
  const qwen = names.find((name) => name.startsWith("qwen3-embedding"));
  if (qwen !== undefined) {
    return `Ollama runs here and has ${qwen}; to use it: tacit config set embeddingModel ${qwen}, then tacit config set embeddingProvider ollama`;
  }
  const other = names.find((name) => /embed|minilm|bge-/.test(name));
  if (other !== undefined) {
    return `Ollama runs here and has ${other}; to use it, set embeddingModel to ${other}, embeddingDimensions to its size, and embeddingProvider to ollama with tacit config set`;
  }
  if (environment["OPENAI_API_KEY"]) {
    return "OPENAI_API_KEY is set; to let OpenAI embed your memories, which are sent there: tacit config set embeddingProvider openai";
  }
  return undefined;
}

/** As a model's name may be set; what else a server says is not repeated. */
const modelName = /^[\w./:@+-]{1,200}$/;

async function listOllamaModels(url: string, timeoutMs: number): Promise<string[]> {
  try {
    const response = await fetchDirectly(`${url}/api/tags`, { signal: AbortSignal.timeout(timeoutMs) });
    const { models } = (await response.json()) as { models: { name: string }[] };
    return models.map(({ name }) => name).filter((name) => typeof name === "string" && modelName.test(name));
  } catch {
    // Nobody there, or somebody else.
    return [];
  }
}
