// What an agent thinks at length says nothing more about its work in the end than it does in the beginning.
const longestText = 20_000;
const longestSentence = 600;
const maxSentences = 400;

/** The sentences of a text, without code blocks, quoted lines, tables and headings' signs. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let isCode = false;
  let paragraph = "";
  for (const raw of text.slice(0, longestText).split("\n")) {
    const line = raw.trim();
    if (line.startsWith("```") || line.startsWith("~~~")) isCode = !isCode;
    const isOwn = !isCode && !/^(?:>|```|~~~|\||<\w)/.test(line);
    const isStart = !isOwn || line === "" || /^(?:[-*+#]|\d+[.)]\s)/.test(line);
    if (isStart) {
      split(paragraph, sentences);
      paragraph = "";
    }
    if (isOwn && line !== "") paragraph += (paragraph === "" ? "" : " ") + unmarked(line);
    if (sentences.length >= maxSentences) return sentences;
  }
  split(paragraph, sentences);
  return sentences;
}

/** A line without the signs of a list, a heading or of emphasis at its start. */
function unmarked(line: string): string {
  return line.replace(/^(?:[-+#>*]{1,6}|\d{1,3}[.)])\s+/, "").replaceAll("**", "");
}

function split(paragraph: string, into: string[]): void {
  let start = 0;
  for (let at = 0; at < paragraph.length && into.length < maxSentences; at++) {
    const character = paragraph.charAt(at);
    if (character !== "." && character !== "!" && character !== "?") continue;
    const next = paragraph.charAt(at + 1);
    if (next !== "" && next !== " ") continue;
    if (character === "." && /\b(?:e\.g|i\.e|etc|vs|cf)$/.test(paragraph.slice(Math.max(start, at - 4), at))) continue;
    add(paragraph.slice(start, at + 1), into);
    start = at + 1;
  }
  add(paragraph.slice(start), into);
}

function add(sentence: string, into: string[]): void {
  const trimmed = sentence.trim();
  if (trimmed !== "") into.push(trimmed.slice(0, longestSentence));
}
