/** What names a piece of code: a file from the root, or what it defines. Never a line. The symbol is empty for the file. */
export interface NodePlace {
  file: string;
  symbol: string;
}

/** @example nodeId("src/store.ts", "Store.read") // "src/store.ts#Store.read" */
export function nodeId(file: string, symbol: string): string {
  return symbol === "" ? file : `${file}#${symbol}`;
}

/** Takes the id of a node apart. */
export function parseNodeId(id: string): NodePlace {
  const mark = symbolMark(id);
  return mark < 0 ? { file: id, symbol: "" } : { file: id.slice(0, mark), symbol: id.slice(mark + 1) };
}

/** Where the "#" stands that a symbol follows, from this place on; -1 where there is none. */
export function symbolMark(id: string, from = 0): number {
  // A path may hold a "#" (`c#/a.cs`), and a symbol too (`Store.#rows`): the first that follows an extension, else the
  // first that is not in the name of a folder.
  const afterExtension = /\.[A-Za-z0-9]+#/g;
  afterExtension.lastIndex = from;
  const match = afterExtension.exec(id);
  return match ? match.index + match[0].length - 1 : id.indexOf("#", Math.max(from, id.lastIndexOf("/")));
}

/** True for a place in the text of a file, `src/a.ts:12` or `src/a.ts#L12`, which no longer holds after the next edit. */
export function isLine(id: string): boolean {
  return /(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)$/.test(id);
}
