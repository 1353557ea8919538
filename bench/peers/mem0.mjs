import { createHash } from "node:crypto";
import { join } from "node:path";
import { Memory } from "mem0ai/oss";
import { stems } from "../../build/base/text/words.js";

// Its own default. With 384 it finds fewer (R@10 54 instead of 59 on three conversations of LoCoMo).
const dimensions = 1536;

/**
 * mem0 without a model: its own store and its own words, and in place of an embedder the stems of a text, hashed.
 * It reads its whole file for every question, so that a file a collection is kinder to it than a user a collection.
 */
export async function openMem0(folder, collection) {
  const memory = new Memory({
    embedder: { provider: "langchain", config: { model: hashEmbeddings } },
    vectorStore: { provider: "memory", config: { dimension: dimensions, dbPath: join(folder, `${collection}.db`) } },
    // It wants one; with `infer: false` it is never called.
    llm: { provider: "openai", config: { apiKey: "none", baseURL: "http://127.0.0.1:9" } },
    historyDbPath: join(folder, "history.db"),
  });
  return {
    async add(items) {
      for (const { id, session, text, createdAt } of items) {
        await memory.add(text, { userId: collection, infer: false, metadata: { id, session, createdAt } });
      }
    },
    async search(question, limit) {
      // Its threshold is meant for a model's similarities.
      const { results } = await memory.search(question, {
        topK: limit,
        threshold: 0,
        filters: { user_id: collection },
      });
      return results.map(({ metadata }) => metadata.id);
    },
    close: async () => {},
  };
}

const hashEmbeddings = {
  embedQuery: async (text) => hashVector(text),
  embedDocuments: async (texts) => texts.map((text) => hashVector(text)),
};

/** Each stem adds or takes away one in a place that its hash decides. */
function hashVector(text) {
  const vector = Array.from({ length: dimensions }, () => 0);
  // A text without any has no direction, and its similarity would not be a number.
  vector[0] = 1e-6;
  for (const stem of stems(text)) {
    const hash = createHash("md5").update(stem).digest().readUInt32LE();
    vector[hash % dimensions] += hash < 2 ** 31 ? 1 : -1;
  }
  return vector;
}
