import type { StoreEmbedding } from "../../embedding/store-embedding.js";
import type { LanguageModel } from "../../language-model/language-model.js";
import type { ProjectContext } from "../../project/project.js";
import type { CodeContext, CodeGraph } from "./code-graph.js";
import type { FileChanges } from "../staleness/file-changes.js";
import type { Reranker } from "../rerankers/open-reranker.js";
import type { QueryKind, RecallOptions } from "../retrieval.js";

/** What recall may ask beyond the store. Whatever is absent or fails is done without. */
export interface RecallPorts {
  embedding?: (() => Promise<Pick<StoreEmbedding, "embedQuery" | "listNearest">>) | undefined;
  codeGraph?: CodeGraph;
  fileChanges?: () => Promise<FileChanges>;
  reranker?: (() => Promise<Reranker | undefined>) | undefined;
  languageModel?: () => Promise<LanguageModel | undefined>;
}

/** One query on its way. */
export interface Search {
  context: ProjectContext;
  ports: RecallPorts;
  query: string;
  options: RecallOptions & { limit: number };
  kind: QueryKind;
  /** Whether the project itself is `user`. */
  isInUser: boolean;
  code: CodeContext;
  now: Date;
}
