// How many of the memories whose vectors are exactly nearest Tacit's way by 1-bit codes finds.
import { checkedEmbedder } from "../build/embedding/providers/checked-embedder.js";
import { openBundledEmbedder } from "../build/embedding/bundled/open-bundled-embedder.js";
import { StoreEmbedding } from "../build/embedding/store-embedding.js";
import { filterConditions } from "../build/memory/read/memory-filter.js";
import { findProject } from "../build/project/projects.js";
import { connect } from "../build/storage/connect.js";
import { Store } from "../build/storage/storage.js";
import { rareTag } from "./scale-texts.mjs";
import { mean, recallAt } from "./scores.mjs";

const dimensions = 384;

export async function measureNearest(db, questions) {
  const store = new Store({ db, timeoutMs: 10_000 });
  const embedding = new StoreEmbedding({
    store,
    now: () => new Date(),
    openEmbedder: async () => checkedEmbedder(await openBundledEmbedder()),
  });
  const { project } = await store.read((reader) => findProject(reader, { id: "scale" }));
  const vectors = await readVectors(db);
  const shares = { all: [], filtered: [] };
  for (const { question } of questions) {
    const query = await embedding.embedQuery(question);
    const similarities = vectors.all.map(({ key, vector }) => ({ key, similarity: dot(vector, query.vector) }));
    const nearest = async (filter) => {
      const conditions = filterConditions(filter, project, new Date());
      const found = await store.read((reader) => embedding.listNearest(reader, project, query, conditions, 10));
      return found.map(({ key }) => key);
    };
    shares.all.push(recallAt(10, tenNearest(similarities), await nearest({})));
    const tagged = similarities.filter(({ key }) => vectors.tagged.has(key));
    shares.filtered.push(recallAt(10, tenNearest(tagged), await nearest({ tags: [rareTag] })));
  }
  await embedding.close();
  await store.close();
  return [
    { what: "of the exact ten nearest, found by 1-bit codes", value: mean(shares.all), atLeast: 0.98 },
    { what: "… behind a 1 % filter", value: mean(shares.filtered), atLeast: 0.98 },
  ];
}

/** Past every line of ours: as they lie in the file. */
async function readVectors(db) {
  const client = await connect({ kind: "file", path: db }, 10_000);
  const { rows } = await client.execute("SELECT memory_key, vector FROM memory_vectors");
  const { rows: facets } = await client.execute({
    sql: "SELECT memory_key FROM memory_facets WHERE kind = 'tag' AND value = ?",
    args: [rareTag],
  });
  client.close();
  return {
    all: rows.map(({ memory_key: key, vector }) => ({ key, vector: new Float32Array(vector, 0, dimensions) })),
    tagged: new Set(facets.map(({ memory_key: key }) => key)),
  };
}

function dot(a, b) {
  let sum = 0;
  for (let n = 0; n < dimensions; n += 1) sum += a[n] * b[n];
  return sum;
}

function tenNearest(similarities) {
  return similarities
    .toSorted((a, b) => b.similarity - a.similarity || b.key - a.key)
    .slice(0, 10)
    .map(({ key }) => key);
}
