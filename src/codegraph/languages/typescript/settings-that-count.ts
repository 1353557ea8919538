/** Of a package.json only what tells where modules lie: a new version number must not have every file linked anew. */
export function settingsThatCount(path: string, text: string): string {
  if (!/(?:^|\/)package\.json$/.test(path)) return text;
  try {
    const all = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify(resolving.map((field) => all[field]));
  } catch {
    return text;
  }
}

const resolving = [
  "name",
  "type",
  "main",
  "module",
  "types",
  "typings",
  "source",
  "exports",
  "imports",
  "workspaces",
  "browser",
];
