/**
 * language-model: the one port to a language model, and the one way to ask any model over HTTP: its address, its key,
 * how long it is waited for, what went wrong, and what it cost.
 *
 * No model is asked unless the user's configuration names it, and no secret leaves with a question. It refuses prompts:
 * each room owns its own.
 */
export interface LanguageModel {
  /** Provider and model, such as `ollama:qwen3:8b`. */
  readonly modelId: string;
  /** Why the last request got no answer; undefined after one that did. */
  readonly lastProblem: string | undefined;
  /** What the model answers, or undefined when it fails, takes too long or may not be asked any more. Never throws. */
  generate(request: GenerateRequest): Promise<string | undefined>;
}

export interface GenerateRequest {
  /** What it is for, one word: `tacit stats` shows the tokens of each. */
  purpose: string;
  prompt: string;
  system?: string;
  maxOutputTokens: number;
  /** Shortens the configured wait; never lengthens it. */
  timeoutMs?: number;
  /** What this use has been given by a setting of its own, in the place of the configured wait. */
  patienceMs?: number;
  signal?: AbortSignal;
}
