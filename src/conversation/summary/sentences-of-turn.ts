import { plainLine } from "../../base/input/input.js";
import { sentencesOf } from "../../observer/notes/notes.js";

/** Longer ones are cut between words. */
const longestSentence = 320;

/**
 * The sentences that somebody said in a message, without code, logs, tables and what tools and agents put between.
 * Also of scripts that end a sentence with a sign of their own.
 */
export function sentencesOfTurn(text: string, looksAt = 8000): string[] {
  const near = text.length > looksAt ? text.slice(0, looksAt) : text;
  const prose = near.includes("\n") || noise.test(near) ? withoutNoise(near) : near;
  const sentences: string[] = [];
  for (const sentence of sentencesOf(prose)) {
    const parts = wideStop.test(sentence) ? sentence.split(afterWideStop) : [sentence];
    for (const part of parts) {
      const line = plainLine(part, longestSentence);
      if (line !== "" && !isMostlySigns(line)) sentences.push(line);
    }
  }
  return sentences;
}

const wideStop = /[。！？]/;
const afterWideStop = /(?<=[。！？])(?![。！？」』）])/;

/** What a program prints: frames of a stack, lines of a log, a prompt of a shell, a diff, the inside of a program. */
const noise = new RegExp(
  [
    String.raw`^\s*at (?:async )?[\w$.<>[\]/]+ ?\(`,
    String.raw`^\s*at \S+:\d+(?::\d+)?$`,
    String.raw`^\s*File "[^"]+", line \d`,
    String.raw`^\s*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?`,
    String.raw`^\s*\[?(?:INFO|DEBUG|WARN|WARNING|TRACE|ERROR|FATAL)\]?[ :]`,
    String.raw`^\s*npm (?:ERR|WARN|error|warn)`,
    String.raw`^\s*(?:\$|%|❯|PS [A-Z]:)\s`,
    String.raw`^\s*(?:diff --git|@@ |index [\da-f]{7}|\+\+\+ |--- [ab]/)`,
    String.raw`^\s*(?:import|export|const|let|var|function|class|return|def|public|private|#include|package)\b.*[;{(:]\s*$`,
    String.raw`^\s*[\])};,]+\s*$`,
    String.raw`^\s*"[\w-]+"\s*:`,
    String.raw`^ {4,}(?![-*+\d])\S`,
    String.raw`^\t`,
    String.raw`^\s*\S+\.\w+:\d+(?::\d+)?\b`,
  ].join("|"),
);

function withoutNoise(text: string): string {
  return text
    .split("\n")
    .map((line) => (line.length < 2000 && noise.test(line) ? "" : line))
    .join("\n");
}

/** Not words: a line of a program, a path alone, a table of numbers. */
function isMostlySigns(line: string): boolean {
  let letters = 0;
  for (let at = 0; at < line.length; at += 1) {
    const code = line.charCodeAt(at);
    // Small letters, capitals, blanks; beyond ASCII nearly everything is a letter.
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 32 || code > 127) letters += 1;
  }
  return letters * 2 < line.length;
}
