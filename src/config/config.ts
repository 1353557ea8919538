/**
 * config: what a user or a project has set, one small file for each, and how such a file is changed.
 *
 * It refuses to run code: Tacit works by itself in every clone, and a clone may be anybody's. It refuses to guess,
 * too: a key it does not know, a value of the wrong kind and a second file are errors that name the line. Who is told
 * what (models, addresses, keys) is the user's alone, and a project's file may not say it. What a setting leads to is
 * decided in the rooms that it is about.
 */
export interface Settings {
  enabled: boolean;
  autoInject: boolean;
  /** What is trusted less now is not told without being asked for. */
  injectionConfidence: number;
  /** Of the map of the code that a session begins with; 0: none. */
  sessionMapTokens: number;
  /** Null: never. */
  cleanupDays: number | null;
  /** Null: unlimited. */
  maxEntries: number | null;
  sessionType: SessionType;
  /** Of the user's file and the project's together. */
  ignore: IgnoreSetting;
  /** Whether what is said in sessions of agents is kept. */
  keepTurns: boolean;
  /** How many turns a window shows; what is asked and what is answered are one. */
  windowTurns: number;
  /** Beyond so many messages that no archive sums up, a conversation is consolidated. */
  memoryWindow: number;
  /** How many messages stay then. */
  keepCount: number;
  /** Milliseconds. */
  consolidationTimeout: number;
  /** Bytes of MEMORY.md. */
  maxMemorySize: number;
  /** Where MEMORY.md and HISTORY.md are; null: below Tacit's own folder. */
  memoryFolder: string | null;
  /** Null: what the store already uses, and the bundled model in a new one. */
  embeddingProvider: "bundled" | "ollama" | "openai" | "openai-compatible" | "none" | null;
  /** Null, here and below: the provider's usual one. */
  embeddingModel: string | null;
  embeddingUrl: string | null;
  embeddingDimensions: number | null;
  /** The name of the variable, never the key. */
  embeddingKeyVariable: string | null;
  languageModelProvider: "none" | "openai" | "openai-compatible" | "ollama";
  languageModel: string | null;
  languageModelUrl: string | null;
  languageModelKeyVariable: string | null;
  languageModelTimeoutMs: number;
  /** In one session. */
  languageModelCalls: number;
  rerankProvider: "none" | "cohere" | "endpoint" | "ollama";
  rerankModel: string | null;
  rerankUrl: string | null;
  rerankKeyVariable: string | null;
  rerankTimeoutMs: number;
}

/** What is never observed, indexed or injected. */
export interface IgnoreSetting {
  /** As in .gitignore, from the project's root; what begins with `~/` lies in the user's home. */
  paths: string[];
  /** Globs over a command line, and over each program that it runs. */
  commands: string[];
  /** Folders, or remotes such as `github.com/acme/*`. */
  projects: string[];
}

/** What kind of session an agent has; it decides how much may be learned from it. */
export type SessionType = "build" | "pr_review" | "insights" | "roadmap" | "terminal" | "spec" | "changelog";

export const sessionTypes: readonly SessionType[] = [
  "build",
  "pr_review",
  "insights",
  "roadmap",
  "terminal",
  "spec",
  "changelog",
];

export type SettingName = keyof Settings;

/** Whose file it is. */
export type Owner = "user" | "project";
