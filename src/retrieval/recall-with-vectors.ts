import type { StoreEmbedding } from "../embedding/store-embedding.js";
import type { ProjectContext } from "../project/project.js";
import { recall } from "./recall.js";
import type { RecallOptions, RecallReport } from "./retrieval.js";
import type { RecallPorts } from "./candidates/search.js";

// As many as a model makes in about a second; whoever has more waiting runs tacit embed.
const maxVectors = 64;

/**
 * Recall for whoever would rather wait than miss what has no vector yet: where nothing is found, what waits for its vector gets
 * it first, and the query is looked for once more. It stays one query.
 */
export async function recallWithVectors(
  context: ProjectContext,
  ports: RecallPorts,
  embedding: () => Promise<Pick<StoreEmbedding, "status" | "embedPending">>,
  query: string,
  options: RecallOptions = {},
): Promise<RecallReport> {
  const report = await recall(context, ports, query, options);
  const { waitForVectorsMs: timeoutMs = 0, mode } = options;
  if (report.results.length > 0 || timeoutMs === 0 || mode === "words") return report;
  const vectors = await embedding();
  const { pending, failure } = await vectors.status();
  if (pending === 0 || failure !== undefined) return report;
  try {
    await vectors.embedPending({ limit: maxVectors, timeoutMs });
  } catch {
    // The store is busy or cannot be written: the query is looked for all the same.
  }
  return recall(context, ports, query, options);
}
