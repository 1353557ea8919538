// Recall over archives and turns beside recall over turns alone: whether the turns that answer are found as well.
import { join } from "node:path";
import { openBundledEmbedder } from "../build/embedding/bundled/open-bundled-embedder.js";
import { openMemory } from "../dist/index.js";
import { readLocomo } from "./corpora.mjs";
import { median, temporaryFolder, timed } from "./measure.mjs";
import { makeTexts } from "./scale-texts.mjs";
import { mean, recallAt } from "./scores.mjs";

const modes = ["words", "hybrid"];
const depths = [5, 10];

/**
 * LoCoMo's turns kept as conversations, once as they are and once with every session compacted by Tacit's own summary. Of
 * the first results, in which archives take places too, only the turns that answer count; told apart, also an archive that
 * quotes the longest sentence of such a turn word by word.
 */
export async function measureArchives() {
  // Embedding in the background pauses without keeping the process alive, and embedPending() waits for that.
  const alive = setInterval(() => undefined, 1000);
  const found = await askBoth();
  const many = await askMany();
  clearInterval(alive);
  return [...modes.flatMap((mode) => rowsOf(mode, found)), ...many];
}

function rowsOf(mode, found) {
  const of = (name, k, half) =>
    100 *
    mean(
      found
        .filter((one) => one.mode === mode && (half === undefined || one.isTunedOn === half))
        .map((one) => one[name][k]),
    );
  return depths.flatMap((k) => [
    { what: `LoCoMo dev, ${mode}, R@${k}, turns alone`, value: of("turns", k) },
    { what: `… with archives, turns that answer`, value: of("strict", k), atLeast: of("turns", k) },
    { what: `… tuned on: turns alone`, value: of("turns", k, true) },
    { what: `… tuned on: with archives`, value: of("strict", k, true) },
    { what: `… held out: turns alone`, value: of("turns", k, false) },
    { what: `… held out: with archives`, value: of("strict", k, false) },
    { what: `… with archives, quotes counted`, value: of("quoted", k) },
    { what: `… archives among the first ${k}`, value: of("archives", k) / 100 },
  ]);
}

async function askBoth() {
  const folder = temporaryFolder();
  const embedder = await openCachingEmbedder();
  const found = [];
  for (const { id, isTunedOn, turns, questions } of readLocomo()) {
    const stores = {};
    for (const isCompacted of [false, true]) {
      const db = join(folder.path, isCompacted ? "archives.db" : "turns.db");
      const memory = await openMemory({ db, project: id, embedder });
      const kept = await keepTurns(memory, turns, { isCompacted });
      await embedAll(memory);
      stores[isCompacted ? "both" : "turns"] = { memory, kept };
    }
    for (const { question, gold } of questions) {
      for (const mode of modes) found.push({ mode, isTunedOn, ...(await askOne(stores, turns, question, gold, mode)) });
    }
    for (const { memory } of Object.values(stores)) await memory.close();
    console.error(`  ${id}: ${turns.length} turns, ${questions.length} questions`);
  }
  folder.remove();
  return found;
}

async function askOne({ turns, both }, texts, question, gold, mode) {
  const ask = async ({ memory, kept }) => {
    const report = await memory.recallReport(question, { limit: 10, mode });
    if (report.mode !== mode)
      throw new Error(`asked for ${mode}, answered by ${report.mode}: ${report.notes.join(" ")}`);
    return report.results.map(({ memory: one }) => ({
      turn: kept.get(one.id),
      archive: one.type === "archive" ? one : undefined,
    }));
  };
  const [alone, together] = [await ask(turns), await ask(both)];
  const wanted = texts.filter(({ id }) => gold.includes(id));
  const shareOf = (results, isFound) =>
    wanted.filter((turn) => results.some((one) => isFound(one, turn))).length / wanted.length;
  const is = (one, { id }) => one.turn === id;
  const quotes = ({ archive }, { session, text }) =>
    archive !== undefined && archive.sessionId === session && plain(archive.content).includes(longestSentence(text));
  const at = (measure) => Object.fromEntries(depths.map((k) => [k, measure(k)]));
  return {
    turns: at((k) => shareOf(alone.slice(0, k), is)),
    strict: at((k) => shareOf(together.slice(0, k), is)),
    quoted: at((k) => shareOf(together.slice(0, k), (one, turn) => is(one, turn) || quotes(one, turn))),
    archives: at((k) => together.slice(0, k).filter(({ archive }) => archive).length),
  };
}

/** Keeps turns as conversations; which memory is which turn. */
async function keepTurns(memory, turns, { isCompacted }) {
  const kept = new Map();
  const speakers = [...new Set(turns.map(({ text }) => text.slice(0, text.indexOf(":"))))];
  const sessions = new Map();
  for (const turn of turns) sessions.set(turn.session, [...(sessions.get(turn.session) ?? []), turn]);
  for (const [session, unordered] of sessions) {
    const said = unordered.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt));
    const talk = memory.conversation(session, { autoConsolidate: false });
    const added = await talk.append(
      said.map(({ text, createdAt }) => ({
        role: text.startsWith(`${speakers[0]}:`) ? "user" : "assistant",
        content: text,
        timestamp: createdAt,
      })),
    );
    added.forEach(({ ids }, index) => ids.forEach((id) => kept.set(id, said[index].id)));
    if (isCompacted) await talk.compact({ keepCount: 0 });
  }
  return kept;
}

async function embedAll(memory) {
  const { pending, failure } = await memory.embedPending();
  if (pending > 0) throw new Error(`${pending} memories have no vector: ${failure ?? "they were refused"}`);
}

/** The bundled model, which embeds a text once however many stores hold it. */
async function openCachingEmbedder() {
  const model = await openBundledEmbedder();
  const known = new Map();
  return {
    ...model,
    // Each memory closes what it was given; the next one needs it.
    close: async () => undefined,
    embed: async (texts, purpose, ...rest) => {
      const nameOf = (text) => `${purpose} ${text}`;
      const unknown = [...new Set(texts.filter((text) => !known.has(nameOf(text))))];
      const vectors = unknown.length === 0 ? [] : await model.embed(unknown, purpose, ...rest);
      unknown.forEach((text, index) => known.set(nameOf(text), vectors[index]));
      return texts.map((text) => known.get(nameOf(text)));
    },
  };
}

function longestSentence(text) {
  const said = text.slice(text.indexOf(":") + 1);
  const sentences = said.split(/(?<=[.!?])\s+/).map(plain);
  return sentences.toSorted((a, b) => b.length - a.length)[0];
}

function plain(text) {
  return text.replaceAll(/\s+/g, " ").trim();
}

const manyTurns = 20_000;
const timedQuestions = 300;

/** 20,000 turns by words, with an archive for each session of 22 and without: what a question finds, and how long it takes. */
async function askMany() {
  const folder = temporaryFolder();
  const { texts, questions } = makeTexts(manyTurns);
  const stores = [];
  for (const isCompacted of [false, true]) {
    const db = join(folder.path, isCompacted ? "archives.db" : "turns.db");
    const memory = await openMemory({ db, project: "scale", embedder: null });
    stores.push({ memory, kept: await keepTurns(memory, texts, { isCompacted }), times: [], found: [] });
    await memory.recall("What is loaded once?", { limit: 10 });
  }
  const sample = questions.filter((_, index) => index % Math.ceil(questions.length / timedQuestions) === 0);
  // Turn by turn, so that what else the machine does hits both.
  for (const { question, gold } of sample) {
    for (const { memory, kept, times, found } of stores) {
      const results = await timed(times, () => memory.recall(question, { limit: 10, mode: "words" }));
      found.push(
        recallAt(
          10,
          gold,
          results.map(({ memory: { id } }) => kept.get(id)),
        ),
      );
    }
  }
  for (const { memory } of stores) await memory.close();
  folder.remove();
  const [alone, together] = stores.map(({ times, found }) => ({ ms: median(times), right: 100 * mean(found) }));
  return [
    { what: "20,000 turns, words, R@10, turns alone", value: alone.right },
    { what: "… with archives, turns that answer", value: together.right },
    { what: "… turns alone, ms p50", value: alone.ms },
    { what: "… with archives, ms p50", value: together.ms },
    { what: "… with archives / turns alone, p50", value: together.ms / alone.ms, atMost: 1.5 },
  ];
}
