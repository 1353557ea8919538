import type { Reader } from "../../storage/storage.js";
import { keyRange } from "../read/memory-queries.js";
import { soundJsonSql } from "../record/sound-json.js";
import type { Project } from "../../project/project.js";
import { longestText } from "./read-statements.js";

/** The types that state how things are. Turns, archives and recipes tell something else. */
export const statingTypes: ReadonlySet<string> = new Set([
  "fact",
  "preference",
  "decision",
  "convention",
  "requirement",
  "context",
  "note",
  "gotcha",
  "pattern",
  "module_insight",
]);

const typesSql = [...statingTypes].map((type) => `'${type}'`).join(", ");
const isStandingSql = `m.type IN (${typesSql}) AND m.forgotten_at IS NULL AND m.valid_until IS NULL AND m.review_state <> 'flagged'`;

// The newest few that share the words of a subject: what is much talked about is mostly in the newest.
const maxCandidates = 24;

/** Statements in force that hold these words, newest first. */
export async function listStatementsWith(
  reader: Reader,
  project: Project,
  match: string,
): Promise<{ key: number; content: string; tokens: string }[]> {
  const rows = await reader.rows(
    // All in one row, because the driver takes longer for a row than SQLite for what is in it. Not first whether there is any:
    // that saves 50 µs where there is none, costs 120 where there is, and a server is a journey away (2026-11).
    `SELECT json_group_array(json_array(key, content, tokens)) AS found FROM (
     SELECT m.key, m.content, w.content AS tokens
     FROM memory_words AS w JOIN memories AS m ON m.key = w.rowid
     WHERE memory_words MATCH :match AND w.rowid BETWEEN :first AND :last
       AND ${isStandingSql} AND length(m.content) <= ${longestText}
     ORDER BY w.rowid DESC LIMIT ${maxCandidates})`,
    { match: `content : (${match})`, ...keyRange(project) },
  );
  const found = JSON.parse(String(rows[0]?.["found"] ?? "[]")) as [number, string, string][];
  return found.map(([key, content, tokens]) => ({ key, content, tokens }));
}

/** Statements in force about this field of this category of a profile, newest first. */
export async function listStatementsOfField(
  reader: Reader,
  project: Project,
  { category, field }: { category: string; field: string },
): Promise<{ key: number; content: string }[]> {
  const rows = await reader.rows(
    `SELECT m.key, m.content FROM memories AS m
     WHERE m.project_number = :project AND ${isStandingSql}
       AND ${soundJsonSql("metadata")} ->> 'field' = :field AND ${soundJsonSql("metadata")} ->> 'category' = :category
     ORDER BY m.key DESC LIMIT ${maxCandidates}`,
    { project: project.number, category, field },
  );
  return rows.map((row) => ({ key: Number(row["key"]), content: String(row["content"]) }));
}

/** True where the older one gave way to this one before, and somebody took that back. */
export async function wasTakenBack(reader: Reader, old: number, id: string): Promise<boolean> {
  const rows = await reader.rows(
    `SELECT 1 FROM memory_changes
     WHERE memory_key = :key AND verb = 'contradicted' AND fields ->> '$.supersededBy[1]' = :id LIMIT 1`,
    { key: BigInt(old), id },
  );
  return rows.length > 0;
}
