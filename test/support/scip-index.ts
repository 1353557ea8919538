import { PbfWriter } from "pbf";

export interface WrittenDocument {
  path: string;
  text: string;
  /** Symbols by the names that define them: the first in the text, or the nth with `name@n`. */
  defines?: Record<string, string>;
  /** What each name leads to, in the same way. A name may lead to several. */
  uses?: [name: string, symbol: string][];
  /** What a symbol implements. */
  implements?: Record<string, string>;
  /** Numbers of SymbolInformation.Kind by symbol. */
  kinds?: Record<string, number>;
  /** 1: UTF-8, 2: UTF-16, 3: UTF-32; unless said, none is stated. */
  encoding?: 1 | 2 | 3;
  /** Ranges as they are, whatever the text says. */
  raw?: { range: number[]; symbol: string; roles: number }[];
}

/** A SCIP index as an indexer writes it: no texts, only where names stand in them. */
export function scipIndex(documents: WrittenDocument[], projectRoot = "file:///elsewhere"): Uint8Array {
  const writer = new PbfWriter();
  writer.writeMessage(1, writeHead, projectRoot);
  for (const document of documents) writer.writeMessage(2, writeDocument, document);
  return writer.finish();
}

function writeHead(root: string, writer: PbfWriter): void {
  writer.writeMessage(
    2,
    (name: string, tool: PbfWriter) => {
      tool.writeStringField(1, name);
      tool.writeStringField(2, "1.0");
    },
    "scip-test",
  );
  writer.writeStringField(3, root);
  writer.writeVarintField(4, 1);
}

function writeDocument(document: WrittenDocument, writer: PbfWriter): void {
  const { path, defines = {}, uses = [], implements: above = {}, kinds = {}, raw = [], encoding } = document;
  const occurrences = [
    ...Object.entries(defines).map(([symbol, name]) => ({ range: rangeOf(document, name), symbol, roles: 1 })),
    ...uses.map(([name, symbol]) => ({ range: rangeOf(document, name), symbol, roles: 0 })),
    ...raw,
  ];
  // The path last: nothing says that it comes first.
  for (const occurrence of occurrences) writer.writeMessage(2, writeOccurrence, occurrence);
  for (const symbol of new Set([...Object.keys(above), ...Object.keys(kinds)])) {
    writer.writeMessage(3, writeSymbol, { symbol, above: above[symbol], kind: kinds[symbol] ?? 0 });
  }
  writer.writeStringField(1, path);
  if (encoding !== undefined) writer.writeVarintField(6, encoding);
}

function writeOccurrence(
  { range, symbol, roles }: NonNullable<WrittenDocument["raw"]>[number],
  writer: PbfWriter,
): void {
  writer.writePackedVarint(1, range);
  writer.writeStringField(2, symbol);
  if (roles > 0) writer.writeVarintField(3, roles);
}

function writeSymbol(
  { symbol, above, kind }: { symbol: string; above: string | undefined; kind: number },
  writer: PbfWriter,
): void {
  writer.writeStringField(1, symbol);
  if (above !== undefined) {
    writer.writeMessage(
      4,
      (to: string, relationship: PbfWriter) => {
        relationship.writeStringField(1, to);
        relationship.writeBooleanField(3, true);
      },
      above,
    );
  }
  if (kind > 0) writer.writeVarintField(5, kind);
}

/** Line and columns of the nth place that has a name as a whole word. */
function rangeOf({ text, encoding }: WrittenDocument, named: string): number[] {
  const [name = "", count = "1"] = named.split("@");
  const places = [...text.matchAll(new RegExp(`(?<![\\w$])${name}(?![\\w$])`, "gu"))];
  const place = places[Number(count) - 1];
  if (!place) throw new Error(`There is no ${named} in ${text}`);
  const before = text.slice(0, place.index).split("\n");
  const units = (piece: string) =>
    encoding === 1 ? Buffer.byteLength(piece) : encoding === 3 ? Array.from(piece).length : piece.length;
  const column = units(before.at(-1) ?? "");
  return [before.length - 1, column, column + units(name)];
}
