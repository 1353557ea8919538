import type { Reader, Row, Writer } from "../../storage/storage.js";
import { readJson } from "../record/sound-json.js";
import { wordColumns } from "./word-columns.js";

// Raised whenever base/words.ts cuts a text differently: an index built by another version is built anew.
const tokenizerVersion = "1";

/**
 * What a memory is found by: its words, tags, files, modules and nodes. Aliases are not among them: they resolve, they do
 * not match.
 */
export interface IndexedText {
  content: string;
  name: string | null;
  tags: string[];
  relatedFiles: string[];
  relatedModules: string[];
  graphNodes: string[];
}

/** Puts a memory into the indexes that are derived from its row: its words, and the facets that filters look up. */
export async function indexMemory(writer: Writer, key: number, project: number, text: IndexedText): Promise<void> {
  await writer.run(
    "INSERT INTO memory_words (rowid, content, name, tags, files) VALUES (:key, :content, :name, :tags, :files)",
    { key: BigInt(key), ...wordColumns(text) },
  );
  await writeFacets(writer, key, project, text);
}

export async function reindexMemory(writer: Writer, key: number, project: number, text: IndexedText): Promise<void> {
  await writer.run(
    "UPDATE memory_words SET content = :content, name = :name, tags = :tags, files = :files WHERE rowid = :key",
    { key: BigInt(key), ...wordColumns(text) },
  );
  await writer.run("DELETE FROM memory_facets WHERE memory_key = :key", { key });
  await writeFacets(writer, key, project, text);
}

/** Builds both indexes anew from the rows, and notes which tokenizer did it. */
export async function rebuildIndexes(writer: Writer): Promise<void> {
  await writer.run("INSERT INTO memory_words (memory_words) VALUES ('rebuild')");
  await writer.run("DELETE FROM memory_words");
  await writer.run("DELETE FROM memory_facets");
  for await (const page of pagesOfTexts(writer)) await indexPage(writer, page);
  await writer.run(
    `INSERT INTO store_state (name, value) VALUES ('tokenizer', :version)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    { version: tokenizerVersion },
  );
}

/** True when the words of this store were cut by another version of Tacit. */
export async function isIndexOutdated(reader: Reader): Promise<boolean> {
  const [row] = await reader.rows("SELECT value FROM store_state WHERE name = 'tokenizer'");
  return row?.["value"] !== tokenizerVersion;
}

/** How many memories the indexes do not show as they are. 0 when everything is in step. */
export async function countOutOfStep(reader: Reader): Promise<number> {
  let wrong = 0;
  let seen = 0;
  for await (const page of pagesOfTexts(reader)) {
    const range = { first: page[0]?.key ?? 0, last: page.at(-1)?.key ?? 0 };
    const words = await reader.rows(
      "SELECT rowid AS key, content, name, tags, files FROM memory_words WHERE rowid BETWEEN :first AND :last",
      { first: BigInt(range.first), last: BigInt(range.last) },
    );
    const facets = await reader.rows(
      "SELECT memory_key AS key, kind, value FROM memory_facets WHERE memory_key BETWEEN :first AND :last",
      range,
    );
    const wordsByKey = new Map(words.map((row) => [Number(row["key"]), row]));
    const facetsByKey = groupByKey(facets);
    for (const { key, text } of page) {
      const [expected, found] = [wordColumns(text), wordsByKey.get(key)];
      const wordsFit = found !== undefined && columns.every((column) => found[column] === expected[column]);
      const facetsFit = sameFacets(
        facetsOf(text),
        (facetsByKey.get(key) ?? []).map((row) => [String(row["kind"]), String(row["value"])]),
      );
      if (!wordsFit || !facetsFit) wrong += 1;
    }
    seen += page.length;
  }
  const strays = await reader.rows("SELECT count(*) AS n FROM memory_words");
  return wrong + Math.max(0, Number(strays[0]?.["n"] ?? 0) - seen);
}

const columns = ["content", "name", "tags", "files"] as const;

function facetsOf(text: IndexedText): [kind: string, value: string][] {
  return [
    ...text.tags.map((value): [string, string] => ["tag", value]),
    ...text.relatedFiles.map((value): [string, string] => ["file", value]),
    ...text.relatedModules.map((value): [string, string] => ["module", value]),
    ...text.graphNodes.map((value): [string, string] => ["node", value]),
  ];
}

function sameFacets(expected: [string, string][], found: [string, string][]): boolean {
  const asText = (facets: [string, string][]) =>
    JSON.stringify(facets.map((facet) => JSON.stringify(facet)).toSorted());
  return asText(expected) === asText(found);
}

async function writeFacets(writer: Writer, key: number, project: number, text: IndexedText): Promise<void> {
  const facets = facetsOf(text);
  if (facets.length === 0) return;
  await writer.run(
    `INSERT INTO memory_facets (project_number, kind, value, memory_key)
     SELECT :project, value ->> 0, value ->> 1, :key FROM json_each(:facets)`,
    { project, key, facets: JSON.stringify(facets) },
  );
}

function groupByKey(rows: Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const group = groups.get(Number(row["key"]));
    if (group) group.push(row);
    else groups.set(Number(row["key"]), [row]);
  }
  return groups;
}

/** Puts many memories into the indexes with two statements, because a server may be far away. */
async function indexPage(writer: Writer, page: KeyedText[]): Promise<void> {
  const words = page.map(({ key, text }) => {
    const { content, name, tags, files } = wordColumns(text);
    return [key, content, name, tags, files];
  });
  await writer.run(
    `INSERT INTO memory_words (rowid, content, name, tags, files)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:words)`,
    { words: JSON.stringify(words) },
  );
  const facets = page.flatMap(({ key, project, text }) => facetsOf(text).map((facet) => [project, ...facet, key]));
  await writer.run(
    `INSERT INTO memory_facets (project_number, kind, value, memory_key)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(:facets)`,
    { facets: JSON.stringify(facets) },
  );
}

interface KeyedText {
  key: number;
  project: number;
  text: IndexedText;
}

// A server sends no more than 10 MB at once (sqld), and a memory may hold 64 KiB.
const pageRows = 50;

/** In pages, so that a store of any size is walked in flat memory. */
async function* pagesOfTexts(reader: Reader): AsyncGenerator<KeyedText[]> {
  for (let after = 0; ;) {
    const rows = await reader.rows(
      `SELECT m.key, m.project_number, m.content, m.tags, m.related_files, m.related_modules, m.graph_nodes,
         (SELECT n.name FROM memory_names AS n WHERE n.memory_key = m.key AND n.is_alias = 0) AS name
       FROM memories AS m WHERE m.key > :after ORDER BY m.key LIMIT ${pageRows}`,
      { after },
    );
    const last = Number(rows.at(-1)?.["key"] ?? 0);
    // Keys that do not rise are damage of the pages; walking them would not end.
    if (last <= after) return;
    yield rows.map((row) => ({
      key: Number(row["key"]),
      project: Number(row["project_number"]),
      text: {
        content: String(row["content"]),
        name: row["name"] === null ? null : String(row["name"]),
        tags: readJson("tags", row["tags"] ?? null) as string[],
        relatedFiles: readJson("related_files", row["related_files"] ?? null) as string[],
        relatedModules: readJson("related_modules", row["related_modules"] ?? null) as string[],
        graphNodes: readJson("graph_nodes", row["graph_nodes"] ?? null) as string[],
      },
    }));
    after = last;
  }
}
