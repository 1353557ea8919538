import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { ProjectContext } from "../project/project.js";
import type { Embedder } from "../embedding/embedding.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import type { OpenEmbedder } from "../embedding/embed/embed.js";
import type { ModelLedger } from "../language-model/model-ledger.js";
import type { LanguageModel } from "../language-model/language-model.js";
import type { CodeGraph } from "./candidates/code-graph.js";
import type { FileChanges } from "./staleness/file-changes.js";
import type { Reranker } from "./rerankers/open-reranker.js";
import type { RecallPorts } from "./candidates/search.js";

/** Models and graphs that a program brings itself, instead of those that the configuration names. */
export interface OwnModels {
  /** Null: none, and meaning is not used. Yours to close: several memories may use one. */
  embedder?: Embedder | null;
  languageModel?: LanguageModel | null;
  reranker?: Reranker | null;
  codeGraph?: CodeGraph;
}

/** Everything that recall and embedding ask beyond the store, each opened when it is first needed. */
export interface Models {
  embedding: () => Promise<StoreEmbedding>;
  ports: RecallPorts;
  close(): Promise<void>;
}

// A clone of any size answers about its newest commits in this time, or is not asked again until HEAD moves.
const gitTimeoutMs = 2000;

export function openModels(
  context: ProjectContext,
  own: OwnModels,
  /** Where the related files of the project lie; absent: nobody knows. */
  folder: FolderIdentity | undefined,
): Models {
  let ledger: ModelLedger | undefined;
  let changes: Promise<FileChanges> | undefined;
  const settings = () => context.settings("user");
  let opened: Promise<StoreEmbedding> | undefined;
  const openEmbedder: OpenEmbedder = async (stored) => {
    if (own.embedder) {
      const { checkedEmbedder } = await import("../embedding/providers/providers.js");
      return { ...checkedEmbedder(own.embedder), close: async () => undefined };
    }
    if (own.embedder === null || process.env["TACIT_EMBEDDING"] === "none") return undefined;
    const { chooseEmbedder } = await import("../embedding/providers/providers.js");
    return chooseEmbedder(await settings(), process.env, stored);
  };
  const embedding = () =>
    (opened ??= import("../embedding/store-embedding.js").then(
      (room) => new room.StoreEmbedding({ store: context.store, now: context.now, openEmbedder }),
    ));
  const openConfiguredModel = once(async () => {
    const configured = await settings();
    if (configured.languageModelProvider === "none") return undefined;
    ledger ??= new (await import("../language-model/model-ledger.js")).ModelLedger(context.store, context.now);
    const { openLanguageModel } = await import("../language-model/open-language-model.js");
    return openLanguageModel(configured, process.env, ledger);
  });
  const openConfiguredReranker = once(async () => {
    const configured = await settings();
    if (configured.rerankProvider === "none") return undefined;
    return (await import("./rerankers/open-reranker.js")).openReranker(configured, process.env);
  });
  return {
    embedding,
    ports: {
      embedding,
      languageModel: async () =>
        own.languageModel === undefined ? openConfiguredModel() : (own.languageModel ?? undefined),
      reranker: async () => (own.reranker === undefined ? openConfiguredReranker() : (own.reranker ?? undefined)),
      ...(own.codeGraph && { codeGraph: own.codeGraph }),
      ...(folder && {
        fileChanges: () =>
          (changes ??= import("./staleness/file-changes.js").then(({ openFileChanges }) =>
            openFileChanges(folder.root, { timeoutMs: gitTimeoutMs, now: context.now }),
          )),
      }),
    },
    close: async () => {
      (await changes?.catch(() => undefined))?.close();
      await (await opened)?.close();
      await ledger?.flush();
    },
  };
}

/** Opened by the first who asks; a failure is tried again. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opening: Promise<T> | undefined;
  return () =>
    (opening ??= open().catch((error: unknown) => {
      opening = undefined;
      throw error;
    }));
}
