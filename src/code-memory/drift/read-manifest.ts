/** The file in which scripts are looked up. */
export const manifest = "package.json";

/** The names of the scripts in a manifest; undefined where it cannot be read. */
export function scriptsIn(lines: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (!lines) return undefined;
  try {
    const { scripts } = Object(JSON.parse(lines.join("\n"))) as { scripts?: unknown };
    return new Set(Object.keys(Object(scripts) as object));
  } catch {
    return undefined;
  }
}
