import type { LanguageModel as SdkModel } from "ai";
import { loadTokenCounter } from "../base/tokens/tokens.js";
import { MemoryError } from "../base/memory-error.js";
import type { Settings } from "../config/config.js";
import { askModel } from "./ask-model.js";
import { fetchDirectly, getEndpoint, openAiBase, type Endpoint, type Environment } from "./endpoint.js";
import type { GenerateRequest, LanguageModel } from "./language-model.js";
import { loadSdk } from "./load-sdk.js";
import type { ModelLedger } from "./model-ledger.js";

/**
 * The language model that the settings name; undefined where they name none, which is the default. One that cannot be
 * asked (no key, no address) is opened all the same, gives no answers, and says why in `lastProblem`. Each one opened
 * may be asked `languageModelCalls` times.
 */
export async function openLanguageModel(
  settings: Settings,
  environment: Environment,
  ledger: Pick<ModelLedger, "count">,
): Promise<LanguageModel | undefined> {
  const { languageModelProvider: provider, languageModel: name, languageModelCalls: most } = settings;
  if (provider === "none") return undefined;
  const modelId = `${provider}:${name ?? "unnamed"}`;
  let calls = 0;
  let lastProblem: string | undefined;

  const answer = async (request: GenerateRequest): Promise<string> => {
    const endpoint = getEndpoint("languageModel", settings, environment);
    if (name === null) {
      throw new MemoryError("model-failed", "languageModel is not set.", "tacit config set languageModel …");
    }
    if (calls >= most) {
      throw new MemoryError(
        "model-failed",
        `${modelId} was asked ${calls} times in this session, which is all that languageModelCalls allows.`,
        "Raise it with: tacit config set languageModelCalls …",
      );
    }
    calls += 1;
    const { patienceMs = settings.languageModelTimeoutMs } = request;
    const timeoutMs = Math.min(request.timeoutMs ?? Infinity, patienceMs);
    const call = { model: modelId, purpose: request.purpose };
    const reply = await ask(settings, endpoint, name, { ...request, timeoutMs }).catch((error: unknown) => {
      ledger.count({ ...call, failed: true, inputTokens: 0, outputTokens: 0 });
      throw error;
    });
    const { text, inputTokens, outputTokens } = reply;
    ledger.count({ ...call, failed: text === "", inputTokens, outputTokens });
    if (text === "") throw new MemoryError("model-failed", `${modelId} answered with nothing.`, "Ask again.");
    return text;
  };

  return {
    modelId,
    get lastProblem() {
      return lastProblem;
    },
    generate: async (request) => {
      try {
        const text = await answer(request);
        lastProblem = undefined;
        return text;
      } catch (error) {
        lastProblem = (error as Error).message;
        return undefined;
      }
    },
  };
}

// One more attempt where the server says that it is its own fault; the deadline holds for both.
const retries = 1;

interface Reply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

async function ask(
  settings: Settings,
  endpoint: Endpoint,
  name: string,
  { prompt, system = "", maxOutputTokens, timeoutMs, signal }: GenerateRequest & { timeoutMs: number },
): Promise<Reply> {
  const { outgoingText } = await import("./outgoing-text.js");
  const sent = { prompt: await outgoingText(prompt), ...(system !== "" && { system: await outgoingText(system) }) };
  const asked = { who: `${name} at ${endpoint.host}`, timeoutMs, ...(signal && { signal }) };
  return askModel({ ...asked, ...(endpoint.key !== undefined && { key: endpoint.key }) }, async (abortSignal) => {
    const { generateText } = await loadSdk();
    const model = await loadModel(settings.languageModelProvider, endpoint, name);
    const { text, usage } = await generateText({ model, ...sent, maxOutputTokens, maxRetries: retries, abortSignal });
    return {
      text: withoutThoughts(text),
      inputTokens: await tokensOf(usage.inputTokens, `${sent.system ?? ""}${sent.prompt}`),
      outputTokens: await tokensOf(usage.outputTokens, text),
    };
  });
}

async function loadModel(
  provider: Settings["languageModelProvider"],
  { url, key }: Endpoint,
  name: string,
): Promise<SdkModel> {
  if (provider === "openai") {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI({ baseURL: url, fetch: fetchDirectly, ...(key !== undefined && { apiKey: key }) }).chat(name);
  }
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  return createOpenAICompatible({
    name: "tacit",
    baseURL: provider === "ollama" ? openAiBase(url) : url,
    fetch: fetchDirectly,
    ...(key !== undefined && { apiKey: key }),
  }).chatModel(name);
}

/** Some servers leave a reasoning model's thoughts in front of its answer. */
function withoutThoughts(text: string): string {
  return text.replace(/^\s*<think>[^]*?<\/think>/, "").trim();
}

// No model reads or writes so many at once.
const maxTokens = 1e9;

/** What a server says that it has read or written; counted here where it does not say, or says what cannot be. */
async function tokensOf(said: number | undefined, text: string): Promise<number> {
  if (said !== undefined && Number.isInteger(said) && said >= 0 && said <= maxTokens) return said;
  return (await loadTokenCounter())(text);
}
