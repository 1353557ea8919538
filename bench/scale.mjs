// 100,000 memories: one question to Tacit, beside the plain FTS5 query with all its words over the same rows.
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, percentile, temporaryFolder } from "./measure.mjs";
import { openPlainFts5 } from "./peers/plain-fts5.mjs";
import { makeTexts } from "./scale-texts.mjs";
import { recallAt } from "./scores.mjs";

const total = 100_000;
const asked = 300;
const batch = 5000;

export async function measureScale() {
  const folder = temporaryFolder();
  const db = join(folder.path, "memory.db");
  const { texts, questions } = makeTexts(total);
  const memory = await openMemory({ db, project: "scale" });
  const started = performance.now();
  for (let n = 0; n < texts.length; n += batch) {
    const inputs = texts
      .slice(n, n + batch)
      .map(({ id, text }) => ({ type: "conversation", content: text, metadata: { id } }));
    await memory.rememberMany(inputs);
  }
  const perSecond = texts.length / ((performance.now() - started) / 1000);
  const plain = await openPlainFts5(folder.path, "plain");
  await plain.add(texts);

  const times = { ours: [], plain: [] };
  const recall = { ours: 0, allWords: 0, plain: 0 };
  const sample = questions.filter((_, index) => index % Math.ceil(questions.length / asked) === 0);
  // Turn by turn, so that what else the machine does hits both.
  for (const { question, gold } of sample) {
    const ours = await timed(times.ours, () => memory.recall(question, { limit: 10 }));
    const theirs = await timed(times.plain, () => plain.search(question, 10));
    recall.ours += recallAt(
      10,
      gold,
      ours.map((result) => result.memory.metadata.id),
    );
    recall.plain += recallAt(10, gold, theirs);
  }
  // Without a limit every word is searched for: what the short cut is measured against.
  for (const { question, gold } of sample) {
    const all = (await memory.recall(question, { minScore: 0.2 })).slice(0, 10);
    recall.allWords += recallAt(
      10,
      gold,
      all.map((result) => result.memory.metadata.id),
    );
  }
  await memory.close();

  const opening = [];
  for (let n = 0; n < 30; n += 1) {
    const start = performance.now();
    const opened = await openMemory({ db, project: "scale" });
    opening.push(performance.now() - start);
    await opened.close();
  }
  await plain.close();
  folder.remove();
  const percent = (sum) => (100 * sum) / sample.length;
  return [
    { what: `memories; rememberMany, a second`, value: perSecond },
    { what: "recall, ms p50", value: median(times.ours) },
    { what: "recall, ms p95", value: percentile(times.ours, 0.95) },
    { what: "plain FTS5 OR with stop words, ms p50", value: median(times.plain) },
    { what: "plain / recall, p50", value: median(times.plain) / median(times.ours), atLeast: 6 },
    { what: "R@10 of recall", value: percent(recall.ours) },
    { what: "R@10 with all words, no short cut", value: percent(recall.allWords) },
    { what: "R@10 lost by the short cut", value: percent(recall.allWords) - percent(recall.ours), atMost: 0 },
    { what: "R@10 of plain FTS5", value: percent(recall.plain) },
    { what: "opening, ms p50", value: median(opening), atMost: 30 },
  ];
}

async function timed(times, work) {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}
