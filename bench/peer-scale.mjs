// Many memories in one collection: how fast they go in and an answer comes out, and what that takes.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { median, percentile } from "./measure.mjs";
import { isOurs } from "./peers/peers.mjs";
import { runPeer } from "./peers/run-peer.mjs";
import { fillStore } from "./scale-stores.mjs";
import { mean, recallAt } from "./scores.mjs";

export const askBudgetMs = 60_000;

/**
 * The measures of a peer at one size, and whether all memories went in. One that is cut short is measured with those
 * that did; Tacit never is.
 */
export async function measurePeerScale(peer, scale) {
  const { folder, added, perSecond, isWhole } = await fillStore(peer, scale);
  const sizeMb = sizeOf(folder) / 1e6;
  const questions = scale.questions.map(({ question }) => question);
  const input = { folder, questions, budgetMs: isOurs(peer) ? 3_600_000 : askBudgetMs };
  const { times, found, rssMb } = await runPeer(peer, "ask", input);
  const cold = [];
  for (const { question } of scale.firstQuestions) {
    cold.push((await runPeer(peer, "answerOnce", { folder, question })).ms);
  }
  return {
    isWhole,
    measures: {
      "memories kept": added,
      "kept a second": perSecond,
      "questions asked": times.length,
      "an answer, ms p50": median(times),
      "an answer, ms p95": percentile(times, 0.95),
      "R@10": 100 * mean(found.map((ids, index) => recallAt(10, scale.questions[index].gold, ids))),
      "a new process until its first answer, ms": median(cold),
      "resident, MB": rssMb,
      "on disk, MB": sizeMb,
    },
  };
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
