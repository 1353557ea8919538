import type { SecretFinding } from "./secret-finding.js";

const begin = /-{4,5} ?BEGIN ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const end = /-{4,5} ?END ?[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/g;
const aRunOfKey = /[A-Za-z0-9+/]{16}/;
// Between two lines of a key: white space, `\n` written out, the quotes and commas of a string in code or JSON, the signs
// of a comment.
const gap = /(?:\s|\\+[nr]|["'`,>|#*]|(?:\+|\/\/)(?=\s))*/y;
const headerLine = /[A-Za-z][A-Za-z0-9-]{2,30}: [^\n\\]{0,200}/y;
const keyLine = /[A-Za-z0-9+/]+={0,2}/y;
// The base64 of `-----BEGIN`, as in a kubeconfig.
const encoded = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{16,}={0,2}/g;
const puttyLines = /Private-Lines: \d{1,4}\s{1,4}((?:[A-Za-z0-9+/=]{4,80}(?:\r?\n|$))+)/dg;

/** One of these is part of every finding. */
export const privateKeyHint = /BEGIN|LS0tLS1CRUdJTi|Private-Lines/;

/**
 * Finds private keys in PEM: the whole block, or, where its end is missing, the lines of key that follow its
 * beginning, or its beginning where that is alone on its line. The dashes within a sentence about keys are not one.
 */
export function findPrivateKeys(text: string): SecretFinding[] {
  const findings: SecretFinding[] = [];
  for (const found of text.matchAll(encoded)) {
    if (!Buffer.from(found[0].slice(0, 80), "base64").includes("PRIVATE KEY")) continue;
    findings.push({ start: found.index, end: found.index + found[0].length, kind: "private-key" });
  }
  for (const found of text.matchAll(puttyLines)) {
    const range = found.indices?.[1];
    if (range !== undefined) findings.push({ start: range[0], end: range[1], kind: "private-key" });
  }

  const begins = [...text.matchAll(begin)];
  const ends = [...text.matchAll(end)];
  let endsBefore = 0;
  for (const [position, found] of begins.entries()) {
    const bodyStart = found.index + found[0].length;
    const nextBegin = begins[position + 1]?.index ?? text.length;
    while ((ends[endsBefore]?.index ?? text.length) < bodyStart) endsBefore += 1;
    const closing = ends[endsBefore];

    const closed = closing !== undefined && closing.index < nextBegin;
    const keyEnd = closed
      ? holdsKey(text.slice(bodyStart, closing.index)) && closing.index + closing[0].length
      : findEndOfTruncatedKey(text, bodyStart, nextBegin) || endOfLoneHeader(text, found.index, bodyStart);
    if (keyEnd !== false) findings.push({ start: found.index, end: keyEnd, kind: "private-key" });
  }
  return findings;
}

/** Dots and words are an example; a few letters of a key are not. */
function holdsKey(body: string): boolean {
  return aRunOfKey.test(body) || /^[A-Za-z0-9+/]{3,}=*$/.test(body.trim());
}

/** Alone on its line it is no sentence: what followed was cut off, or comes in the next text. */
function endOfLoneHeader(text: string, start: number, headerEnd: number): number | false {
  const isAlone = /(?:^|\n)[ \t"'`>#*]{0,20}$/.test(text.slice(Math.max(0, start - 21), start));
  return isAlone && /^(?:\\n|[ \t"'`,;])*(?:$|[\r\n])/.test(text.slice(headerEnd, headerEnd + 20)) && headerEnd;
}

function findEndOfTruncatedKey(text: string, bodyStart: number, limit: number): number | false {
  let position = bodyStart;
  let keyEnd: number | false = false;
  while (position < limit) {
    position = skip(gap, text, position);
    const line = text.slice(position, skip(keyLine, text, position));
    if (isLineOfKey(line, keyEnd === false)) {
      position += line.length;
      keyEnd = position;
      continue;
    }
    const afterHeader = skip(headerLine, text, position);
    if (keyEnd !== false || afterHeader === position) break;
    position = afterHeader;
  }
  return keyEnd === false ? false : Math.min(keyEnd, limit);
}

/** The last line of a key is short; told from a word of the prose after it by what words do not have. */
function isLineOfKey(line: string, first: boolean): boolean {
  if (line.length >= 24) return true;
  if (first) return /^(?:MI|b3B|lQ)/.test(line) || line.length >= 16;
  return /[+/=\d]/.test(line) || /[a-z][A-Z]/.test(line);
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}
