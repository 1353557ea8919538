import { indexTokens, queryWords, type QueryWord } from "../base/words.js";
import { MemoryError } from "../base/memory-error.js";
import { filterConditions } from "../memory/memory-filter.js";
import { findByKeys } from "../memory/memory-queries.js";
import { checkLimit } from "../memory/list.js";
import type { Memory } from "../memory/memory.js";
import { findNameHolder } from "../memory/names.js";
import { readProject, type ProjectStore } from "../memory/project-store.js";
import type { Project } from "../memory/projects.js";
import { withRelativeFiles } from "../memory/related-file.js";
import type { Reader, SqlArgs } from "../storage/storage.js";
import type { QueryExplanation, RecallOptions, RecallResult } from "./retrieval.js";
import { findByWords } from "./find-by-words.js";

/** Finds what is worth knowing about a question, best first. Never writes. Nothing found is an empty list. */
export async function recall(from: ProjectStore, query: string, options: RecallOptions = {}): Promise<RecallResult[]> {
  checkOptions(query, options);
  const { limit = Infinity, minScore = 0 } = options;
  const { words } = queryWords(query);
  const now = from.now();
  const wanted = await withRelativeFiles(from, options);
  if (limit === 0) return [];
  return readProject(from, [], async (reader, project) => {
    const filter = filterConditions(wanted, project, now);
    const named = await findNamed(reader, project, query, filter);
    const byWords = words.length === 0 ? [] : await findByWords(reader, project, words, filter, limit);

    const scores = new Map(byWords.map(({ key, score }) => [key, score]));
    if (named !== undefined) scores.set(named, 1);
    const ranked = [...scores]
      .filter(([, score]) => score >= minScore)
      .toSorted(([keyA, a], [keyB, b]) => b - a || keyB - keyA)
      .slice(0, limit);
    const memories = await findByKeys(
      reader,
      project,
      ranked.map(([key]) => key),
      now,
    );
    return memories.map(({ key, memory }) => {
      const found = findWords(memory, words);
      return {
        memory,
        score: scores.get(key) ?? 0,
        matched: [...found.keys()],
        why: key === named ? `it is called ${JSON.stringify(query.trim())}` : explainWords(found),
      };
    });
  });
}

/** Which words of a question are looked for, and why it may find nothing. */
export function explainQuery(query: string): QueryExplanation {
  const { words, ignored } = queryWords(query);
  return {
    words: words.map(({ text }) => text),
    ignored,
    ...(words.length === 0 && {
      note: `There is no searchable word in ${JSON.stringify(query)}${ignored.length > 0 ? ": words such as “" + ignored.slice(0, 3).join("”, “") + "” are in every text" : ""}. Ask with a word that the memory would contain.`,
    }),
  };
}

function checkOptions(query: unknown, { limit, minScore }: RecallOptions): void {
  if (typeof query !== "string") {
    throw new MemoryError("invalid-input", "The question must be a text.", 'recall("how do we deploy?")');
  }
  checkLimit(limit);
  if (minScore !== undefined && !(minScore >= 0 && minScore <= 1)) {
    throw new MemoryError(
      "invalid-input",
      "minScore must be a number from 0 to 1.",
      "Leave it out for all that match.",
    );
  }
}

/** The memory whose name or alias is the whole question, if the filter lets it through. */
async function findNamed(
  reader: Reader,
  project: Project,
  query: string,
  { conditions, args }: { conditions: string[]; args: SqlArgs },
): Promise<number | undefined> {
  const holder = await findNameHolder(reader, project, query.trim());
  if (!holder) return undefined;
  const rows = await reader.rows(
    `SELECT m.key FROM memories AS m WHERE ${["m.key = :key", ...conditions].join(" AND ")}`,
    { ...args, key: holder.key },
  );
  return rows.length > 0 ? holder.key : undefined;
}

/** The words of the question that are in the memory, each with the parts it is in. */
function findWords(memory: Memory, words: QueryWord[]): Map<string, string[]> {
  const parts: [name: string, tokens: Set<string>][] = [
    ["text", tokensOf(memory.content)],
    ["name", tokensOf(memory.name ?? "")],
    ["tags", tokensOf(memory.tags.join(" \n "))],
    ["files", tokensOf(memory.relatedFiles.join(" \n "))],
  ];
  const found = new Map<string, string[]>();
  for (const { text, token, prefix } of words) {
    const places = parts.flatMap(([name, tokens]) =>
      tokens.has(token) || (prefix && [...tokens].some((candidate) => candidate.startsWith(token))) ? [name] : [],
    );
    if (places.length > 0) found.set(text, [...new Set([...(found.get(text) ?? []), ...places])]);
  }
  return found;
}

function tokensOf(text: string): Set<string> {
  return new Set(indexTokens(text).split(" "));
}

/** "has deploy and staging in its text, release in its tags" */
function explainWords(found: Map<string, string[]>): string {
  const byPlace = new Map<string, string[]>();
  for (const [word, places] of found) {
    for (const place of places) byPlace.set(place, [...(byPlace.get(place) ?? []), word]);
  }
  return `has ${[...byPlace].map(([place, words]) => `${words.join(" and ")} in its ${place}`).join(", ")}`;
}
