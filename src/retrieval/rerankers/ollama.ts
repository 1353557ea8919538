import { ollamaRoot, type Endpoint } from "../../language-model/endpoint.js";
import { postJson } from "../../language-model/post-json.js";
import { type Scored, type ScoreRequest, wrongAnswer } from "./scorer.js";

// Ollama answers as many at once as it has room for, and lets the others wait.
const atOnce = 4;

/**
 * Asks a Qwen3-Reranker that Ollama serves. Ollama has no call for rerankers; this model is a language model that
 * judges one document at a time with "yes" or "no", and the score is how much likelier its "yes" is. Where the server
 * is too old to give likelihoods (before 0.12.11), the word alone counts.
 */
export async function scoreByOllama({ endpoint, model, question, documents, signal }: ScoreRequest): Promise<Scored[]> {
  const scored: Scored[] = [];
  const generate: Endpoint = { ...endpoint, url: `${ollamaRoot(endpoint.url)}/api/generate` };
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const left = documents.entries();
  const work = async (): Promise<void> => {
    for (const [index, document] of left) {
      const body = {
        model,
        prompt: promptFor(question, document),
        raw: true,
        stream: false,
        logprobs: true,
        top_logprobs: 20,
        options: { temperature: 0, num_predict: 1 },
      };
      const judgement = (await postJson(generate, body, ending)) as Judgement | null;
      const score = scoreOf(judgement ?? {});
      if (score === undefined) throw wrongAnswer(`${model} at ${endpoint.host}`, "neither yes nor no");
      scored.push({ index, score });
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
    return scored;
  } finally {
    failed.abort();
  }
}

interface Judgement {
  response?: string;
  logprobs?: (Likelihood & { top_logprobs?: Likelihood[] })[];
}

interface Likelihood {
  token: string;
  logprob: number;
}

/** The very words that the model was trained with; others give other scores. */
function promptFor(question: string, document: string): string {
  return [
    "<|im_start|>system",
    'Judge whether the Document meets the requirements based on the Query and the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>',
    "<|im_start|>user",
    "<Instruct>: Given a question about a software project, retrieve the notes that answer it",
    `<Query>: ${withoutMarks(question)}`,
    `<Document>: ${withoutMarks(document)}<|im_end|>`,
    "<|im_start|>assistant",
    "<think>\n\n</think>\n\n",
  ].join("\n");
}

/** A document that could end its own part would judge itself. */
function withoutMarks(text: string): string {
  return text.replaceAll(/<\|/g, "< |");
}

function scoreOf({ response, logprobs }: Judgement): number | undefined {
  const [first] = logprobs ?? [];
  if (!first) return scoreOfWord(response);
  const likelihoods = first.top_logprobs ?? [first];
  const [yes, no] = [likelihoodOf("yes", likelihoods), likelihoodOf("no", likelihoods)];
  return yes + no > 0 ? yes / (yes + no) : undefined;
}

function scoreOfWord(response: string | undefined): number | undefined {
  const word = plain(response ?? "");
  return word === "yes" ? 1 : word === "no" ? 0 : undefined;
}

function likelihoodOf(word: string, likelihoods: Likelihood[]): number {
  return likelihoods
    .filter(({ token }) => plain(token) === word)
    .reduce((sum, { logprob }) => sum + Math.exp(logprob), 0);
}

function plain(token: string): string {
  return token.trim().toLowerCase();
}
