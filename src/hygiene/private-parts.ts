const tag = /<private(?=[\s/>]|$)(?:[^<>]*>)?|<\/private(?:\s[^<>]*)?>/gi;

/**
 * Drops every `<private>…</private>`, tags included. Tags nest, may carry attributes and any case; one that is never
 * closed drops everything to the end, and `<private/>` holds nothing. A closing tag alone is ordinary text.
 *
 * @example
 * dropPrivateParts("deploy <private>as root </private>on Friday") // "deploy on Friday"
 */
export function dropPrivateParts(text: string): string {
  let rest = text;
  let from = 0;
  for (;;) {
    const part = findPrivatePart(rest, from);
    if (part === undefined) return rest;
    rest = rest.slice(0, part.start) + rest.slice(part.end);
    from = whereATagMayHaveFormed(rest, part.start);
  }
}

function findPrivatePart(text: string, from: number): { start: number; end: number } | undefined {
  let start = -1;
  let depth = 0;
  tag.lastIndex = from;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    const closes = found[0].startsWith("</");
    if (closes && depth === 0) continue;
    if (depth === 0) start = found.index;
    if (closes) depth -= 1;
    else if (!found[0].endsWith("/>")) depth += 1;
    if (depth === 0) return { start, end: tag.lastIndex };
  }
  return depth === 0 ? undefined : { start, end: text.length };
}

/** Dropping a part joins its neighbours, and `<pri` + `vate>` must not become a tag that nobody looks at. */
function whereATagMayHaveFormed(text: string, joint: number): number {
  const opening = text.lastIndexOf("<", joint - 1);
  return joint === 0 || opening === -1 ? joint : opening;
}
