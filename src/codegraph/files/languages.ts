/** A language whose files are parsed. What has none is kept as text. */
export type Language = "typescript" | "python";

const languages = new Map<string, Language>([
  ...["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"].map((extension) => [extension, "typescript"] as const),
  ...["py", "pyi"].map((extension) => [extension, "python"] as const),
]);

/** The language of a file, by its extension. */
export function languageOf(path: string): Language | undefined {
  return languages.get(extensionOf(path));
}

/** The last extension of a file in small letters, without its dot; empty where there is none. */
export function extensionOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

const settings =
  /(?:^|\/)(?:package\.json|[tj]sconfig[^/]*\.json|pnpm-workspace\.yaml|pyproject\.toml|setup\.(?:py|cfg))$/;

/** Whether what this file says decides which file an import leads to. */
export function isModuleSettings(path: string): boolean {
  return settings.test(path);
}
