const tag = /<private(?=[\s/>]|$)(?:[^<>]*>)?|<\/private(?:\s[^<>]*)?>/gi;
const opening = /^<private(?=[\s/>]|$)/i;
const restOfOpening = /[^<>]*>/y;

/**
 * Drops every `<private>…</private>`, tags included. Tags nest, may carry attributes and any case; one that is never
 * closed drops everything to the end, and `<private/>` holds nothing. A closing tag alone is ordinary text.
 *
 * @example
 * dropPrivateParts("deploy <private>as root </private>on Friday") // "deploy on Friday"
 */
export function dropPrivateParts(text: string): string {
  const pieces: string[] = [];
  // The end of what is kept, held back: dropping a part joins its neighbours, and `<pri` + `vate>` must not become a tag that
  // nobody looks at.
  let tail = "";
  const keep = (piece: string) => {
    const end = tail + piece;
    const held = Math.max(0, end.length - longestBeginning);
    if (held > 0) pieces.push(end.slice(0, held));
    tail = end.slice(held);
  };
  for (let at = 0; ;) {
    const formed = findFormedTag(tail, text, at);
    if (formed) {
      tail = tail.slice(0, formed.start);
      // What stood before it may become a tag now.
      while (tail.length < longestBeginning && pieces.length > 0) {
        const piece = pieces.pop() as string;
        const cut = Math.max(0, piece.length - longestBeginning);
        if (cut > 0) pieces.push(piece.slice(0, cut));
        tail = piece.slice(cut) + tail;
      }
    }
    const next = formed ?? findOpening(text, at);
    if (!next) {
      // Nothing was dropped, most of the time.
      if (at === 0) return text;
      keep(text.slice(at));
      break;
    }
    if (!formed) keep(text.slice(at, next.start));
    at = next.isEmpty ? next.end : endOfPart(text, next.end);
  }
  return pieces.join("") + tail;
}

const longestBeginning = "<private".length;

interface Opening {
  start: number;
  /** In the text. */
  end: number;
  isEmpty: boolean;
}

/** An opening tag that begins in what is kept and goes on where the text does; its start is that in what is kept. */
function findFormedTag(tail: string, text: string, at: number): Opening | undefined {
  const start = tail.lastIndexOf("<");
  if (start === -1) return undefined;
  const beginning = tail.slice(start);
  // Two more than a tag has before what follows it.
  if (!opening.test(beginning + text.slice(at, at + longestBeginning + 1))) return undefined;
  const nameEnd = at + longestBeginning - beginning.length;
  restOfOpening.lastIndex = nameEnd;
  const rest = restOfOpening.exec(text)?.[0] ?? "";
  return { start, end: nameEnd + rest.length, isEmpty: rest.endsWith("/>") };
}

function findOpening(text: string, from: number): Opening | undefined {
  tag.lastIndex = from;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    if (found[0].startsWith("</")) continue;
    return { start: found.index, end: tag.lastIndex, isEmpty: found[0].endsWith("/>") };
  }
  return undefined;
}

/** Where the part ends whose opening tag ends here. */
function endOfPart(text: string, from: number): number {
  let depth = 1;
  tag.lastIndex = from;
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    if (found[0].startsWith("</")) depth -= 1;
    else if (!found[0].endsWith("/>")) depth += 1;
    if (depth === 0) return tag.lastIndex;
  }
  return text.length;
}
