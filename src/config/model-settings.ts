import type { Setting } from "./setting.js";

// No blanks and no control characters: it is shown on terminals, and becomes part of a vector's model id.
const modelName = "^[\\w./:@+-]{1,200}$";
// No user, password or query, which is where keys are; and nothing that could be taken for another host.
const address = "^https?://(?:[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(?::[0-9]{1,5})?(?:/[\\w./~%:@+-]*)?$";
// In capitals, as the keys that people paste here by mistake are not.
const variableName = "^[A-Z_][A-Z0-9_]{0,99}$";

/** Which models are asked, where, and for how long. All of them are the user's alone. */
export const modelSettings: readonly Setting[] = [
  {
    name: "embeddingProvider",
    default: null,
    purpose:
      "who turns memories and questions into vectors; null is what the store already uses, and the bundled model in a new one",
    ...choice("bundled", "ollama", "openai", "openai-compatible", "none", null),
  },
  {
    name: "embeddingModel",
    default: null,
    purpose: "which model makes the vectors; null is the store's, or the provider's usual one",
    ...text(modelName, "the name of a model"),
  },
  {
    name: "embeddingUrl",
    default: null,
    purpose: "where the embedding model is asked; null is the provider's own address",
    ...url(),
  },
  {
    name: "embeddingDimensions",
    default: null,
    purpose: "how many numbers a vector has; null is the store's, or 1024 where the model leaves the choice",
    expected: "a whole number from 64 to 4096 that can be divided by 8, or null",
    // One bit for each is kept as well, in whole bytes.
    schema: { type: ["integer", "null"], minimum: 64, maximum: 4096, multipleOf: 8 },
    isUsersAlone: true,
  },
  {
    name: "embeddingKeyVariable",
    default: null,
    purpose: "which environment variable holds the embedding provider's key; null is the provider's usual one",
    ...variable(),
  },
  {
    name: "languageModelProvider",
    default: "none",
    purpose: "whose language model may be asked to help",
    ...choice("none", "openai", "openai-compatible", "ollama"),
  },
  {
    name: "languageModel",
    default: null,
    purpose: "which language model is asked",
    ...text(modelName, "the name of a model"),
  },
  {
    name: "languageModelUrl",
    default: null,
    purpose: "where the language model is asked; null is the provider's own address",
    ...url(),
  },
  {
    name: "languageModelKeyVariable",
    default: null,
    purpose: "which environment variable holds the language model's key; null is the provider's usual one",
    ...variable(),
  },
  {
    name: "languageModelTimeoutMs",
    default: 20_000,
    purpose: "for how many milliseconds a language model is waited for",
    ...milliseconds(),
  },
  {
    name: "languageModelCalls",
    default: 20,
    purpose: "how often a language model is asked in one session at most",
    expected: "a whole number from 0",
    schema: { type: "integer", minimum: 0 },
    isUsersAlone: true,
  },
  {
    name: "rerankProvider",
    default: "none",
    purpose: "who puts the best results of a question in their final order",
    ...choice("none", "cohere", "endpoint", "ollama"),
  },
  {
    name: "rerankModel",
    default: null,
    purpose: "which model ranks; null is the provider's usual one",
    ...text(modelName, "the name of a model"),
  },
  {
    name: "rerankUrl",
    default: null,
    purpose: "where the ranking model is asked; null is the provider's own address",
    ...url(),
  },
  {
    name: "rerankKeyVariable",
    default: null,
    purpose: "which environment variable holds the ranking model's key; null is the provider's usual one",
    ...variable(),
  },
  {
    name: "rerankTimeoutMs",
    default: 2000,
    purpose: "for how many milliseconds the ranking model is waited for",
    ...milliseconds(),
  },
];

type Kind = Pick<Setting, "expected" | "schema" | "isUsersAlone" | "isConfidential">;

function choice(...choices: (string | null)[]): Kind {
  const words = choices.map(String);
  return {
    expected: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`,
    schema: { type: choices.includes(null) ? ["string", "null"] : "string", enum: choices },
    isUsersAlone: true,
  };
}

function text(pattern: string, expected: string): Kind {
  return { expected: `${expected}, or null`, schema: { type: ["string", "null"], pattern }, isUsersAlone: true };
}

function url(): Kind {
  return { ...text(address, "an http or https address without a password and without a query"), isConfidential: true };
}

function variable(): Kind {
  return {
    ...text(variableName, "the name of an environment variable, in capitals, and never the key itself"),
    isConfidential: true,
  };
}

function milliseconds(): Kind {
  return {
    expected: "a whole number from 100 to 600000",
    schema: { type: "integer", minimum: 100, maximum: 600_000 },
    isUsersAlone: true,
  };
}
