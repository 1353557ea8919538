import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { IncomingMemory } from "../formats/incoming.js";
import type { Ignoring } from "../../project/ignore/ignore.js";
import { parseRules } from "../rules/parse-rules.js";
import { takeRuleSections } from "../rules/rule-section.js";
import { openProjectFolder, type ProjectFolder } from "./open-project-folder.js";

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

/** A file or a folder with rules, and the rules that it holds. */
export interface FoundRules {
  file: string;
  /** At most 200. */
  rules: Pick<IncomingMemory["record"], "content" | "type" | "tags" | "relatedFiles">[];
  /** How many there are beyond those, at least. */
  more: number;
  /** Why it, or a file in it, was not read. */
  problem?: string;
}

// Chosen: a rule file that agents read with every session has some dozens; a clone must not fill a store by itself.
const maxRules = 200;
const maxFiles = 200;

/**
 * The rules of a project for agents. Whatever a file holds is read as rules: no other format is looked for in it, so that no
 * record comes in with an id, a pin or a history of its own. What Tacit wrote into such a file is left out, because it came
 * from memories. One that only leads to another, or out of the project, is left out.
 */
export async function listRules(root: string, ignoring?: Ignoring): Promise<FoundRules[]> {
  const folder = await openProjectFolder(root, ignoring);
  const found: FoundRules[] = [];
  const places = new Set<string>();
  for (const file of rulePlaces) {
    const place = await folder.place(file);
    if (place === undefined || places.has(place)) continue;
    places.add(place);
    found.push(await readRules(folder, file, place));
  }
  return found;
}

async function readRules(folder: ProjectFolder, file: string, place: string): Promise<FoundRules> {
  const found: FoundRules = { file, rules: [], more: 0 };
  const names = await listNames(place);
  found.more = Math.max(0, names.length - maxFiles);
  for (const name of names.slice(0, maxFiles)) {
    const path = join(file, name);
    const read = await folder.readWhole(path);
    if ("problem" in read) {
      found.problem = `${path} ${read.problem}`;
      continue;
    }
    const { rest } = takeRuleSections(read.text.replace(/\r\n?/g, "\n"), file);
    for (const { record } of await parseRules(rest, file)) {
      if (found.rules.length === maxRules) found.more += 1;
      else found.rules.push(record);
    }
  }
  return found;
}

/** Of a folder its rule files, in a stable order, none through a link; of a file itself, as an empty name. */
async function listNames(place: string): Promise<string[]> {
  const entries = await readdir(place, { withFileTypes: true, recursive: true }).catch(() => undefined);
  if (!entries) return [""];
  return entries
    .filter((entry) => entry.isFile() && /\.(?:md|mdc)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(place.length + 1))
    .toSorted();
}
