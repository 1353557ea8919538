import { cleanSource } from "../files/clean-source.js";
import type { FileFacts } from "../facts/facts.js";
import { readSource } from "../files/read-source.js";
import { bareName, definitionSites, type DefinitionSite } from "./definition-sites.js";
import { factsOfDocument } from "./facts-of-document.js";
import { parseSymbol } from "./parse-symbol.js";
import type { DocumentContent, ScipDocument } from "./read-index.js";
import type { IndexedFile } from "./scip-queries.js";
import { linesOf, type TextLines } from "./text-lines.js";

/** A document that fits its file, with the text it was made of. */
export interface ReadDocument {
  content: DocumentContent;
  lines: TextLines;
  sites: DefinitionSite[];
  hasSecrets: boolean;
  /** Whether a name is none of the secrets that the file holds. */
  isClean: (name: string) => boolean;
  /** Made of the document; of use where the file has none of its own. */
  facts: FileFacts;
}

export const hasChanged = "is of a file that has just changed";

/** Reads a document beside its file, or tells why it does not fit. Secrets are looked for where there may be some. */
export async function readDocument(
  root: string,
  document: ScipDocument,
  file: IndexedFile,
  mayHoldSecrets: boolean,
): Promise<ReadDocument | { why: string }> {
  const source = await readSource(root, file.path);
  if (!source || !("text" in source) || source.hash !== file.hash) return { why: hasChanged };
  const content = document.read();
  const lines = linesOf(source.text, content.encoding);
  const found = definitionSites(content, lines);
  if ("why" in found) return found;
  const cleaned = mayHoldSecrets ? await cleanSource(source.text, file.path) : source.text;
  const hasSecrets = cleaned !== source.text;
  const isClean = (name: string) => !hasSecrets || cleaned.includes(bareName(name));
  const sites = found.filter(({ name, symbols }) => isClean(name) && symbols.flatMap(ownNames).every(isClean));
  return { content, lines, hasSecrets, isClean, sites, facts: factsOfDocument(content, sites, lines.lines.length) };
}

/** The names of a symbol that its file gave it. */
function ownNames(symbol: string): string[] {
  const descriptors = parseSymbol(symbol)?.descriptors ?? [];
  return descriptors.flatMap(({ name, kind }) =>
    kind === "namespace" || kind === "meta" || name.startsWith("<") ? [] : [name],
  );
}
