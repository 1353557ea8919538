import { stems } from "../base/words.js";
import type { Writer } from "../storage/storage.js";
import { keyRange } from "./memory-queries.js";
import { memoryType } from "./memory-types.js";
import type { Project } from "./projects.js";
import { relate } from "./relations.js";

// 0.88: seed of the product; above it two short texts differ in wording only. Evidence in similar.test.ts.
const threshold = 0.88;
// Enough to find the near ones of a text; a word that more memories share is no sign of kinship.
const mostCandidates = 64;

/** Links a memory to those that say nearly the same, and drops links of this kind that no longer hold. */
export async function linkSimilar(
  writer: Writer,
  project: Project,
  memory: { key: number; id: string; content: string; type: string },
): Promise<void> {
  await writer.run(
    `DELETE FROM memory_relations
     WHERE kind = 'similar' AND automatic = 1 AND (memory_key = :key OR target_memory = :id)`,
    { key: memory.key, id: memory.id },
  );
  if (memoryType(memory.type).everyOneCounts) return;
  for (const { id, similarity } of await listSimilar(writer, project, memory)) {
    await relate(writer, project, memory.key, { kind: "similar", memory: id, confidence: similarity, automatic: true });
  }
}

/**
 * Memories that say nearly the same in other words. They are linked, never merged: "do run" and "do not run", port
 * 8080 and 8081 are different memories, and differing numbers, names in code or negation make two texts different
 * however much else they share.
 */
export async function listSimilar(
  writer: Writer,
  project: Project,
  memory: { key: number; content: string; type: string },
): Promise<{ id: string; similarity: number }[]> {
  const tokens = stems(memory.content);
  if (tokens.size === 0) return [];
  const rows = await writer.rows(
    `SELECT m.id, m.content, w.content AS tokens FROM memory_words AS w JOIN memories AS m ON m.key = w.rowid
     WHERE memory_words MATCH :match AND w.rowid BETWEEN :first AND :last
       AND m.key <> :key AND m.type = :type AND m.forgotten_at IS NULL AND m.valid_until IS NULL
     LIMIT ${mostCandidates}`,
    { match: await mustShareOneOf(writer, tokens), ...keyRange(project), key: memory.key, type: memory.type },
  );
  return rows.flatMap((row) => {
    const content = String(row["content"]);
    const similarity = jaccard(tokens, new Set(String(row["tokens"]).split(" ")));
    return similarity >= threshold && !differInSubstance(memory.content, content)
      ? [{ id: String(row["id"]), similarity }]
      : [];
  });
}

/**
 * Sets that overlap by the threshold cannot avoid each other in all of a set's first few tokens, whatever the order
 * (prefix filtering). Rarest first, so that few memories have to be compared.
 */
async function mustShareOneOf(writer: Writer, tokens: Set<string>): Promise<string> {
  const enough = tokens.size - Math.ceil(threshold * tokens.size) + 1;
  const rows = await writer.rows(
    "SELECT term, doc FROM memory_vocabulary WHERE term IN (SELECT value FROM json_each(:terms))",
    { terms: JSON.stringify([...tokens]) },
  );
  const rowsWith = new Map(rows.map((row) => [String(row["term"]), Number(row["doc"])]));
  const rarest = [...tokens].toSorted((a, b) => (rowsWith.get(a) ?? 0) - (rowsWith.get(b) ?? 0)).slice(0, enough);
  return `content : (${rarest.map((token) => `"${token}"`).join(" OR ")})`;
}

function jaccard(a: Set<string>, b: Set<string>): number {
  let shared = 0;
  for (const token of a) if (b.has(token)) shared += 1;
  return shared / (a.size + b.size - shared);
}

/** True when the texts name other numbers, other identifiers, or when only one of them says no. */
export function differInSubstance(a: string, b: string): boolean {
  return [numbers, identifiers, negations].some((pattern) => !sameBag(bag(a, pattern), bag(b, pattern)));
}

const numbers = /\d+(?:[.,:]\d+)*/g;
// camelCase, snake_case, CONSTANT_CASE, dotted or slashed paths, flags, anything quoted as code.
const identifiers = /`[^`]+`|--?[a-z][\w-]*|\b\w+(?:[./\\:@#-]\w+)+|\b\w*[a-z][A-Z]\w*|\b\w+_\w+|\b[A-Z]{2,}\w*/g;
const negations =
  /\b(?:not?|never|none|nothing|nobody|neither|nor|without|cannot|avoid|stop|disable[ds]?|forbid(?:den)?|except|unless|un\w+able)\b|n['’]t\b/gi;

function bag(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([match]) => (pattern === negations ? "no" : match)).toSorted();
}

function sameBag(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((entry, index) => entry === b[index]);
}
