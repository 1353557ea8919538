/** True when that many characters stand in a row without a blank. Looks at few characters of an ordinary text. */
export function hasLongWord(text: string, length: number): boolean {
  // A word of this length covers at least one of these places, wherever it begins.
  for (let place = length - 1; place < text.length; place += length) {
    if (isBlank(text, place)) continue;
    let start = place;
    while (start > 0 && !isBlank(text, start - 1)) start -= 1;
    let end = place + 1;
    while (end < text.length && end - start < length && !isBlank(text, end)) end += 1;
    if (end - start >= length) return true;
  }
  return false;
}

/**
 * The words of that length and more that consist of characters of a set alone, with a blank between them; of the characters
 * that follow one another no more are looked at than need be.
 */
export function longWordsOf(text: string, length: number, isOfSet: (code: number) => boolean): string {
  const words: string[] = [];
  for (let place = length - 1; place < text.length; place += length) {
    if (!isOfSet(text.charCodeAt(place))) continue;
    let start = place;
    while (start > 0 && isOfSet(text.charCodeAt(start - 1))) start -= 1;
    while (place + 1 < text.length && isOfSet(text.charCodeAt(place + 1))) place += 1;
    if (place + 1 - start >= length) words.push(text.slice(start, place + 1));
  }
  return words.join(" ");
}

/** White space of ASCII; what else Unicode calls blank counts as part of a word, which errs on the safe side. */
function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 0x20 || (code >= 0x09 && code <= 0x0d);
}
