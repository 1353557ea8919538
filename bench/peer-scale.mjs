// Many memories in one collection: how fast they go in and an answer comes out, and what that takes.
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { median, percentile, temporaryFolder } from "./measure.mjs";
import { runPeer } from "./peers/run-peer.mjs";
import { makeTexts } from "./scale-texts.mjs";
import { mean, recallAt } from "./scores.mjs";

// What cannot be done in this time is not waited for: some peers would take hours.
export const fillBudgetMs = 120_000;
export const askBudgetMs = 60_000;
const asked = 300;
const starts = 5;

/** The texts of one size, in a file that every peer reads; `remove` it in the end. */
export function prepareScale(total) {
  const folder = temporaryFolder();
  const { texts, questions } = makeTexts(total);
  const file = join(folder.path, "texts.json");
  writeFileSync(file, JSON.stringify(texts));
  const sample = questions.filter((_, index) => index % Math.ceil(questions.length / asked) === 0);
  return { total, folder: folder.path, file, questions: sample, remove: folder.remove };
}

/**
 * The measures of a peer at one size, and whether all memories went in. One that is cut short is measured with those
 * that did; `isOurs` is never cut short.
 */
export async function measurePeerScale(peer, { total, folder: place, file, questions }, { isOurs, onProgress }) {
  const folder = join(place, peer);
  const budgetMs = (budget) => (isOurs ? 3_600_000 : budget);
  const filled = await runPeer(peer, "fill", { folder, file, budgetMs: budgetMs(fillBudgetMs) }, { onProgress });
  const sizeMb = sizeOf(folder) / 1e6;
  const texts = questions.map(({ question }) => question);
  const input = { folder, questions: texts, budgetMs: budgetMs(askBudgetMs) };
  const { times, found, rssMb } = await runPeer(peer, "ask", input, { onProgress });
  const cold = [];
  for (let n = 0; n < starts; n += 1) {
    cold.push((await runPeer(peer, "answerOnce", { folder, question: texts[n] })).ms);
  }
  return {
    isWhole: filled.added === total,
    measures: {
      "memories kept": filled.added,
      "kept a second": filled.perSecond,
      "questions asked": times.length,
      "an answer, ms p50": median(times),
      "an answer, ms p95": percentile(times, 0.95),
      "R@10": 100 * mean(found.map((ids, index) => recallAt(10, questions[index].gold, ids))),
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
