import { queryWords } from "../build/base/text/words.js";
import { readCranfield, readLocomo } from "./corpora.mjs";

// About as long as LoCoMo's.
const turnsOfSession = 22;

/** The tag of every hundredth text: a filter that leaves 1 %. */
export const rareTag = "one-in-a-hundred";

/**
 * LoCoMo's turns among others made of the words of LoCoMo and Cranfield, common ones as common as in real text, in the
 * sessions they are of; and the questions whose answers are all among them. The same every time.
 */
export function makeTexts(total) {
  const random = seeded(42);
  const conversations = readLocomo();
  const turns = conversations.flatMap(({ id, turns: own }) =>
    own.map((turn) => ({ ...turn, id: `${id}/${turn.id}`, session: `${id}/${turn.session}` })),
  );
  const texts = [...turns.slice(0, total), ...makeOthers(turns, total - turns.length, random)];
  for (let n = texts.length - 1; n > 0; n -= 1) {
    const other = Math.floor(random() * (n + 1));
    [texts[n], texts[other]] = [texts[other], texts[n]];
  }
  for (let n = 0; n < texts.length; n += 100) texts[n] = { ...texts[n], tags: [rareTag] };
  const ids = new Set(texts.map(({ id }) => id));
  const questions = conversations
    .flatMap(({ id, questions: own }) =>
      own.map(({ question, gold }) => ({ question, gold: gold.map((turn) => `${id}/${turn}`) })),
    )
    .filter(({ gold }) => gold.every((id) => ids.has(id)));
  return { texts, questions };
}

function makeOthers(turns, count, random) {
  const sentences = readCranfield().documents.flatMap(({ text }) =>
    text.split(/ \.\s+/).filter((sentence) => sentence.length > 20),
  );
  const sources = [turns.map(({ text }) => text), sentences.map((sentence) => sentence.slice(0, 250))];
  const bags = sources.map((texts) => texts.flatMap((text) => contentWords(text)));
  return Array.from({ length: Math.max(0, count) }, (_, n) => {
    const kind = random() < 0.75 ? 0 : 1;
    const model = pick(sources[kind], random);
    const content = new Set(contentWords(model));
    const text = model.replace(/[A-Za-z']+/g, (word) =>
      !content.has(word) || random() < 0.3 ? word : pick(bags[kind], random),
    );
    const createdAt = new Date(Date.UTC(2024, 0, 1) + n * 60_000).toISOString();
    return { id: `other/${n}`, session: `other/${Math.floor(n / turnsOfSession)}`, text, createdAt };
  });
}

function contentWords(text) {
  return queryWords(text)
    .words.map((word) => word.text)
    .filter((word) => /^[A-Za-z']+$/.test(word));
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
