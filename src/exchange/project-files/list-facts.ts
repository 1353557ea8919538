import type { Ignoring } from "../../project/ignore/ignore.js";
import { packageFacts } from "./package-facts.js";
import { cargoFacts, goFacts, makeFacts } from "./other-facts.js";
import { openProjectFolder, type ProjectFolder } from "./open-project-folder.js";
import { subjects, type ProjectFact } from "./project-facts.js";
import { pythonFacts } from "./python-facts.js";
import { readmeFacts } from "./readme-facts.js";

export interface FoundFacts {
  facts: ProjectFact[];
  /** Files that are there and could not be read, such as one in the middle of a merge: what they said before may still hold. */
  unread: string[];
}

// Chosen: what an agent should know before it begins is a handful, and anything else is one look away.
const maxFacts = 12;

/**
 * What the files in the root of a project say of it, at most twelve facts, the most useful first. Never throws: what is
 * missing, too large, broken or no regular file of this project is left out.
 */
export async function listFacts(root: string, ignoring?: Ignoring): Promise<FoundFacts> {
  const folder = await openProjectFolder(root, ignoring);
  const found: ProjectFact[] = [];
  const unread: string[] = [];
  for (const { file, read } of sourcesIn(folder)) {
    const text = await folder.read(file);
    try {
      if (text === undefined) unread.push(file);
      else found.push(...read(text));
    } catch {
      unread.push(file);
    }
  }
  const inOrder = found.toSorted((a, b) => subjects.indexOf(a.subject) - subjects.indexOf(b.subject));
  return { facts: withoutRepeats(inOrder).slice(0, maxFacts), unread };
}

interface SourceFile {
  file: string;
  read: (text: string) => ProjectFact[];
}

function sourcesIn(folder: ProjectFolder): SourceFile[] {
  const { names } = folder;
  const readme = [...names].filter((name) => /^readme(?:\.(?:md|markdown|txt|rst))?$/i.test(name)).toSorted()[0];
  const makefile = ["Makefile", "makefile", "GNUmakefile"].find((name) => names.has(name));
  return [
    { file: "package.json", read: (text: string) => packageFacts(text, folder) },
    { file: "pyproject.toml", read: (text: string) => pythonFacts(text, folder) },
    { file: "Cargo.toml", read: cargoFacts },
    { file: "go.mod", read: goFacts },
    ...(makefile === undefined ? [] : [{ file: makefile, read: (text: string) => makeFacts(text, makefile) }]),
    ...(readme === undefined ? [] : [{ file: readme, read: (text: string) => readmeFacts(text, readme) }]),
  ].filter(({ file }) => names.has(file));
}

/** A README often begins with the description of the package. */
function withoutRepeats(facts: ProjectFact[]): ProjectFact[] {
  const said = new Set(facts.filter(({ subject }) => subject === "about").map(quoteIn));
  return facts.filter((fact) => fact.subject !== "readme" || !said.has(quoteIn(fact)));
}

function quoteIn({ content }: ProjectFact): string {
  return content
    .slice(content.indexOf('"'))
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase();
}
