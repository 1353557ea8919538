// Whose flags are lost is not to be trusted.
const otherwise: Record<string, string> = { metadata: "{}", fields: "{}", trust_flags: '["tainted"]' };
const optional = new Set(["data", "work_unit", "chunk", "released_names"]);

/** What a column of `memories` reads as whose JSON is damaged: one memory must not cost the others. */
export function fallbackJson(column: string): string {
  return optional.has(column) ? "null" : (otherwise[column] ?? "[]");
}

/** The JSON of a column, which is NULL only where it may be; what it reads as where it is damaged. */
export function readJson(column: string, json: string | number | null): unknown {
  try {
    const value: unknown = JSON.parse(String(json));
    if (column === "trust_flags" && Array.isArray(value))
      return value.map((flag) => (isKnown(flag) ? flag : "tainted"));
    if (optional.has(column) || isList(column) === Array.isArray(value)) return value;
  } catch {
    // It is no JSON.
  }
  return JSON.parse(fallbackJson(column)) as unknown;
}

// What these say takes no trust away; any other flag may be a damaged "tainted".
const harmless = ["secret-redacted", "private-removed", "invisible-removed", "unverified"];

function isKnown(flag: unknown): boolean {
  return flag === "tainted" || harmless.includes(String(flag));
}

function isList(column: string): boolean {
  return fallbackJson(column).startsWith("[");
}

/** The same as SQL over `memories AS m`, for what looks into a column: SQLite refuses a whole query for one row of it. */
export function soundJsonSql(column: string): string {
  return `iif(typeof(m.${column}) = 'text' AND json_valid(m.${column}), m.${column}, '${fallbackJson(column)}')`;
}

/** A text column, also where damage made a blob of it, which JSON refuses. */
export function asText(column: string): string {
  return `iif(typeof(${column}) = 'blob', CAST(${column} AS TEXT), ${column})`;
}

/** The values that columns of `memories` may have; the first is what an unknown one is repaired to, because it allows least. */
export const enumerated: Readonly<Record<string, readonly string[]>> = {
  visibility: ["personal", "project", "team", "org"],
  scope: ["session", "work_unit", "module", "global"],
  source: ["observer_inferred", "qa_auto", "mcp_auto", "commit_auto", "agent_explicit", "user_taught"],
  review_state: ["flagged", "pending", "none"],
};

/** Whether a memory came from outside the project, as SQL over `memories AS m`; where its flags are damaged, it did. */
export const isTaintedSql = `(m.trust_flags <> '[]' AND EXISTS (
  SELECT 1 FROM json_each(${soundJsonSql("trust_flags")}) WHERE value NOT IN (${harmless.map((flag) => `'${flag}'`).join(", ")})))`;
