import type { Language } from "./language.js";
import { languages } from "./languages.js";
import { extensionOf } from "../tree/paths.js";

const byExtension = new Map(
  languages.flatMap((language) => language.extensions.map((extension) => [extension, language] as const)),
);

/** The language of a file, by its extension. */
export function languageOf(path: string): Language | undefined {
  return byExtension.get(extensionOf(path));
}

/** Whether what this file says decides which file an import leads to. */
export function isModuleSettings(path: string): boolean {
  return languages.some(({ settings }) => settings?.test(path));
}
