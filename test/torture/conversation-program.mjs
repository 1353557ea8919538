// Talks, compacts and consolidates until it is killed, or `rounds` times. Says each batch of turns before it is appended and
// after, and each archive when it is there, with the line that its model has added. `home` holds the store and the files;
// nobody else appends to its `sessions`.
import { setTimeout as sleep } from "node:timers/promises";
import { breakAtPoints } from "./break-points.mjs";
import { answerAsModel } from "./memory-model.mjs";
import { randomFrom, sentence, word } from "./sentence.mjs";
import { describeError, say, settings, told } from "./speak.mjs";

const { library, modules, home, project, sessions, life, seed, rounds = Infinity, overflows = true, acts } = settings;
process.env.TACIT_HOME = home;
const random = randomFrom(seed);
// The same modules as those that are broken at their points: a bundle has its own.
const { openMemory } = await import(settings.points ? new URL("index.js", modules).href : library);
const points = settings.points && (await breakAtPoints({ ...settings.points, modules, home }));

const begun = performance.now();
const memory = await openMemory({ project, embedder: null });
await memory.conversations.memoryFile();
say({ ready: true, ms: Math.round(performance.now() - begun) });
if (settings.waits) await told();
points?.arm();

/** Answers as a model that keeps the memory and adds a line to it, after a few milliseconds; now and then not at all. */
async function promptFn(message) {
  await sleep(random() * 12);
  newLine = random() < 0.2 ? undefined : factOf();
  if (newLine === undefined) return "I am sorry, I cannot help with that.";
  return answerAsModel(message, sentence(random, "The summary"), newLine);
}

let newLine;

let facts = 0;
function factOf() {
  facts += 1;
  return `The ${word(random)} service of ${life}-${facts} answers on port ${4000 + Math.floor(random() * 4000)}.`;
}

function turnsOf(n) {
  const count = 1 + Math.floor(random() * 3);
  return Array.from({ length: count }, (_, index) => {
    const mark = `${life}-${n}-${index}`;
    if (index % 2 === 1) return { role: "assistant", content: sentence(random, mark), toolsUsed: ["Read", "Edit"] };
    return { role: "user", content: random() < 0.4 ? `Remember that ${lower(factOf())}` : sentence(random, mark) };
  });
}

function lower(text) {
  return text[0].toLowerCase() + text.slice(1);
}

const acting = {
  compact: async (talk) => ({ compaction: await talk.compact() }),
  rules: async (talk) => talk.consolidate(),
  model: async (talk) => talk.consolidate({ promptFn, timeoutMs: 1000 }),
  new: async (talk) => talk.startNew(random() < 0.5 ? { promptFn, timeoutMs: 1000 } : {}),
  step: async () => void (await memory.conversations.memoryFile()),
};

try {
  for (let n = 0; n < rounds; n += 1) {
    const sessionId = sessions[Math.floor(random() * sessions.length)];
    const talk = memory.conversation(sessionId, { keepCount: 2, autoConsolidate: overflows });
    await append(talk, turnsOf(`${n}`));
    const act = acts ? acts[n % acts.length] : pick({ none: 4, compact: 2, rules: 2, model: 3, new: 2, step: 1 });
    const started = performance.now();
    // Now and then the talk goes on meanwhile.
    const meanwhile =
      random() < 0.5 ? sleep(random() * 20).then(() => append(talk, turnsOf(`${n} meanwhile`))) : undefined;
    const [done] = await Promise.all([acting[act]?.(talk), meanwhile]);
    if (done?.compaction) {
      const { marker, archive } = done.compaction;
      const ms = Math.round(performance.now() - started);
      const learned = done.by === "model" ? [newLine] : [];
      tell({ archived: sessionId, by: done.by, marker, id: archive.id, learned, ms });
    }
  }
  await memory.close();
  say({ closed: true, points: points?.counts() });
} catch (error) {
  say({ error: describeError(error), stack: error?.stack });
}

async function append(talk, batch) {
  tell({ about: talk.sessionId, contents: batch.map(({ content }) => content) });
  const added = await talk.append(batch);
  tell({ appended: talk.sessionId, sequences: added.map(({ sequence }) => sequence) });
}

function tell(line) {
  say(line);
  points?.note(line);
}

function pick(weights) {
  let left = random() * Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  return Object.keys(weights).find((name) => (left -= weights[name]) < 0) ?? "none";
}
