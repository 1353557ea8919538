// Whose flags are lost is not to be trusted.
const otherwise: Record<string, string> = { metadata: "{}", trust_flags: '["tainted"]' };
const optional = new Set(["data", "work_unit", "chunk", "released_names"]);

/** What a column of `memories` reads as whose JSON is damaged: one memory must not cost the others. */
export function jsonInstead(column: string): string {
  return optional.has(column) ? "null" : (otherwise[column] ?? "[]");
}

/** The JSON of a column, which is NULL only where it may be; what it reads as where it is damaged. */
export function readJson(column: string, json: string | number | null): unknown {
  try {
    const value: unknown = JSON.parse(String(json));
    if (optional.has(column) || isList(column) === Array.isArray(value)) return value;
  } catch {
    // It is no JSON.
  }
  return JSON.parse(jsonInstead(column)) as unknown;
}

function isList(column: string): boolean {
  return jsonInstead(column).startsWith("[");
}

/** The same as SQL over `memories AS m`, for what looks into a column: SQLite refuses a whole query for one row of it. */
export function soundJson(column: string): string {
  return `iif(typeof(m.${column}) = 'text' AND json_valid(m.${column}), m.${column}, '${jsonInstead(column)}')`;
}
