import { askModel } from "../../language-model/ask-model.js";
import type { Reader } from "../../storage/storage.js";
import type { RankedCandidate } from "./rank.js";
import type { Search } from "../candidates/search.js";

// From the seed of the product.
const reread = 20;
// One that the configuration names has a deadline of its own; one that a program brings may not.
const timeoutMs = 10_000;

/** Lets the reranker read the first ones beside the query. When it fails, the order stays, with a note. */
export async function rerankTop(
  { context, ports, query }: Search,
  ranked: RankedCandidate[],
): Promise<{ ranked: RankedCandidate[]; note?: string }> {
  const first = ranked.slice(0, reread);
  if (first.length < 2) return { ranked };
  try {
    const reranker = await ports.reranker?.();
    if (!reranker) return { ranked };
    const texts = await context.store.read((reader) => readTexts(reader, first));
    const documents = first.map(({ candidate }) => texts.get(candidate.key) ?? "");
    const scores = await askModel({ who: reranker.modelId, timeoutMs }, (signal) =>
      reranker.rerank(query, documents, { signal }),
    );
    if (scores.length !== first.length || !scores.every(Number.isFinite)) {
      return { ranked, note: `Not reranked: ${reranker.modelId} gave no score for each memory.` };
    }
    const judged = first.map((one, index) => ({ ...one, reranked: scores[index] ?? 0 }));
    return { ranked: [...inNewOrder(judged), ...ranked.slice(reread)] };
  } catch (error) {
    return { ranked, note: `Not reranked: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/**
 * In the reranker's order, with the scores that they had between them: a reranker's own have no meaning that another's, or
 * those of the rest, could be compared with. An exact name stays where it is.
 */
function inNewOrder(judged: (RankedCandidate & { reranked: number })[]): RankedCandidate[] {
  const scores = judged.map(({ score }) => score);
  const valueOf = ({ candidate, reranked }: (typeof judged)[number]) => (candidate.paths.name ? 2 : reranked);
  return judged
    .toSorted((a, b) => valueOf(b) - valueOf(a))
    .map((one, index) => ({ ...one, score: scores[index] ?? 0 }));
}

async function readTexts(reader: Reader, ranked: RankedCandidate[]): Promise<Map<number, string>> {
  const rows = await reader.rows(
    "SELECT key, content FROM memories WHERE key IN (SELECT value FROM json_each(:keys))",
    {
      keys: JSON.stringify(ranked.map(({ candidate }) => candidate.key)),
    },
  );
  return new Map(rows.map((row) => [Number(row["key"]), String(row["content"])]));
}
