// Reads the corpora that are measured on. They are not ours to ship: they lie in ../shared/data beside the clone.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const data = join(import.meta.dirname, "..", "..", "shared", "data");

export function haveCorpora() {
  return existsSync(join(data, "locomo")) && existsSync(join(data, "cranfield"));
}

/**
 * LoCoMo: conversations with their turns, and questions of categories 1 to 4 with the turns that answer them. Constants
 * were tuned on every other conversation; the rest is held out.
 */
export function readLocomo() {
  return JSON.parse(readFileSync(join(data, "locomo", "locomo-dev5.json"), "utf8")).map((sample, index) => {
    const turns = [];
    for (let n = 1; sample.conversation[`session_${n}_date_time`]; n += 1) {
      const began = readTime(sample.conversation[`session_${n}_date_time`]);
      for (const [second, turn] of (sample.conversation[`session_${n}`] ?? []).entries()) {
        turns.push({
          id: turn.dia_id,
          session: `session_${n}`,
          text: `${turn.speaker}: ${turn.text}`,
          createdAt: new Date(began + second * 1000).toISOString(),
        });
      }
    }
    const known = new Set(turns.map(({ id }) => id));
    const questions = sample.qa
      .filter(({ category }) => category >= 1 && category <= 4)
      .map(({ question, evidence }) => ({ question, gold: goldOf(evidence, known) }))
      .filter(({ gold }) => gold.length > 0);
    return { id: sample.sample_id, isTunedOn: index % 2 === 0, turns, questions };
  });
}

/** The time of a text such as "1:56 pm on 8 May, 2023", in milliseconds. The data gives no time zone. */
function readTime(text) {
  const [, hour, minute, half, date] = /^(\d+):(\d+) ([ap]m) on (.+)$/.exec(text);
  return Date.parse(`${date} UTC`) + ((Number(hour) % 12) + (half === "pm" ? 12 : 0)) * 3_600_000 + minute * 60_000;
}

/** Some evidence names several turns in one text, and a few name turns that do not exist. */
function goldOf(evidence, known) {
  const ids = evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? []);
  return [...new Set(ids)].filter((id) => known.has(id));
}

/** Cranfield: abstracts, queries, and graded judgements by query and document. */
export function readCranfield() {
  const documents = records("cran.all.1400").map((fields, index) => ({
    id: index + 1,
    text: `${fields.T} ${fields.W}`,
  }));
  const queries = records("cran.qry").map((fields) => fields.W);
  const grades = queries.map(() => new Map());
  for (const line of readFileSync(join(data, "cranfield", "cranqrel"), "utf8").split(/\r?\n/)) {
    const [query, document, code] = line.trim().split(/\s+/).map(Number);
    // 1 is the most relevant, 4 the least; -1 stands for "of no interest".
    if (query) grades[query - 1].set(document, { 1: 4, 2: 3, 3: 2, 4: 1 }[code] ?? 0);
  }
  return { documents, queries, grades };
}

function records(file) {
  const found = [];
  let field;
  for (const line of readFileSync(join(data, "cranfield", file), "utf8").split(/\r?\n/)) {
    if (line.startsWith(".I ")) found.push({ T: "", A: "", B: "", W: "" });
    else if (/^\.[TABW]\s*$/.test(line)) field = line[1];
    else if (found.length > 0) found.at(-1)[field] += `${line} `;
  }
  return found;
}
