import { codes } from "./wording.js";

/** Files in a sentence, of many only the first three: "`a.ts`, `b.ts`, `c.ts` and 4 more files". */
export function namedFiles(files: readonly string[]): string {
  if (files.length <= 4) return codes(files);
  return `${codes(files.slice(0, 3)).replace(" and ", ", ")} and ${files.length - 3} more files`;
}
