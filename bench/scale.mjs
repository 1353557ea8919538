// 100,000 memories: one question to Tacit, beside the plain FTS5 query with all its words over the same rows.
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { connect } from "../dist/storage/connect.js";
import { queryWords } from "../dist/base/words.js";
import { readCranfield, readLocomo } from "./corpora.mjs";
import { median, percentile, temporaryFolder } from "./measure.mjs";

const total = 100_000;
const asked = 300;
const batch = 5000;

export async function measureScale() {
  const folder = temporaryFolder();
  const db = join(folder.path, "memory.db");
  const { texts, questions } = makeTexts();
  const memory = await openMemory({ db, project: "scale" });
  const started = performance.now();
  for (let n = 0; n < texts.length; n += batch) {
    const inputs = texts
      .slice(n, n + batch)
      .map(({ id, text }) => ({ type: "conversation", content: text, metadata: { id } }));
    await memory.rememberMany(inputs);
  }
  const perSecond = texts.length / ((performance.now() - started) / 1000);
  const plain = await makePlainTable(join(folder.path, "plain.db"), texts);

  const times = { ours: [], plain: [] };
  const recall = { ours: 0, allWords: 0, plain: 0 };
  const sample = questions.filter((_, index) => index % Math.ceil(questions.length / asked) === 0);
  // Turn by turn, so that what else the machine does hits both.
  for (const { question, gold } of sample) {
    const ours = await timed(times.ours, () => memory.recall(question, { limit: 10 }));
    const theirs = await timed(times.plain, () => askPlain(plain, question));
    recall.ours += share(
      gold,
      ours.map((result) => result.memory.metadata.id),
    );
    recall.plain += share(gold, theirs);
  }
  // Without a limit every word is searched for: what the short cut is measured against.
  for (const { question, gold } of sample) {
    const all = (await memory.recall(question, { minScore: 0.2 })).slice(0, 10);
    recall.allWords += share(
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
  plain.close();
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

/** LoCoMo's turns among others made of the words of LoCoMo and Cranfield, common ones as common as in real text. */
export function makeTexts() {
  const random = seeded(42);
  const conversations = readLocomo();
  const turns = conversations.flatMap(({ id, turns: own }) =>
    own.map((turn) => ({ id: `${id}/${turn.id}`, text: turn.text })),
  );
  const sentences = readCranfield().documents.flatMap(({ text }) =>
    text.split(/ \.\s+/).filter((sentence) => sentence.length > 20),
  );
  const sources = [turns.map(({ text }) => text), sentences.map((sentence) => sentence.slice(0, 250))];
  const bags = sources.map((texts) => texts.flatMap((text) => contentWords(text)));
  const texts = [...turns];
  while (texts.length < total) {
    const kind = random() < 0.75 ? 0 : 1;
    const model = pick(sources[kind], random);
    const content = new Set(contentWords(model));
    const text = model.replace(/[A-Za-z']+/g, (word) =>
      !content.has(word) || random() < 0.3 ? word : pick(bags[kind], random),
    );
    texts.push({ id: "other", text });
  }
  for (let n = texts.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [texts[n], texts[other]] = [texts[other], texts[n]];
  }
  const questions = conversations.flatMap(({ id, questions: own }) =>
    own.map(({ question, gold }) => ({ question, gold: gold.map((turn) => `${id}/${turn}`) })),
  );
  return { texts, questions };
}

function contentWords(text) {
  return queryWords(text)
    .words.map((word) => word.text)
    .filter((word) => /^[A-Za-z']+$/.test(word));
}

export async function makePlainTable(path, texts) {
  const client = await connect({ kind: "file", path }, 10_000);
  await client.execute(`CREATE VIRTUAL TABLE plain USING fts5 (content, id UNINDEXED, tokenize = "porter unicode61")`);
  const transaction = await client.transaction("write");
  for (const { id, text } of texts) {
    await transaction.execute({ sql: "INSERT INTO plain (content, id) VALUES (?, ?)", args: [text, id] });
  }
  await transaction.commit();
  return client;
}

export async function askPlain(client, question) {
  const match = (question.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ");
  const sql = "SELECT id FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 10";
  return (await client.execute({ sql, args: [match] })).rows.map((row) => row.id);
}

async function timed(times, work) {
  const start = performance.now();
  const result = await work();
  times.push(performance.now() - start);
  return result;
}

function share(gold, found) {
  return gold.filter((id) => found.includes(id)).length / gold.length;
}

function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

function seeded(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
