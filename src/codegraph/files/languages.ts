import type { Language } from "../languages/language.js";
import { languages } from "../languages/languages.js";

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** The language of a file, by its extension. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(extensionOf(path));
}

/** The last extension of a file in small letters, without its dot; empty where there is none. */
export function extensionOf(path: string): string {
  return /[^/]\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
}

/** Whether what this file says decides which file an import leads to. */
export function isModuleSettings(path: string): boolean {
  return languages.some(({ settings }) => settings?.test(path));
}
