// The stores of many memories. Each is filled once a run, and shared by the parts that ask it.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./measure.mjs";
import { isOurs } from "./peers/peers.mjs";
import { runPeer } from "./peers/run-peer.mjs";
import { makeTexts } from "./scale-texts.mjs";

// What cannot be done in this time is not waited for: some peers would take hours.
export const fillBudgetMs = 120_000;
const ourBudgetMs = 3_600_000;
const asked = 300;
// Asked in processes of their own, and nowhere else: Tacit knows the vectors of the questions it has seen.
const starts = 5;

const prepared = new Map();
const filled = new Map();

/** The texts of one size, in a file that every peer reads, and the questions to ask. Gone when the process ends. */
export function prepareScale(total) {
  if (!prepared.has(total)) {
    const { path } = temporaryFolder();
    const { texts, questions } = makeTexts(total);
    const file = join(path, "texts.json");
    writeFileSync(file, JSON.stringify(texts));
    const others = questions.slice(starts);
    prepared.set(total, {
      total,
      folder: path,
      file,
      firstQuestions: questions.slice(0, starts),
      questions: others.filter((_, index) => index % Math.ceil(others.length / asked) === 0),
    });
  }
  return prepared.get(total);
}

/**
 * Puts the texts into a peer's store: its folder, how many it took and how many a second. Tacit gets the time it needs; a
 * peer that needs more than `fillBudgetMs` is cut short.
 */
export async function fillStore(peer, { total, folder: place, file }) {
  const folder = join(place, peer);
  if (!filled.has(folder)) {
    const input = { folder, file, budgetMs: isOurs(peer) ? ourBudgetMs : fillBudgetMs };
    filled.set(folder, runPeer(peer, "fill", input, { timeoutMs: ourBudgetMs }));
  }
  const { added, perSecond } = await filled.get(folder);
  return { folder, added, perSecond, isWhole: added === total };
}
