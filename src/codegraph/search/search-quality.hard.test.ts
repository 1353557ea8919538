import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { chunkTree, type ChunkTree } from "../../../test/support/chunk-tree.js";
import { findActiveModel } from "../../embedding/vectors/active-model.js";
import { openBundledEmbedder } from "../../embedding/bundled/open-bundled-embedder.js";
import { openTypeScript } from "../languages/typescript/open-typescript.js";
import { embedChunks } from "../chunks/embed-chunks.js";
import { searchCode, type SearchCodeOptions } from "./search-code.js";

/** What a developer asks about this repository, and the files any of which would do. */
const questions: [question: string, ...files: string[]][] = [
  ["where are secrets replaced before a text is stored", "hygiene/secrets/redact-secrets.ts", "hygiene/clean-text.ts"],
  ["how is a text cut into words for the search index", "base/text/words.ts"],
  ["list of words that carry no meaning in a search", "base/text/stop-words.ts"],
  ["open the database and run every write in an immediate transaction", "storage/storage.ts"],
  ["what happens when the database is locked by another process", "storage/store-error.ts", "storage/storage.ts"],
  ["schema of the memories table", "storage/migrations.ts"],
  ["how many tokens does a text take for a model", "base/tokens/count-tokens.ts"],
  ["stop embedding when the time is over and report what is pending", "embedding/embed/embed-pending.ts"],
  [
    "hamming distance over one bit per dimension",
    "embedding/vectors/binary-vector.ts",
    "embedding/vectors/binary-vector-table.ts",
  ],
  ["choose the embedding model from the configuration", "embedding/providers/choose-embedder.ts"],
  [
    "run the bundled model in a worker thread",
    "embedding/bundled/model-thread.ts",
    "embedding/bundled/model-worker.ts",
  ],
  ["HTTP request to an OpenAI compatible embedding endpoint", "embedding/providers/http-embedder.ts"],
  ["BM25 scoring of candidates", "retrieval/keywords/score-words.ts"],
  ["fuse words and meaning in proportion to the best candidate", "retrieval/ranking/evidence.ts"],
  ["does the question ask for a date such as last week", "retrieval/query/asked-time.ts"],
  [
    "is a memory out of date because its file changed in git",
    "retrieval/staleness/estimate-staleness.ts",
    "retrieval/staleness/file-changes.ts",
  ],
  [
    "fit results into a token budget",
    "retrieval/packing/pack.ts",
    "retrieval/packing/pack-choose.ts",
    "retrieval/packing/pack-text.ts",
  ],
  ["import memories from JSON lines", "exchange/formats/json-lines.ts", "exchange/intake/store-records.ts"],
  ["undo the last change of a memory", "memory/undo/undo-change.ts"],
  ["erase a memory for good, including the index", "memory/retention/purge.ts", "storage/erasure.ts"],
  ["same text kept twice is merged", "memory/remember/remember-memories.ts", "exchange/intake/same-texts.ts"],
  ["make text safe to print on a terminal", "hygiene/neutralise.ts"],
  ["find private keys in PEM", "hygiene/secrets/private-keys.ts"],
  ["zero width characters that hide orders to a model", "hygiene/invisible-characters.ts"],
  ["password in a curl command line", "hygiene/secrets/command-credentials.ts"],
  ["which project does a folder belong to", "project/folder/identify-folder.ts", "project/projects.ts"],
  ["back up the database to a file", "storage/backup.ts"],
  ["cache of vectors that expires after a week", "embedding/embed/embedding-cache.ts"],
  ["listWordMatches", "retrieval/keywords/list-word-matches.ts"],
  ["Store.snapshot", "storage/storage.ts"],
];

/** The same in other words than the code has. */
const otherWords: typeof questions = [
  [
    "credentials must not be persisted",
    "hygiene/secrets/redact-secrets.ts",
    "hygiene/clean-text.ts",
    "hygiene/hygiene.ts",
  ],
  ["tokenise natural language for full text lookup", "base/text/words.ts"],
  ["copy everything to a safe place in case of data loss", "storage/backup.ts", "storage/copy-server.ts"],
  ["upgrade an older database layout", "storage/migrate.ts", "storage/migrations.ts"],
  ["emoji and unicode tricks against prompt injection", "hygiene/invisible-characters.ts"],
  ["escape codes in the console", "hygiene/neutralise.ts"],
  ["is the file corrupt", "storage/integrity.ts"],
  ["unique identifiers sorted by time", "base/ids/new-id.ts"],
];

const source = join(import.meta.dirname, "..", "..");

describe("searching this repository", () => {
  it("finds the right file among the first five by words alone, tests included", async () => {
    const tree = await indexed((path) => !path.startsWith("codegraph/"));

    const ranks = await rankAll(tree, questions);

    // 30 of 30 (2026-11); files come and go.
    expect(ranks.filter((rank) => rank <= 5).length).toBeGreaterThanOrEqual(27);
  });

  it("puts it higher with the bundled model than by words alone", { timeout: 180_000 }, async () => {
    const isHere = (path: string) => /^(?:base|hygiene|storage)\//.test(path) && !path.endsWith(".test.ts");
    const tree = await indexed(isHere);
    const embedder = await openBundledEmbedder();
    onTestFinished(async () => embedder.close?.());
    await embedChunks({ ...tree, embedder });
    const model = await tree.store.read(findActiveModel);
    const asMeaning = async (question: string): Promise<SearchCodeOptions> => {
      const [vector] = await embedder.embed([question], "query");
      return vector && model ? { queryVector: { vector, model } } : {};
    };

    const asked = [...questions.filter(([, file = ""]) => isHere(file)), ...otherWords];
    const [byWords, byBoth] = [await rankAll(tree, asked), await rankAll(tree, asked, asMeaning)];

    // 0.88 instead of 0.69, and 19 of 21 among the first five (2026-11).
    expect(meanReciprocal(byBoth)).toBeGreaterThan(meanReciprocal(byWords));
    expect(byBoth.filter((rank) => rank <= 5).length / asked.length).toBeGreaterThanOrEqual(0.8);
  });
});

async function indexed(isWanted: (path: string) => boolean): Promise<ChunkTree> {
  const paths = readdirSync(source, { recursive: true, encoding: "utf8" })
    .map((path) => path.split(sep).join("/"))
    .filter((path) => path.endsWith(".ts") && isWanted(path));
  const extract = await openTypeScript();
  const tree = await chunkTree();
  const files = paths.map((path): [string, string] => [path, readFileSync(join(source, path), "utf8")]);
  await tree.put(Object.fromEntries(files), { outline: (path, text) => extract(path, text).outline });
  return tree;
}

/** For each question the rank of the first of its files, from 1; infinite where none is found. */
async function rankAll(
  { store, tree }: ChunkTree,
  asked: typeof questions,
  optionsFor: (question: string) => Promise<SearchCodeOptions> = async () => ({}),
): Promise<number[]> {
  const ranks: number[] = [];
  for (const [question, ...wanted] of asked) {
    const options = await optionsFor(question);
    const hits = await store.read((reader) => searchCode(reader, tree, question, { limit: 30, ...options }));
    const files = [...new Set(hits.map(({ file }) => file))];
    const at = files.findIndex((file) => wanted.includes(file));
    ranks.push(at === -1 ? Infinity : at + 1);
  }
  return ranks;
}

function meanReciprocal(ranks: readonly number[]): number {
  return ranks.reduce((sum, rank) => sum + 1 / rank, 0) / ranks.length;
}
