import { queryWords, type QueryWord } from "../base/words.js";
import { MemoryError } from "../base/memory-error.js";
import { filterConditions, type FilterSql } from "../memory/memory-filter.js";
import { listByKeys } from "../memory/memory-queries.js";
import { checkFilter } from "../memory/check-input.js";
import { findNameHolder } from "../memory/names.js";
import type { ProjectStore } from "../memory/project-store.js";
import { findProject, userProject, type Project } from "../memory/projects.js";
import { withRelativeFiles } from "../memory/related-file.js";
import type { Reader } from "../storage/storage.js";
import type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval.js";
import { listWordMatches } from "./list-word-matches.js";
import { scoreOf } from "./score-words.js";

/**
 * Finds what is worth knowing about a question, best first; below it what is true everywhere, from the project `user`.
 * Never writes. Nothing found is an empty list.
 */
export async function recall(from: ProjectStore, query: string, options: RecallOptions = {}): Promise<RecallResult[]> {
  checkQuery(query);
  checkFilter("recall()", options);
  const { limit = Infinity, includeUser = true } = options;
  const wanted = await withRelativeFiles(from, options);
  return from.store.read(async (reader) => {
    const now = from.now();
    const { project: own } = await findProject(reader, from.project);
    const results = own && limit > 0 ? await recallIn(reader, own, query, { ...wanted, limit }, now) : [];
    // Only where there is room: most questions are answered by the project itself.
    const left = limit - results.length;
    const { project: user } = includeUser && left > 0 ? await findProject(reader, { id: userProject }) : {};
    if (!user || user.number === own?.number) return results;
    return [...results, ...(await recallIn(reader, user, query, { ...wanted, limit: left }, now))];
  });
}

async function recallIn(
  reader: Reader,
  project: Project,
  query: string,
  { limit = Infinity, minScore = 0, ...wanted }: RecallOptions,
  now: Date,
): Promise<RecallResult[]> {
  const { words } = queryWords(query);
  const filter = filterConditions(wanted, project, now);
  const named = await findNamed(reader, project, query, filter);
  const matches = words.length === 0 ? [] : await listWordMatches(reader, project, words, filter, limit);
  const ranked = [
    ...(named === undefined ? [] : [{ key: named, score: 1, columns: await readTokens(reader, named) }]),
    ...matches
      .filter(({ key }) => key !== named)
      .map(({ key, share, columns }) => ({ key, score: scoreOf(share), columns })),
  ]
    .filter(({ score }) => score >= minScore)
    .slice(0, limit);

  const keys = ranked.map(({ key }) => key);
  const memories = new Map((await listByKeys(reader, project, keys, now)).map(({ key, memory }) => [key, memory]));
  return ranked.flatMap(({ key, score, columns }) => {
    const memory = memories.get(key);
    const found = placesOf(words, columns);
    const why = key === named ? `it is called ${JSON.stringify(query.trim())}` : sentenceOf(found);
    return memory ? [{ memory, score, matched: [...found.keys()], why }] : [];
  });
}

/** Which words of a question are looked for, and why it may find nothing. */
export function explainQuery(query: string): QueryExplanation {
  checkQuery(query);
  const { words, ignored } = queryWords(query);
  return {
    words: words.map(({ text }) => text),
    ignored,
    ...(words.length === 0 && {
      note: `There is no searchable word in ${JSON.stringify(query)}${ignored.length > 0 ? ": words such as “" + ignored.slice(0, 3).join("”, “") + "” are in every text" : ""}. Ask with a word that the memory would contain.`,
    }),
  };
}

function checkQuery(query: unknown): void {
  if (typeof query === "string") return;
  throw new MemoryError("invalid-input", "The question must be a text.", 'recall("how do we deploy?")');
}

/** The memory whose name or alias is the whole question, if the filter lets it through. */
async function findNamed(
  reader: Reader,
  project: Project,
  query: string,
  { conditions, args }: FilterSql,
): Promise<number | undefined> {
  const holder = await findNameHolder(reader, project, query.trim());
  if (!holder) return undefined;
  const rows = await reader.rows(
    `SELECT m.key FROM memories AS m WHERE ${["m.key = :key", ...conditions].join(" AND ")}`,
    { ...args, key: holder.key },
  );
  return rows.length > 0 ? holder.key : undefined;
}

/** The tokens of a memory's content, name, tags and files. */
async function readTokens(reader: Reader, key: number): Promise<string[]> {
  const [row] = await reader.rows("SELECT content, name, tags, files FROM memory_words WHERE rowid = :key", {
    key: BigInt(key),
  });
  return row ? [row["content"], row["name"], row["tags"], row["files"]].map(String) : [];
}

const places = ["text", "name", "tags", "files"];

/** The words of the question that are in the memory, as they were asked, each with the places it is in. */
function placesOf(words: QueryWord[], columns: string[]): Map<string, string[]> {
  const tokens = columns.map((column) => column.split(" "));
  const found = new Map<string, string[]>();
  for (const { text, token, prefix } of words) {
    const holding = places.filter((_, index) =>
      tokens[index]?.some((candidate) => candidate === token || (prefix && candidate.startsWith(token))),
    );
    if (holding.length > 0) found.set(text, [...new Set([...(found.get(text) ?? []), ...holding])]);
  }
  return found;
}

/** "has deploy and staging in its text, release in its tags" */
function sentenceOf(found: Map<string, string[]>): string {
  const byPlace = new Map<string, string[]>();
  for (const [word, holding] of found) {
    for (const place of holding) byPlace.set(place, [...(byPlace.get(place) ?? []), word]);
  }
  return `has ${[...byPlace].map(([place, words]) => `${words.join(" and ")} in its ${place}`).join(", ")}`;
}
