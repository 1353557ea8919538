import type { Reader } from "../../storage/storage.js";
import { disarmLine } from "../../hygiene/quote-data.js";
import { cleanSource } from "../files/clean-source.js";
import { readSource } from "../files/read-source.js";
import { folderOf, stemOf } from "../tree/paths.js";
import type { Module } from "./module-types.js";
import type { Modules } from "./read-modules.js";
import { findDocComment } from "./find-doc-comment.js";

/** What a module is for, and who says so. */
export interface Purpose {
  text: string;
  /** The file that says it; absent where it is put together from names, or a language model says it. */
  file?: string;
  source: "file" | "names" | "llm";
  /** Of a model: how sure it is, and whether the module has changed since it saw it. */
  confidence?: number;
  isOutdated?: true;
}

// A sentence or two. What a repository says of itself is quoted to agents, and need not be long.
const longest = 300;
// Comments and first paragraphs stand in the beginning.
const lookedAt = 6000;

/**
 * What is written of a module's purpose: the manifest's description, the README of its folder, the comment that opens its main
 * file. It is text of the repository: cleaned, on one line, cut. Undefined where nothing is written.
 */
export async function readPurpose(module: Module, modules: Modules): Promise<Purpose | undefined> {
  const { tree, manifests } = modules;
  const manifest = module.by === "package" ? manifests.find(({ folder }) => folder === module.folder) : undefined;
  const described = manifest?.description === undefined ? undefined : await clean(manifest.description, "x.md");
  if (described) return { text: described, source: "file" };
  for (const file of listTelling(module, modules)) {
    const source = await readSource(tree.root, file);
    if (!source || !("text" in source)) continue;
    const beginning = source.text.slice(0, lookedAt);
    const said = /\.(?:md|rst|txt)$/i.test(file) ? firstParagraph(beginning) : findDocComment(beginning, file);
    const text = said === undefined ? "" : await clean(said, "x.md");
    if (text !== "") return { text, file, source: "file" };
  }
  return undefined;
}

/** A sentence from what it holds. */
export function purposeByNames({ files, tests }: Module, central: readonly string[]): Purpose {
  const count = files.length === 1 ? "1 file" : `${files.length} files`;
  const [first, second] = central;
  const around = second === undefined ? first : `${first} and ${second}`;
  const what = files.length === 0 ? (tests.length === 1 ? "1 test file" : `${tests.length} test files`) : count;
  return { text: around === undefined ? `${what}.` : `${what} around ${around}.`, source: "names" };
}

/** The files that may say it, the most telling first. */
function listTelling({ folder, by, files }: Module, { numbers }: Pick<Modules, "numbers">): string[] {
  const name = folder.slice(folder.lastIndexOf("/") + 1).toLowerCase();
  const inside = (file: string) => folderOf(file) === folder;
  const readmes =
    by === "imports" || folder === ""
      ? []
      : [...numbers.keys()].filter((file) => inside(file) && /(?:^|\/)readme(?:\.(?:md|rst|txt))?$/i.test(file));
  const main = (file: string): number => {
    const stem = stemOf(file)
      .slice(stemOf(file).lastIndexOf("/") + 1)
      .toLowerCase();
    return [name, "doc", "mod", "lib", "package-info", "index", "__init__", "main"].indexOf(stem);
  };
  const mains = files
    .filter((file) => main(file) >= 0 && (inside(file) || by === "package"))
    .toSorted((a, b) => a.split("/").length - b.split("/").length || main(a) - main(b) || (a < b ? -1 : 1));
  return [...readmes, ...(by === "imports" ? [] : mains.slice(0, 4))];
}

/** The first lines that are prose: no heading, badge, picture, list, table, code or tag. */
function firstParagraph(text: string): string | undefined {
  const open = text
    .replace(/^---\n[^]*?\n---\n/, "")
    .replace(/```[^]*?(?:```|$)/g, "")
    .replace(/<!--[^]*?-->/g, "");
  return open
    .split(/\r?\n\s*\r?\n/)
    .map((paragraph) => paragraph.replace(/^.*\n[=-]{3,}\s*$/m, "").trim())
    .find((paragraph) => /^[\p{L}*_`"'(\d]/u.test(paragraph) && !/^(?:[-*+|]\s|\d+\.\s|\[?!\[)/.test(paragraph));
}

/** Without secrets, links and whatever steers an agent, on one line, cut behind a sentence where there is one. */
async function clean(said: string, path: string): Promise<string> {
  const open = (await cleanSource(said.slice(0, lookedAt), path))
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/https?:\/\/\S+/g, "")
    .replace(/<\/?[a-z][^>]*>/gi, "");
  return cutText(disarmLine(open), longest);
}

/** At most so long: whole sentences where one ends in time, else words. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most);
  const sentence = /^.*[.!?](?=\s)/s.exec(text.slice(0, most + 1))?.[0];
  if (sentence !== undefined && sentence.length >= most / 4) return sentence;
  return `${head.slice(0, Math.max(head.lastIndexOf(" "), most / 2)).replace(/\p{Cs}$/u, "")} …`;
}

/** What a language model said of a module, and of which state of it. */
export interface StoredPurpose {
  text: string;
  confidence: number;
  madeFrom: string;
}

/** What it said of modules, by name in small letters. */
export async function listStoredPurposes(reader: Reader, project: number): Promise<Map<string, StoredPurpose>> {
  const rows = await reader.rows(
    "SELECT name, purpose, confidence, made_from FROM module_purposes WHERE project_number = :project",
    { project },
  );
  return new Map(
    rows.map((row) => [
      String(row["name"]).toLowerCase(),
      {
        text: String(row["purpose"]),
        confidence: Number(row["confidence"]),
        madeFrom: String(row["made_from"]),
      },
    ]),
  );
}
