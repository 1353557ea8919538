import { readCleanLines } from "../files/read-clean-lines.js";
import type { CodeHit } from "./search-code.js";

/**
 * What a hit says, as the file stands now, without secrets. Undefined when the file is gone, may not be read, or has fewer
 * lines than it had.
 */
export async function readHit(
  root: string,
  { file, startLine, endLine }: Pick<CodeHit, "file" | "startLine" | "endLine">,
): Promise<string | undefined> {
  const lines = await readCleanLines(root, file);
  if (lines === undefined || lines.length < endLine) return undefined;
  const shown = lines.slice(startLine - 1, endLine);
  // Lines that end as on Windows: the carriage return is no part of what they say.
  return shown.map((line) => line.replace(/\r+$/, "")).join("\n");
}
