/**
 * JSON without what a database cannot give back: half a character, which a program can write into a quoted name, makes libSQL
 * end the process when it is read, and at a zero it ends the text. Both are always escaped in JSON.
 */
export function wellFormed(json: string): string {
  if (!/\\u(?:d[89a-f]|0000)/.test(json)) return json;
  // Every escape is looked at, because what follows an escaped backslash is none.
  return json.replaceAll(/\\(?:u(?:d[89a-f]..|0000)|.)/g, (escape) => (escape.length > 2 ? "\uFFFD" : escape));
}

/** A text without what a database cannot give back. */
export function wellFormedText(text: string): string {
  return text.replaceAll(/[\p{Surrogate}\0]/gu, "\uFFFD");
}
