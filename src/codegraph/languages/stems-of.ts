import { stemOf } from "../tree/paths.js";
import { languages } from "./languages.js";

/**
 * The paths without extension that a file answers to: `src/a.ts` to `src/a`, `src/a/index.ts` to `src/a/index` and
 * `src/a`. Whoever looked for one of them and found something else, or nothing, is concerned when the file appears. Every
 * language is asked: a file of one may be looked for by another, as data is by a program.
 */
export function stemsOf(path: string): string[] {
  return [...new Set([stemOf(path), ...languages.flatMap((language) => language.stemsOf?.(path) ?? [])])];
}
