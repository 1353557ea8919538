import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** How the server behaves. What concerns vectors or scores leaves other answers as they are. */
export type Mode =
  | "answers"
  | "is slow"
  | "hangs"
  | "hangs in the middle"
  | "answers 429, then answers"
  | "answers 500, then answers"
  | "answers 429"
  | "answers 500"
  | "answers 401 with the key"
  | "answers 400 with the key"
  | "breaks off"
  | "redirects"
  | "sends no JSON"
  | "sends other JSON"
  | "sends too few"
  | "sends too many"
  | "sends null"
  | "sends infinity"
  // vectors
  | "sends short vectors"
  | "sends whole vectors"
  | "sends zeros"
  | "shuffles"
  // scores
  | "repeats a document"
  | "invents a document"
  | "sends logits"
  // texts
  | "gives no likelihoods"
  | "says neither"
  | "says nothing"
  | "tells no usage"
  | "lies about its usage"
  | "thinks aloud";

export interface HeardRequest {
  path: string;
  authorization: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- each protocol has its own
  body: any;
}

export interface LoopbackModels {
  /** Without a path: OpenAI is at /v1, Cohere at /v2, Ollama at /api and /v1. */
  url: string;
  /** May be changed at any time. */
  mode: Mode;
  /** Every request so far. */
  requests: HeardRequest[];
  /** The most that were under way at one moment. */
  maxAtOnce: number;
}

/**
 * A server that speaks the protocols of OpenAI, Cohere and Ollama as far as Tacit uses them, and misbehaves as told.
 * Texts with words in common get vectors and scores that say so. Gone when the test ends, or when `closeLater` has what it
 * is given called.
 */
export async function startLoopbackModels(
  mode: Mode = "answers",
  closeLater: (close: () => Promise<void>) => void = onTestFinished,
): Promise<LoopbackModels> {
  const models: LoopbackModels = { url: "", mode, requests: [], maxAtOnce: 0 };
  let underWay = 0;
  const server = createServer((request, response) => {
    underWay += 1;
    models.maxAtOnce = Math.max(models.maxAtOnce, underWay);
    response.on("close", () => (underWay -= 1));
    void handle(models, request, response);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closeLater(async () => {
    server.closeAllConnections();
    await new Promise<void>((closed) => {
      server.close(() => closed());
    });
  });
  models.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return models;
}

async function handle(models: LoopbackModels, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = "/", headers } = request;
  const sent = await text(request);
  const body: unknown = sent === "" ? undefined : JSON.parse(sent);
  models.requests.push({ path, authorization: headers.authorization, body });
  const answer = answers[path]?.(body as never, models.mode);
  const isFirst = models.requests.length === 1;
  const status = statusOf(models.mode, isFirst);
  if (answer === undefined) return json(response, 404, { error: { message: `there is nothing at ${path}` } });
  if (status !== 200) return json(response, status, errorOf(status, models.mode, headers.authorization));
  await misbehave(models.mode, response, answer);
}

function statusOf(mode: Mode, isFirst: boolean): number {
  const [, status = "200", later] = /^answers (\d+)(, then)?/.exec(mode) ?? [];
  return later !== undefined && !isFirst ? 200 : Number(status);
}

function errorOf(status: number, mode: Mode, authorization: string | undefined): unknown {
  const said = mode.endsWith("the key") ? `bad request of ${authorization}` : `status ${status}, on purpose`;
  return { error: { message: said, type: "test", code: null }, message: said };
}

async function misbehave(mode: Mode, response: ServerResponse, answer: unknown): Promise<void> {
  const whole = JSON.stringify(answer).replaceAll('"Infinity"', "1e999");
  const type = { "content-type": "application/json" };
  if (mode === "hangs") return;
  if (mode === "sends other JSON") return json(response, 200, { hello: "world" });
  if (mode === "hangs in the middle") {
    response.writeHead(200, type).write(whole.slice(0, whole.length / 2));
  } else if (mode === "breaks off") {
    response.writeHead(200, { ...type, "content-length": String(whole.length) });
    response.write(whole.slice(0, whole.length / 2), () => response.destroy());
  } else if (mode === "redirects") {
    response.writeHead(307, { location: "/elsewhere" }).end();
  } else if (mode === "sends no JSON") {
    response.writeHead(200, { "content-type": "text/html" }).end("<html><title>Welcome</title></html>");
  } else {
    if (mode === "is slow") await new Promise((wake) => setTimeout(wake, 50));
    response.writeHead(200, type).end(whole);
  }
}

function json(response: ServerResponse, status: number, answer: unknown): void {
  // At once: waiting is the client's part, and tested elsewhere.
  response.writeHead(status, { "content-type": "application/json", "retry-after": "0" }).end(JSON.stringify(answer));
}

const answers: Record<string, (body: never, mode: Mode) => unknown> = {
  "/v1/embeddings": embed,
  "/v1/chat/completions": chat,
  "/v2/rerank": rerank,
  "/v1/rerank": rerank,
  "/api/generate": judge,
  "/api/tags": () => ({ models: [{ name: "llama3.2:3b" }, { name: "qwen3-embedding:0.6b" }] }),
};

interface EmbeddingRequest {
  model: string;
  input: string | string[];
  dimensions?: number;
  encoding_format?: "float" | "base64";
}

/** What a model makes whose server does not heed how many dimensions are wanted. */
export const wholeDimensions = 2560;
// And what it makes where nobody says how many.
const usualDimensions = 1024;

function embed({ model, input, dimensions = usualDimensions, encoding_format }: EmbeddingRequest, mode: Mode): unknown {
  const size = { "sends short vectors": dimensions - 8, "sends whole vectors": wholeDimensions }[mode as string];
  const vectors = [input].flat().map((each) => vectorOf(each, size ?? dimensions));
  const data = vectors.map((vector, index) => ({
    object: "embedding",
    index,
    embedding: encoding_format === "base64" ? base64Of(vector) : spoil(vector, mode),
  }));
  const shown = mode === "shuffles" ? data.toReversed() : count(data, mode);
  return {
    object: "list",
    model,
    data: shown,
    usage: { prompt_tokens: 8 * data.length, total_tokens: 8 * data.length },
  };
}

function base64Of(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString("base64");
}

function spoil(vector: number[], mode: Mode): unknown[] {
  if (mode === "sends zeros") return vector.map(() => 0);
  if (mode === "sends null") return [null, ...vector.slice(1)];
  return mode === "sends infinity" ? ["Infinity", ...vector.slice(1)] : vector;
}

function count<T>(list: T[], mode: Mode): T[] {
  if (mode === "sends too few") return list.slice(1);
  return mode === "sends too many" ? [...list, ...list.slice(0, 1)] : list;
}

/** Each word has a direction of its own, in as many dimensions as there are; longer than 1, as some models' are. */
function vectorOf(content: string, dimensions: number): number[] {
  const seeds = [...new Set(wordsOf(content))].map(seedOf);
  return Array.from({ length: dimensions }, (_, index) =>
    [1, ...seeds].reduce((sum, seed) => sum + Math.sin(seed * (index + 1)), 0),
  );
}

function wordsOf(content: string): string[] {
  return content.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function seedOf(word: string): number {
  let seed = 7;
  for (const letter of word) seed = (seed * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return seed;
}

interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
}

function chat({ model, messages }: ChatRequest, mode: Mode): unknown {
  const said = `You said: ${messages.at(-1)?.content}`;
  const content = { "says nothing": "", "thinks aloud": `<think>\nLet me see.\n</think>\n\n${said}` }[mode as string];
  return {
    id: "chat-1",
    object: "chat.completion",
    created: 1,
    model,
    choices: [{ index: 0, message: { role: "assistant", content: content ?? said }, finish_reason: "stop" }],
    ...(mode !== "tells no usage" && { usage: usageOf(mode) }),
  };
}

function usageOf(mode: Mode): Record<string, number> {
  if (mode === "lies about its usage") return { prompt_tokens: -3, completion_tokens: 1.5, total_tokens: 1e300 };
  return { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 };
}

interface RerankRequest {
  query: string;
  documents: string[];
  top_n: number;
}

function rerank({ query, documents, top_n }: RerankRequest, mode: Mode): unknown {
  const results = documents
    .map((document, index) => ({ index, relevance_score: likenessOf(query, document) as number | string | null }))
    .toSorted((a, b) => Number(b.relevance_score) - Number(a.relevance_score))
    .slice(0, top_n);
  const [first, second] = results;
  if (first && second && mode === "repeats a document") second.index = first.index;
  if (first && mode === "invents a document") first.index = documents.length;
  if (first && mode === "sends null") first.relevance_score = null;
  if (first && mode === "sends infinity") first.relevance_score = "Infinity";
  if (mode === "sends logits")
    for (const result of results) result.relevance_score = Number(result.relevance_score) * 12 - 6;
  return { id: "rerank-1", results: count(results, mode), meta: { api_version: { version: "2" } } };
}

/** The share of the question's words that are in the document. */
function likenessOf(question: string, document: string): number {
  const [asked, said] = [wordsOf(question), new Set(wordsOf(document))];
  return asked.filter((word) => said.has(word)).length / Math.max(asked.length, 1);
}

interface GenerateRequest {
  prompt: string;
  logprobs?: boolean;
}

/** As a Qwen3-Reranker judges, in Ollama's words. */
function judge({ prompt, logprobs = false }: GenerateRequest, mode: Mode): unknown {
  const [, question = "", document = ""] =
    /<Query>: ([^]*)\n<Document>: ([^]*)<\|im_end\|>\n<\|im_start\|>assistant/.exec(prompt) ?? [];
  const likeness = 0.05 + 0.9 * likenessOf(question, document);
  const word = mode === "says neither" ? "maybe" : likeness > 0.5 ? "yes" : "no";
  const likelihoods = [
    { token: "yes", logprob: Math.log(likeness) - 0.1 },
    { token: "no", logprob: Math.log(1 - likeness) - 0.1 },
  ];
  const isSilent = !logprobs || mode === "gives no likelihoods" || mode === "says neither";
  return {
    model: "qwen3-reranker",
    response: word,
    done: true,
    ...(!isSilent && { logprobs: [{ token: word, logprob: -0.2, top_logprobs: likelihoods }] }),
  };
}
