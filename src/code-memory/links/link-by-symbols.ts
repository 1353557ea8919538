import type { Reader, Row, SqlArgs, Writer } from "../../storage/storage.js";
import { parseNodeId } from "../../base/ids/ids.js";
import { keyRange } from "../../memory/read/read.js";
import type { MemoriesToLink } from "../code-memory.js";
import { listCodeNames } from "./list-code-names.js";
import { type Project, type ProjectContext, readProject, writeProject } from "../../project/project.js";

/** A symbol that a file defines: `Store.read`, and `read`. */
export interface DefinedSymbol {
  path: string;
  name: string;
}

/**
 * What these files define. A file that is missing from the answer is not known, and links to it stay; one with an empty list
 * defines nothing.
 */
export type SymbolsOf = (files: string[]) => Promise<DefinedSymbols>;

export type DefinedSymbols = ReadonlyMap<string, readonly DefinedSymbol[]>;

export interface LinkReport {
  linked: number;
  unlinked: number;
}

// From the seed of the product: a name is good evidence, and no proof.
const confidence = 0.8;
// What names more is an overview, and hangs on its files.
const maxLinks = 5;
// As many as an answer of a server holds: 10 MB (sqld), and a memory may hold 64 KiB.
const pageRows = 50;

/**
 * Links memories to the symbols that their texts name and their related files define, as `documents`, found by Tacit. A name
 * that several of the files define leads nowhere. Links that no longer follow go away, unless they follow from what the
 * files define elsewhere, in another work tree; what somebody stated is never touched. No change of the memories, as with
 * similar ones: neither history nor time of change tells of it.
 */
export async function linkBySymbols(
  context: ProjectContext,
  which: MemoriesToLink,
  symbolsOf: SymbolsOf,
  elsewhere: readonly SymbolsOf[] = [],
): Promise<LinkReport> {
  const report: LinkReport = { linked: 0, unlinked: 0 };
  for (let after: number | undefined; ;) {
    const page = await readProject(context, [], (reader, project) => listTexts(reader, project, which, after));
    const last = page.at(-1);
    if (!last) return report;
    after = last.key;
    const changes = await compareAll(page, symbolsOf, elsewhere);
    if (changes.length > 0) await writeProject(context, async (writer) => writeLinks(writer, changes, report));
  }
}

/** Links memories in the transaction that writes them. */
export async function linkRows(
  writer: Writer,
  project: Project,
  keys: readonly number[],
  symbolsOf: SymbolsOf,
  elsewhere: readonly SymbolsOf[],
): Promise<LinkReport> {
  const report: LinkReport = { linked: 0, unlinked: 0 };
  // A page of keys at a time: all of an import in each query took 9 s more for 20,000 memories (2026-11).
  for (let start = 0; start < keys.length; start += pageRows) {
    const page = await listTexts(writer, project, { keys: keys.slice(start, start + pageRows) }, undefined);
    const changes = await compareAll(page, symbolsOf, elsewhere);
    if (changes.length > 0) await writeLinks(writer, changes, report);
  }
  return report;
}

async function compareAll(
  page: readonly LinkedText[],
  symbolsOf: SymbolsOf,
  elsewhere: readonly SymbolsOf[],
): Promise<LinkChanges[]> {
  const files = [...new Set(page.flatMap(({ relatedFiles }) => relatedFiles))];
  const [here, ...others] = await Promise.all(
    [symbolsOf, ...elsewhere].map(async (find) => nameEverything(files.length > 0 ? await find(files) : new Map())),
  );
  return page
    .map((text) => compare(text, here ?? new Map(), others))
    .filter(({ add, drop }) => add.length + drop.length > 0);
}

async function writeLinks(writer: Writer, changes: LinkChanges[], report: LinkReport): Promise<void> {
  report.unlinked += await dropLinks(writer, changes);
  report.linked += await addLinks(writer, changes);
}

/** What links follow from, and the links that there are. */
interface LinkedText {
  key: number;
  content: string;
  relatedFiles: string[];
  /** What tells that text and files are still the same. */
  contentHash: string;
  filesInRow: string;
  links: { file: string; automatic: boolean }[];
}

async function listTexts(
  reader: Reader,
  project: Project,
  which: MemoriesToLink,
  after: number | undefined,
): Promise<LinkedText[]> {
  const { condition, args } = conditionOf(project, which);
  const { first, last } = keyRange(project);
  const rows = await reader.rows(
    `SELECT m.key, m.content, m.content_hash, m.related_files,
       (SELECT json_group_array(json_array(r.target_file, r.automatic)) FROM memory_relations AS r
        WHERE r.memory_key = m.key AND r.kind = 'documents' AND r.target_file IS NOT NULL) AS links
     FROM memories AS m
     WHERE ${condition} AND m.forgotten_at IS NULL
       AND (m.related_files <> '[]' OR EXISTS (
         SELECT 1 FROM memory_relations AS r WHERE r.memory_key = m.key AND r.kind = 'documents' AND r.automatic = 1))
     ORDER BY m.key LIMIT ${pageRows}`,
    { ...args, after: after === undefined ? first : BigInt(after), last },
  );
  return rows.map(toLinkedText);
}

/** `:after` is where the last page ended, `:last` where the project does. */
function conditionOf(project: Project, which: MemoriesToLink): { condition: string; args: SqlArgs } {
  if (which === "all") return { condition: "m.key > :after AND m.key <= :last", args: {} };
  // The plus keeps SQLite from walking the whole project instead of looking the memories up.
  const within = "+m.key > :after AND +m.key <= :last";
  const anyOf = "(SELECT value FROM json_each(:wanted))";
  if ("keys" in which) {
    return { condition: `m.key IN ${anyOf} AND ${within}`, args: { wanted: JSON.stringify(which.keys) } };
  }
  return {
    condition: `m.key IN (SELECT f.memory_key FROM memory_facets AS f
      WHERE f.project_number = :project AND f.kind = 'file' AND f.value IN ${anyOf}) AND ${within}`,
    args: { project: BigInt(project.number), wanted: JSON.stringify(which.files) },
  };
}

function toLinkedText(row: Row): LinkedText {
  return {
    key: Number(row["key"]),
    content: String(row["content"]),
    contentHash: String(row["content_hash"]),
    relatedFiles: JSON.parse(String(row["related_files"])) as string[],
    filesInRow: String(row["related_files"]),
    links: (JSON.parse(String(row["links"])) as [string, number][]).map(([file, automatic]) => ({
      file,
      automatic: automatic === 1,
    })),
  };
}

/** By file, what each name may mean in it: `read` and `Store.read` both lead to `Store.read`. */
type Defined = Map<string, Map<string, string[]>>;

function nameEverything(symbols: DefinedSymbols): Defined {
  const defined: Defined = new Map();
  for (const [file, list] of symbols) {
    const meanings = new Map<string, string[]>();
    for (const { path } of list) {
      for (let start = 0; start >= 0; start = path.indexOf(".", start + 1)) {
        const name = start === 0 ? path : path.slice(start + 1);
        meanings.set(name, [...(meanings.get(name) ?? []), path]);
      }
    }
    defined.set(file, meanings);
  }
  return defined;
}

interface LinkChanges {
  text: LinkedText;
  add: string[];
  drop: string[];
}

function compare(text: LinkedText, here: Defined, elsewhere: readonly Defined[]): LinkChanges {
  const wanted = wantedLinks(text, here);
  const known = new Set(text.links.map(({ file }) => file));
  const kept = new Set([...wanted, ...elsewhere.flatMap((defined) => wantedLinks(text, defined))]);
  return {
    text,
    add: wanted.filter((node) => !known.has(node)),
    drop: text.links.flatMap(({ file, automatic }) =>
      automatic && !kept.has(file) && isDecided(file, text, [here, ...elsewhere]) ? [file] : [],
    ),
  };
}

/** Nobody knows what became of a symbol as long as its file is not known. */
function isDecided(node: string, { relatedFiles }: LinkedText, everywhere: readonly Defined[]): boolean {
  const { file } = parseNodeId(node);
  return everywhere.some((defined) => defined.has(file)) || !relatedFiles.includes(file);
}

function wantedLinks({ content, relatedFiles }: LinkedText, defined: Defined): string[] {
  const files = relatedFiles.filter((file) => defined.has(file));
  if (files.length === 0) return [];
  const nodes = new Set<string>();
  for (const { name, file: told } of listCodeNames(content)) {
    const where = told === undefined ? files : files.filter((file) => file === told || file.endsWith(`/${told}`));
    const meant = where.flatMap((file) =>
      (defined.get(file)?.get(name) ?? []).map((path) => ({ node: `${file}#${path}`, isWhole: path === name })),
    );
    const whole = meant.filter(({ isWhole }) => isWhole);
    const [only, ...others] = whole.length > 0 ? whole : meant;
    if (only && others.length === 0) nodes.add(only.node);
    if (nodes.size === maxLinks) break;
  }
  return [...nodes];
}

/** Only where the memory still says what was read. */
const isUnchanged = `EXISTS (SELECT 1 FROM memories AS m
  WHERE m.key = link.value ->> 0 AND m.related_files = link.value ->> 2 AND m.content_hash = link.value ->> 3)`;

async function dropLinks(writer: Writer, changes: LinkChanges[]): Promise<number> {
  const rows = changes.flatMap(({ text, drop }) => drop.map((node) => rowOf(text, node)));
  if (rows.length === 0) return 0;
  return writer.run(
    `DELETE FROM memory_relations WHERE rowid IN (
       SELECT r.rowid FROM json_each(:rows) AS link CROSS JOIN memory_relations AS r
         ON r.memory_key = link.value ->> 0 AND r.kind = 'documents' AND r.target_file = link.value ->> 1
       WHERE r.automatic = 1 AND ${isUnchanged})`,
    { rows: JSON.stringify(rows) },
  );
}

async function addLinks(writer: Writer, changes: LinkChanges[]): Promise<number> {
  const rows = changes.flatMap(({ text, add }) => add.map((node) => rowOf(text, node)));
  if (rows.length === 0) return 0;
  return writer.run(
    `INSERT INTO memory_relations (memory_key, kind, target_file, confidence, automatic)
     SELECT link.value ->> 0, 'documents', link.value ->> 1, ${confidence}, 1
     FROM json_each(:rows) AS link WHERE ${isUnchanged}
     ON CONFLICT DO NOTHING`,
    { rows: JSON.stringify(rows) },
  );
}

function rowOf({ key, filesInRow, contentHash }: LinkedText, node: string): [number, string, string, string] {
  return [key, node, filesInRow, contentHash];
}
