// A server takes no more than 10 MB at once (sqld).
const lettersAtOnce = 2_000_000;

/** A list in pages that each fit into one statement. What is too long for itself has a page to itself. */
export function* pagesOf<T>(list: Iterable<T>, lettersOf: (one: T) => number): Generator<T[]> {
  let page: T[] = [];
  let letters = 0;
  for (const one of list) {
    const more = lettersOf(one);
    if (page.length > 0 && letters + more > lettersAtOnce) {
      yield page;
      page = [];
      letters = 0;
    }
    page.push(one);
    letters += more;
  }
  if (page.length > 0) yield page;
}

/** Rows as the JSON lists of them that statements take apart. */
export function* jsonPagesOf(rows: readonly unknown[]): Generator<string> {
  const written = rows.map((row) => JSON.stringify(row));
  for (const page of pagesOf(written, ({ length }) => length)) yield `[${page.join(",")}]`;
}
