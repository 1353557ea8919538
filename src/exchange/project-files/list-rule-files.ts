import { join } from "node:path";
import { openProjectFolder } from "./open-project-folder.js";

/** Where agents look for their rules. A folder counts with everything in it. */
const rulePlaces = [
  "CLAUDE.md",
  "AGENTS.md",
  "GEMINI.md",
  ".cursorrules",
  ".cursor/rules",
  ".windsurfrules",
  ".github/copilot-instructions.md",
];

/** The rule files of a project, below the root and whole. One that only leads to another, or out of the project, is left out. */
export async function listRuleFiles(root: string): Promise<{ file: string; path: string }[]> {
  const folder = await openProjectFolder(root);
  const found: { file: string; path: string }[] = [];
  const places = new Set<string>();
  for (const file of rulePlaces) {
    const place = await folder.place(file);
    // By the name that agents know: it tells that these are rules.
    if (place !== undefined && !places.has(place)) found.push({ file, path: join(root, file) });
    if (place !== undefined) places.add(place);
  }
  return found;
}
