import { MemoryError } from "../base/memory-error.js";
import { neutralise } from "../hygiene/neutralise.js";
import { redactSecrets } from "../hygiene/secrets/redact-secrets.js";
import { quoteAnswer } from "./quote-answer.js";

/** As much of the AI SDK's errors, and of Node's, as is looked at. They carry the whole request, so none is kept. */
interface Failure {
  name?: string;
  message?: string;
  code?: unknown;
  statusCode?: number;
  cause?: Failure;
  /** Of several attempts. */
  lastError?: Failure;
}

/** The `model-failed` for what went wrong between here and a model. What is one already stays as it is. */
export async function modelFailure(who: string, error: unknown, key?: string): Promise<MemoryError> {
  if (error instanceof MemoryError) return error;
  const failure = (error as Failure).lastError ?? (error as Failure);
  const { statusCode } = failure;
  if (statusCode === 401 || statusCode === 403) {
    return failed(
      `${who} refused the key (HTTP ${statusCode}).`,
      "Check the key in the environment, and what it may do.",
    );
  }
  if (statusCode !== undefined && statusCode >= 400) {
    return failed(
      `${who} answered HTTP ${statusCode}: ${await quoted(failure.message ?? "", key)}`,
      hintFor(statusCode),
    );
  }
  const code = findCode(failure);
  if (code !== undefined) {
    return failed(
      `${who} cannot be reached, or broke off (${code}).`,
      "Check that it runs, and its address: tacit config",
    );
  }
  if (statusCode !== undefined) {
    const what = failure.cause?.name?.includes("JSONParse") ? "no JSON" : "JSON of another shape";
    return failed(`${who} answered with ${what}.`, "Check that its address is the one of a model: tacit config");
  }
  // "fetch failed", says fetch, and the reason is in the cause.
  const reason = failure.cause?.message ?? failure.message ?? String(error);
  return failed(`${who} failed: ${await quoted(reason, key)}`, "Check it with: tacit doctor");
}

function failed(message: string, hint: string): MemoryError {
  return new MemoryError("model-failed", message, hint);
}

function hintFor(statusCode: number): string {
  if (statusCode === 404) return "Check the model's name and address; Ollama gets a model with: ollama pull NAME";
  if (statusCode === 429) return "It has too much to do, or the quota is used up. Try again later.";
  return statusCode >= 500 ? "Something is wrong at its end. Try again later." : "Check the settings: tacit config";
}

const longestQuote = 200;

/** What a server says, made harmless: it may be anything, even the key that it was sent. */
async function quoted(said: string, key: string | undefined): Promise<string> {
  const line = neutralise(said).replaceAll(/\s+/g, " ").trim();
  const clean = await redactSecrets(key === undefined ? line : line.replaceAll(key, "[redacted:key]"));
  if (clean === "") return "no reason given.";
  return quoteAnswer(clean.length > longestQuote ? `${clean.slice(0, longestQuote)}…` : clean);
}

function findCode({ code, cause }: Failure): string | undefined {
  if (typeof code === "string" && /^[A-Z_]+$/.test(code)) return code;
  return cause ? findCode(cause) : undefined;
}
