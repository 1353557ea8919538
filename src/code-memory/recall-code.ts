import { hasVectors, readHit, searchCode } from "../codegraph/search/search.js";
import type { StoreEmbedding } from "../embedding/store-embedding.js";
import type { CodeAnswer, RecallCodeOptions } from "./code-memory.js";
import type { CurrentTree } from "./tree/current-tree.js";

/** Whose code is searched. */
export interface SearchedCode {
  tree: CurrentTree;
  embedding: () => Promise<StoreEmbedding>;
  /** Takes in a few changed files first; gives what a reader should know. */
  catchUp: () => Promise<string[]>;
}

/** The chunks of the code that answer a query, best first: keyword search, and semantic search where chunks have vectors. */
export async function recallCode(
  { tree: own, embedding, catchUp }: SearchedCode,
  query: string,
  { mode = "hybrid", ...rest }: RecallCodeOptions = {},
): Promise<CodeAnswer> {
  const notes = await catchUp();
  const options = { ...rest, ...(rest.files && { files: own.fromRoot(rest.files) }) };
  const isSemantic = mode !== "words" && (await own.ask(hasVectors));
  const meaning = isSemantic ? await (await embedding()).embedQuery(query) : undefined;
  if (meaning && "problem" in meaning) notes.push(meaning.problem);
  const found = await own.ask(async (reader, tree) =>
    searchCode(reader, tree, query, { ...options, ...(meaning && "vector" in meaning && { queryVector: meaning }) }),
  );
  const texts = await Promise.all(found.map(async (hit) => readHit(own.folder().root, hit)));
  const hits = found.map((hit, at) => ({ ...hit, ...(texts[at] !== undefined && { text: texts[at] }) }));
  return { hits, notes };
}
