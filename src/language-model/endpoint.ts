import { MemoryError } from "../base/memory-error.js";
import type { Settings } from "../config/config.js";

/** The environment's variables, as in `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a model is asked. */
export interface Endpoint {
  /** Without a slash at its end. */
  url: string;
  /** Host and port, for messages. */
  host: string;
  /** What to send as a bearer token. */
  key?: string;
}

/** What models are configured for: the settings `embeddingUrl`, `languageModelUrl`, … begin with it. */
export type ModelUse = "embedding" | "languageModel" | "rerank";

const usual: Record<string, { url?: string; keyVariable?: string }> = {
  openai: { url: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  cohere: { url: "https://api.cohere.com/v2", keyVariable: "COHERE_API_KEY" },
  ollama: { url: "http://127.0.0.1:11434" },
};

/**
 * Where the settings say that a model is asked, with its key from the environment. Only what is configured counts:
 * neither a key nor an address in the environment leads anywhere by itself. Throws `model-failed` where something is
 * missing.
 */
export function getEndpoint(use: ModelUse, settings: Settings, environment: Environment): Endpoint {
  const provider = String(settings[`${use}Provider`]);
  const known = usual[provider];
  const url = settings[`${use}Url`] ?? known?.url;
  if (url === undefined) {
    throw new MemoryError(
      "model-failed",
      `${use}Url is not set, and ${provider} has no usual address.`,
      `tacit config set ${use}Url http://127.0.0.1:8080/v1`,
    );
  }
  if (!URL.canParse(url)) {
    throw new MemoryError("model-failed", `${use}Url is no address that can be read.`, "Correct it: tacit config");
  }
  const keyVariable = settings[`${use}KeyVariable`] ?? known?.keyVariable;
  return {
    url: url.replace(/\/+$/, ""),
    host: new URL(url).host,
    ...(keyVariable !== undefined && { key: readKey(use, keyVariable, environment) }),
  };
}

/** Where an Ollama server speaks OpenAI's protocol; its address may be given with that path or without. */
export function openAiBase(ollamaUrl: string): string {
  return `${ollamaRoot(ollamaUrl)}/v1`;
}

export function ollamaRoot(url: string): string {
  return url.replace(/\/v1$/, "");
}

/** As `fetch`, but what is meant for one address is not sent on to another, and an answer that does not end is not heard out. */
export const fetchDirectly: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: "error" });
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(atMost(maxBytes)), { status, statusText, headers });
};

// A batch of 256 vectors of 4,096 numbers in JSON is 20 MB; nothing else that is asked for comes near.
const maxBytes = 64 * 1024 * 1024;

function atMost(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform: (chunk, controller) => {
      left -= chunk.byteLength;
      if (left < 0) controller.error(new Error(`The answer is longer than ${bytes / 1024 / 1024} MB.`));
      else controller.enqueue(chunk);
    },
  });
}

function readKey(use: ModelUse, variable: string, environment: Environment): string {
  const key = environment[variable]?.trim();
  if (!key) {
    throw new MemoryError(
      "model-failed",
      `There is no key in ${variable}.`,
      `Set ${variable} in the environment, or name another variable: tacit config set ${use}KeyVariable …`,
    );
  }
  // fetch would refuse it too, and quote it.
  if (!/^[\u0021-\u007E]+$/.test(key)) {
    throw new MemoryError(
      "model-failed",
      `What is in ${variable} cannot be a key: it has blanks, line ends or characters beyond ASCII.`,
      `Put the key alone into ${variable}.`,
    );
  }
  return key;
}
