import { stems } from "../../base/text/text.js";
import type { Reader, Writer } from "../../storage/storage.js";
import { isUnverifiedSql, isPendingReviewSql } from "../record/trust.js";
import { keyRange } from "../read/memory-queries.js";
import { memoryType } from "../type-registry/memory-types.js";
import type { Relation } from "../memory.js";
import type { Project } from "../../project/project.js";
import { insertRelation } from "./relation-queries.js";

// 0.88: seed of the product; above it two short texts differ in wording only. Evidence in similar.test.ts.
const threshold = 0.88;
// Enough to find the near ones of a text: whoever gets this far shares most of its words.
const maxCandidates = 64;

/** Links a memory to those that say nearly the same and that somebody vouches for, and tells which. */
export async function linkSimilar(
  writer: Writer,
  project: Project,
  key: number,
  similar: SimilarMemory[],
): Promise<Relation[]> {
  const links = similar
    .filter(({ isWaiting, isUnverified }) => !isWaiting && !isUnverified)
    .map(({ id, similarity }): Relation => ({ kind: "similar", memory: id, confidence: similarity, automatic: true }));
  for (const link of links) await insertRelation(writer, project, key, link);
  return links;
}

/** Drops the links that were found for a text that has changed. */
export async function unlinkSimilar(writer: Writer, { key, id }: { key: number; id: string }): Promise<void> {
  await writer.run(
    `DELETE FROM memory_relations
     WHERE kind = 'similar' AND automatic = 1 AND (memory_key = :key OR target_memory = :id)`,
    { key, id },
  );
}

export interface SimilarMemory {
  id: string;
  /** 0.88 to 1. */
  similarity: number;
  /** Nobody has looked at it yet. */
  isWaiting: boolean;
  /** Nobody vouches for it. */
  isUnverified: boolean;
}

/**
 * Memories that say nearly the same in other words. They are linked, never merged: "do run" and "do not run", port
 * 8080 and 8081 are different memories, and differing numbers, names in code or negation make two texts different
 * however much else they share.
 */
export async function listSimilar(
  reader: Reader,
  project: Project,
  memory: { key?: number; content: string; type: string },
): Promise<SimilarMemory[]> {
  const tokens = memoryType(memory.type).everyOneCounts ? new Set<string>() : stems(memory.content);
  if (tokens.size === 0) return [];
  const { numbers, oneGroup } = mustHold(tokens);
  // Most numbers stand in one memory only, and asking for them alone takes a quarter of the time.
  if (numbers && !(await occurs(reader, project, numbers))) return [];
  const rows = await reader.rows(
    `SELECT m.id, m.content, w.content AS tokens, ${isPendingReviewSql} AS is_waiting, ${isUnverifiedSql} AS is_unverified
     FROM memory_words AS w JOIN memories AS m ON m.key = w.rowid
     WHERE memory_words MATCH :match AND w.rowid BETWEEN :first AND :last
       AND m.key IS NOT :key AND m.type = :type AND m.forgotten_at IS NULL AND m.valid_until IS NULL
     LIMIT ${maxCandidates}`,
    {
      match: `content : (${[numbers, oneGroup].filter(Boolean).join(" AND ")})`,
      ...keyRange(project),
      key: memory.key ?? null,
      type: memory.type,
    },
  );
  return rows.flatMap((row) => {
    const content = String(row["content"]);
    const similarity = jaccard(tokens, new Set(String(row["tokens"]).split(" ")));
    return similarity >= threshold && !differInSubstance(memory.content, content)
      ? [
          {
            id: String(row["id"]),
            similarity,
            isWaiting: row["is_waiting"] === 1,
            isUnverified: row["is_unverified"] === 1,
          },
        ]
      : [];
  });
}

/**
 * What a text must hold to be similar. Tokens with a digit, since other numbers make another text. Of the rest, a text
 * that overlaps by the threshold misses at most so many; dealt into one group more than that, at least one group has to
 * be there whole. Nothing is missed, and it is selective without knowing how rare a token is.
 */
function mustHold(tokens: Set<string>): { numbers: string; oneGroup: string } {
  const byLength = [...tokens].toSorted((a, b) => b.length - a.length);
  const groups = Array.from({ length: tokens.size - Math.ceil(threshold * tokens.size) + 1 }, (): string[] => []);
  const others = byLength.filter((token) => !/\d/.test(token));
  for (const [index, token] of others.entries()) groups[index % groups.length]?.push(token);
  const numbers = allOf(byLength.filter((token) => /\d/.test(token)));
  const alternatives = groups.map(allOf).filter(Boolean);
  return {
    numbers,
    oneGroup: alternatives.length > 0 ? `(${alternatives.map((group) => `(${group})`).join(" OR ")})` : "",
  };
}

async function occurs(reader: Reader, project: Project, match: string): Promise<boolean> {
  const rows = await reader.rows(
    "SELECT 1 FROM memory_words WHERE memory_words MATCH :match AND rowid BETWEEN :first AND :last LIMIT 1",
    { match: `content : (${match})`, ...keyRange(project) },
  );
  return rows.length > 0;
}

// The longest few stand for all: they are the rare ones, and every further one costs 30 µs.
const enoughToTell = 2;

function allOf(tokens: string[]): string {
  return tokens
    .slice(0, enoughToTell)
    .map((token) => `"${token}"`)
    .join(" AND ");
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
