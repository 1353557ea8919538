// A process that stays open over 10,000 memories: what of the time that keeping and asking takes is the model's.
import { join } from "node:path";
import { openBundledEmbedder } from "../build/embedding/bundled/open-bundled-embedder.js";
import { openMemory } from "../dist/index.js";
import { median, percentile, temporaryFolder, timed } from "./measure.mjs";
import { makeTexts } from "./scale-texts.mjs";

const total = 10_000;
const asked = 300;

export async function measureResident() {
  const folder = temporaryFolder();
  const { texts, questions } = makeTexts(total);
  const model = await openBundledEmbedder();
  await model.embed(["The model is loaded once."], "document");
  const embedding = [];
  // The same model, with a look at the clock before and after.
  const watched = { ...model, embed: (...args) => timed(embedding, () => model.embed(...args)) };
  const memory = await openMemory({ db: join(folder.path, "memory.db"), project: "resident", embedder: watched });

  const filling = [];
  await timed(filling, async () => {
    await memory.rememberMany(texts.map(({ session, text, createdAt }) => inputOf(session, text, createdAt)));
    await memory.embedPending();
  });
  const whole = sum(filling);
  const inModel = sum(embedding);

  const times = { hybrid: [], embedding: [] };
  const sample = questions.filter((_, index) => index % Math.ceil(questions.length / asked) === 0);
  // Turn by turn, so that what else the machine does hits both.
  for (const { question } of sample) {
    const { mode } = await timed(times.hybrid, () => memory.recallReport(question, { limit: 10 }));
    if (mode !== "hybrid") throw new Error("the question was answered by words alone");
    await timed(times.embedding, () => model.embed([question], "query"));
  }
  await memory.close();
  folder.remove();
  return [
    { what: "10,000 by rememberMany and embedPending, seconds", value: whole / 1000 },
    { what: "of that in the model, %", value: (100 * inModel) / whole, atLeast: 90 },
    { what: "hybrid, ms p50", value: median(times.hybrid) },
    { what: "hybrid, ms p95", value: percentile(times.hybrid, 0.95) },
    { what: "embedding the question, ms p50", value: median(times.embedding) },
    { what: "hybrid / embedding the question, p50", value: median(times.hybrid) / median(times.embedding), atMost: 2 },
  ];
}

function inputOf(session, content, createdAt) {
  return { type: "conversation", content, sessionId: session, createdAt };
}

function sum(values) {
  return values.reduce((total_, value) => total_ + value, 0);
}
