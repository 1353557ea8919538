// 100,000 memories: one question to Tacit, by words and hybrid, beside the plain FTS5 query with all its words.
import { cpSync } from "node:fs";
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { median, percentile, temporaryFolder, timed } from "./measure.mjs";
import { measureNearest } from "./nearest.mjs";
import { openPlainFts5 } from "./peers/plain-fts5.mjs";
import { fillStore, prepareScale } from "./scale-stores.mjs";
import { rareTag } from "./scale-texts.mjs";
import { mean, recallAt } from "./scores.mjs";

const total = 100_000;

export async function measureScale() {
  const scale = prepareScale(total);
  const filled = { ours: await fillStore("tacit-hybrid", scale), plain: await fillStore("plain-fts5", scale) };
  return [
    { what: "memories kept and embedded, a second", value: filled.ours.perSecond },
    ...(await askStores(filled.ours.folder, filled.plain.folder, scale.questions)),
  ];
}

/** Asks a copy, because a store learns from what it is asked, and others will measure this one. */
export async function askStores(folder, plainFolder, questions) {
  const copy = temporaryFolder();
  cpSync(folder, copy.path, { recursive: true });
  const db = join(copy.path, "memory.db");
  try {
    return [
      ...(await compareAnswers(db, plainFolder, questions)),
      ...(await countFiltered(db, questions)),
      ...(await measureNearest(db, questions)),
      { what: "opening, ms p50", value: median(await timeOpening(db)), atMost: 30 },
    ];
  } finally {
    copy.remove();
  }
}

async function compareAnswers(db, plainFolder, questions) {
  const memory = await openMemory({ db, project: "scale" });
  const plain = await openPlainFts5(plainFolder, "scale");
  const ask = (mode) => async (question) => idsOf(await memory.recall(question, { limit: 10, mode }));
  const ways = { words: ask("words"), hybrid: ask("hybrid"), plain: (question) => plain.search(question, 10) };
  const times = { words: [], hybrid: [], plain: [] };
  const found = { words: [], hybrid: [], plain: [] };
  // What is loaded once in the life of a process is no part of an answer.
  for (const search of Object.values(ways)) await search("What is loaded once?");
  // Turn by turn, so that what else the machine does hits all; each at another question, so that none warms up for another.
  for (const at of questions.keys()) {
    for (const [step, [way, search]] of Object.entries(ways).entries()) {
      const { question, gold } = questions[(at + step * 50) % questions.length];
      found[way].push(recallAt(10, gold, await timed(times[way], () => search(question))));
    }
  }
  await plain.close();
  await memory.close();

  const p50 = (way) => median(times[way]);
  const right = (way) => 100 * mean(found[way]);
  return [
    ...Object.keys(ways).flatMap((way) => [
      { what: `${names[way]}, ms p50`, value: p50(way) },
      { what: `${names[way]}, ms p95`, value: percentile(times[way], 0.95) },
      { what: `${names[way]}, R@10`, value: right(way) },
    ]),
    { what: "words / plain, p50", value: p50("words") / p50("plain"), atMost: 1 / 8 },
    { what: "hybrid / plain, p50", value: p50("hybrid") / p50("plain"), atMost: 2 / 3 },
  ];
}

const names = { words: "by words", hybrid: "hybrid", plain: "plain FTS5 OR with stop words" };

function idsOf(results) {
  return results.map(({ memory }) => memory.metadata.id);
}

/** A filter that leaves 1 % must not cost results: ten, or by words all that have a word of the question. */
async function countFiltered(db, questions) {
  const memory = await openMemory({ db, project: "scale" });
  const enough = { words: 0, hybrid: 0 };
  for (const { question } of questions) {
    const all = await memory.recall(question, { tags: [rareTag], mode: "words" });
    const words = await memory.recall(question, { tags: [rareTag], mode: "words", limit: 10 });
    const hybrid = await memory.recall(question, { tags: [rareTag], mode: "hybrid", limit: 10 });
    if (words.length === Math.min(10, all.length)) enough.words += 1;
    if (hybrid.length === 10) enough.hybrid += 1;
  }
  await memory.close();
  const percent = (count) => (100 * count) / questions.length;
  return [
    { what: "questions whose 1 % filter brings ten, hybrid, %", value: percent(enough.hybrid), atLeast: 100 },
    { what: "… by words, or all there are, %", value: percent(enough.words), atLeast: 100 },
  ];
}

async function timeOpening(db) {
  const times = [];
  for (let n = 0; n < 30; n += 1) {
    const opened = await timed(times, () => openMemory({ db, project: "scale" }));
    await opened.close();
  }
  return times;
}
