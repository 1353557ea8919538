// How often the right one is among the first, for Tacit and its peers: LoCoMo and Cranfield, the same rankings' every score.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCranfield, readLocomo } from "./corpora.mjs";
import { temporaryFolder } from "./measure.mjs";
import { runPeer } from "./peers/run-peer.mjs";
import { mean, ndcg, recallAt, reciprocalRank, sessionsOf } from "./scores.mjs";

// Ten turns may all be of one session; fifty are enough for five sessions.
const sessionDepth = 50;

const measured = new Map();

/** The scores of a peer: `{ "LoCoMo dev, R@5": 54.2, … }`. Measured once a run. */
export async function measurePeerQuality(peer) {
  if (!measured.has(peer)) measured.set(peer, scorePeer(peer));
  return measured.get(peer);
}

async function scorePeer(peer) {
  const folder = temporaryFolder();
  const locomo = readLocomo();
  const cranfield = readCranfield();
  const rank = async (name, collections, limits) => {
    const file = join(folder.path, `${name}.json`);
    writeFileSync(file, JSON.stringify(collections));
    const { found } = await runPeer(peer, "rank", { folder: join(folder.path, name), file, limits });
    return found;
  };
  try {
    const turns = await rank("locomo", locomo.map(conversationOf), [10, sessionDepth]);
    const documents = await rank("cranfield", [collectionOf(cranfield)], [10]);
    return { ...scoreLocomo(locomo, turns), ...scoreCranfield(cranfield, documents) };
  } finally {
    folder.remove();
  }
}

function conversationOf({ id, turns, questions }) {
  return { id, items: turns, questions: questions.map(({ question }) => question) };
}

function collectionOf({ documents, queries }) {
  const items = documents.map(({ id, text }) => ({ id, text: text.trim() === "" ? "(empty)" : text }));
  return { id: "cranfield", items, questions: queries };
}

function scoreLocomo(conversations, found) {
  let next = 0;
  const scored = conversations.flatMap(({ isTunedOn, turns, questions }) => {
    const sessionOf = new Map(turns.map(({ id, session }) => [id, session]));
    return questions.map(({ gold }) => {
      const { 10: ten, [sessionDepth]: deep } = found[next++];
      return {
        isTunedOn,
        "R@5": 100 * recallAt(5, gold, ten),
        "R@10": 100 * recallAt(10, gold, ten),
        "nDCG@10": ndcg(new Map(gold.map((id) => [id, 1])), ten),
        MRR: reciprocalRank(gold, ten),
        // The share of the sessions that answer a question among the first five different sessions of its ranking.
        "session-level R@5": 100 * recallAt(5, sessionsOf(gold, sessionOf), sessionsOf(deep, sessionOf)),
      };
    });
  });
  const halves = {
    "LoCoMo dev": scored,
    "LoCoMo dev, tuned on": scored.filter(({ isTunedOn }) => isTunedOn),
    "LoCoMo dev, held out": scored.filter(({ isTunedOn }) => !isTunedOn),
  };
  const measures = ["R@5", "R@10", "nDCG@10", "MRR", "session-level R@5"];
  return Object.fromEntries(
    Object.entries(halves).flatMap(([half, questions]) =>
      measures.map((measure) => [`${half}, ${measure}`, mean(questions.map((question) => question[measure]))]),
    ),
  );
}

function scoreCranfield({ grades }, found) {
  const scored = grades.map((judged, index) => {
    const relevant = [...judged].filter(([, grade]) => grade > 0).map(([id]) => id);
    const ten = found[index][10];
    return [
      100 * recallAt(5, relevant, ten),
      100 * recallAt(10, relevant, ten),
      ndcg(judged, ten),
      reciprocalRank(relevant, ten),
    ];
  });
  return Object.fromEntries(
    ["R@5", "R@10", "nDCG@10", "MRR"].map((measure, n) => [
      `Cranfield, ${measure}`,
      mean(scored.map((scores) => scores[n])),
    ]),
  );
}
