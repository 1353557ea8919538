// Everything that a terminal or a database would stumble over; line ends and tabs stay.
// oxlint-disable-next-line no-control-regex
const control = /[\0-\x08\x0B-\x1F\x7F-\x9F\u2028\u2029]/g;
const lone = /\p{Surrogate}/gu;
// oxlint-disable-next-line no-control-regex
const colour = /\x1B\[[0-9;?]{0,20}[A-Za-z]/g;

/**
 * What an agent gave as a text, so that every store and every line of JSON can carry it: whole characters, no control
 * characters, at most that long, cut between words. What is no text is "".
 *
 * A word that would be cut goes as a whole: half a key has no shape by which it could be redacted.
 */
export function plainText(value: unknown, most: number): string {
  if (typeof value !== "string" || value === "") return "";
  // Twice, so that colours and blanks at the beginning leave enough.
  const near = value.length > 2 * most + 100 ? value.slice(0, 2 * most + 100) : value;
  const visible = withoutColours(near).replace(control, " ").trim();
  const whole = visible.length > most ? cut(visible, most) : visible;
  return whole.replace(lone, "\uFFFD");
}

/** The same in one line, with single blanks. */
export function plainLine(value: unknown, most: number): string {
  if (typeof value !== "string" || value === "") return "";
  return plainText(value.slice(0, 4 * most + 200).replace(/\s+/g, " "), most);
}

/** A text without the codes that colour it in a terminal. */
export function withoutColours(text: string): string {
  return text.includes("\u001B") ? text.replace(colour, "") : text;
}

function cut(text: string, most: number): string {
  const kept = text.slice(0, most - 1);
  if (/\s/.test(text.charAt(most - 1))) return `${kept.trimEnd()}…`;
  const words = kept.search(/\s\S*$/);
  return `${words > 0 ? kept.slice(0, words).trimEnd() : wholePairs(kept)}…`;
}

function wholePairs(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}
