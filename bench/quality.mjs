// How often the right memory is among the first: LoCoMo (R@5, R@10) and Cranfield (nDCG@10), by words alone.
import { join } from "node:path";
import { openMemory } from "../dist/index.js";
import { readCranfield, readLocomo } from "./corpora.mjs";
import { temporaryFolder } from "./measure.mjs";
import { ndcg } from "./scores.mjs";

export async function measureQuality() {
  const locomo = await measureLocomo();
  const cranfield = await measureCranfield();
  return [
    { what: `LoCoMo dev, ${locomo.questions} questions, R@5`, value: locomo.at5 },
    { what: "LoCoMo dev, R@10", value: locomo.at10, atLeast: 61 },
    { what: "Cranfield, 225 queries, nDCG@10", value: cranfield, atLeast: 0.38 },
  ];
}

/** One store, a project a conversation, a memory a turn. */
async function measureLocomo() {
  const folder = temporaryFolder();
  let [questions, at5, at10] = [0, 0, 0];
  for (const conversation of readLocomo()) {
    const memory = await openMemory({ db: join(folder.path, "memory.db"), project: conversation.id });
    const kept = await memory.rememberMany(
      conversation.turns.map(({ id, session, text }) => ({
        type: "conversation",
        content: text,
        sessionId: session,
        metadata: { id },
      })),
    );
    if (kept.length !== conversation.turns.length) throw new Error("a turn was lost");
    for (const { question, gold } of conversation.questions) {
      const found = (await memory.recall(question, { limit: 10 })).map((result) => result.memory.metadata.id);
      questions += 1;
      at5 += gold.filter((id) => found.slice(0, 5).includes(id)).length / gold.length;
      at10 += gold.filter((id) => found.includes(id)).length / gold.length;
    }
    await memory.close();
  }
  folder.remove();
  return { questions, at5: (100 * at5) / questions, at10: (100 * at10) / questions };
}

async function measureCranfield() {
  const folder = temporaryFolder();
  const { documents, queries, grades } = readCranfield();
  const memory = await openMemory({ db: join(folder.path, "memory.db"), project: "cranfield" });
  await memory.rememberMany(
    documents.map(({ id, text }) => ({ content: text.trim() === "" ? "(empty)" : text, metadata: { id } })),
  );
  let sum = 0;
  for (const [index, query] of queries.entries()) {
    const found = (await memory.recall(query, { limit: 10 })).map((result) => result.memory.metadata.id);
    sum += ndcg(grades[index], found);
  }
  await memory.close();
  folder.remove();
  return sum / queries.length;
}
