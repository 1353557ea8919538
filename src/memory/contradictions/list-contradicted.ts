import { indexTokens, stems } from "../../base/text/text.js";
import type { Reader } from "../../storage/storage.js";
import { isUnverified } from "../record/trust.js";
import { listByKeys, type KeyedMemory } from "../read/memory-queries.js";
import type { MemoryRecord } from "../memory.js";
import type { PreparedMemory } from "../prepare/prepare-memory.js";
import type { Project } from "../../project/project.js";
import { listStatementsOfField, listStatementsWith, statingTypes } from "./contradiction-queries.js";
import { compareStatements, differ, type Contradiction } from "./find-contradiction.js";
import type { Clause } from "./read-clause.js";
import { readMainStatement, readStatements } from "./read-statements.js";
import { anyWordMatch, subjectMatch } from "./subject-match.js";

/** What is looked at of the newer one. */
export type Statement = Pick<
  PreparedMemory | MemoryRecord,
  "content" | "type" | "scope" | "metadata" | "relatedFiles" | "source" | "trustFlags" | "review"
> & { sessionId?: string | null | undefined; key?: number; userVerified?: boolean };

export interface Contradicted {
  keyed: KeyedMemory;
  contradiction: Contradiction;
}

// More at once is a misunderstanding rather than a change.
const maxClosed = 5;

/**
 * The memories in force that a newer one contradicts, newest first. Where nobody vouches for the newer one, only those of the
 * same field of a profile for which nobody does either. What is pinned or verified by a person gives way only to what a person
 * says.
 */
export async function listContradicted(
  reader: Reader,
  project: Project,
  newer: Statement,
  now: Date,
): Promise<Contradicted[]> {
  const isVouched = isVouchedFor(newer);
  if (!statingTypes.has(newer.type) || !(isVouched || isMerelyUnverified(newer))) return [];
  const found = new Map<number, Contradiction>();
  const field = fieldOf(newer.metadata);
  for (const { key, content } of field ? await listStatementsOfField(reader, project, field) : []) {
    if (key !== newer.key && content !== newer.content)
      found.set(key, { kind: "value", why: otherField(field as Field) });
  }
  const clauses = isVouched ? readStatements(newer.content) : [];
  const match = subjectMatch(clauses);
  const words = stems(newer.content);
  const needed = clauses.map(tokensOf);
  for (const { key, content, tokens } of match === undefined ? [] : await listStatementsWith(reader, project, match)) {
    if (key === newer.key || found.has(key) || !mayDiffer(tokens, needed) || saysMore(content, words)) continue;
    const contradiction = compareStatements(readMainStatement(content), clauses);
    if (contradiction) found.set(key, contradiction);
  }
  if (found.size === 0) return [];
  const keyed = await listByKeys(reader, project, [...found.keys()], now);
  return keyed
    .filter((old) => mayClose(old, newer) && (isVouched || isUnverified(old.record)))
    .slice(0, maxClosed)
    .map((old) => ({ keyed: old, contradiction: found.get(old.key) as Contradiction }));
}

/**
 * The memories in force that share the subject of a newer one and say something else of it, where the rules did not decide: for
 * a model to judge. At most eight, those that share most first.
 */
export async function listPossiblyContradicted(
  reader: Reader,
  project: Project,
  newer: Statement,
  now: Date,
): Promise<KeyedMemory[]> {
  if (!statingTypes.has(newer.type) || !isVouchedFor(newer)) return [];
  const clauses = readStatements(newer.content);
  const shares = new Map<number, number>();
  const match = anyWordMatch(clauses);
  for (const { key, content } of match === undefined ? [] : await listStatementsWith(reader, project, match)) {
    const older = readMainStatement(content);
    if (!older || key === newer.key || content === newer.content || compareStatements(older, clauses)) continue;
    const share = shareOf(older, clauses);
    if (share >= leastShare) shares.set(key, share);
  }
  const keys = [...shares.keys()].toSorted((a, b) => (shares.get(b) ?? 0) - (shares.get(a) ?? 0)).slice(0, maxDoubtful);
  return (await listByKeys(reader, project, keys, now)).filter((old) => mayClose(old, newer));
}

/** What the word index holds for the words of a clause, as far as it is the same for all ways to say it. */
function tokensOf({ content }: Clause): string[] {
  return content.flatMap(({ key, raw }) => (key.startsWith("±") ? [] : [indexTokens(raw).split(" ").at(-1) ?? ""]));
}

const longestValue = 3;

/** False where more is missing than a value has words. */
function mayDiffer(tokens: string, needed: string[][]): boolean {
  const known = new Set(tokens.split(" "));
  return needed.some((words) => words.filter((word) => word !== "" && !known.has(word)).length <= longestValue);
}

// A value has three words at most, and a verb and some fillers may differ.
const maxOtherWords = 6;

/** True for what says too much else to be contradicted. Reading it takes ten times as long as finding that out. */
function saysMore(older: string, words: ReadonlySet<string>): boolean {
  const [main = ""] = older.split(/[.;\n]\s/, 1);
  let others = 0;
  for (const word of stems(main)) if (!words.has(word)) others += 1;
  return others > maxOtherWords;
}

const maxDoubtful = 8;
// A third: of "Alex works at Acme" and "Alex left for Globex" only the name is shared.
const leastShare = 1 / 3;

function shareOf(old: Clause, newer: Clause[]): number {
  const shares = newer.map(
    (next) => differ(old, next).shared.length / Math.min(old.content.length, next.content.length),
  );
  return Math.max(0, ...shares);
}

function isVouchedFor({ review, trustFlags, userVerified }: Statement): boolean {
  if (userVerified) return true;
  return review.state === "none" && !trustFlags.includes("tainted") && !trustFlags.includes("unverified");
}

/** Said by an agent that nobody watched; nothing speaks against it. */
function isMerelyUnverified({ review, trustFlags }: Statement): boolean {
  return review.state === "pending" && trustFlags.includes("unverified") && !trustFlags.includes("tainted");
}

interface Field {
  category: string;
  field: string;
}

function fieldOf({ category, field }: Statement["metadata"]): Field | undefined {
  return typeof category === "string" && typeof field === "string" ? { category, field } : undefined;
}

function otherField({ category, field }: Field): string {
  return `says something else of ${field} (${category})`;
}

/** True where the older one speaks of the same place and time, and may be closed by this one. */
function mayClose({ memory, record }: KeyedMemory, newer: Statement): boolean {
  if (memory.status !== "active" || record.scope !== newer.scope) return false;
  if (newer.scope === "session" && record.sessionId !== (newer.sessionId ?? undefined)) return false;
  if ((record.pinned || record.userVerified) && newer.source !== "user_taught") return false;
  if (textOf(record.metadata["context_key"]) !== textOf(newer.metadata["context_key"])) return false;
  const [before, after] = [record.relatedFiles, newer.relatedFiles];
  return before.length === 0 || after.length === 0 || before.some((file) => after.includes(file));
}

function textOf(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value);
}
