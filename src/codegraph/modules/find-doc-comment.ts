import { languageOf } from "../languages/language-of.js";

/**
 * What the comment that opens a file says, without its marks: up to the first tag, list or blank line after a text. Licences
 * and what is for tools are passed over; what stands behind the first code belongs to that.
 *
 * @example
 * findDocComment("// Copyright …\n\n/** Reads rows. *\/\nimport …", "a.ts") // "Reads rows."
 */
export function findDocComment(text: string, file: string): string | undefined {
  let rest = text.replace(/^#!.*\n/, "");
  for (;;) {
    const begun = rest.trimStart();
    const comment = takeComment(begun, file);
    if (comment === undefined) return undefined;
    const said = firstText(comment.said);
    if (said !== undefined && !notAbout.test(comment.said)) return said;
    rest = begun.slice(comment.length);
  }
}

const notAbout =
  /copyright|licen[sc]e|SPDX-|@generated|eslint-|oxlint-|prettier-|@ts-|-\*- coding|vim:|pylint|noqa|clang-format|go:build|\+build|istanbul|<reference /i;

interface Comment {
  said: string;
  /** How much of the text it takes. */
  length: number;
}

function takeComment(text: string, file: string): Comment | undefined {
  const { docString, preamble } = languageOf(file)?.layout ?? {};
  const block = /^\/\*+!?([^]*?)\*+\//.exec(text) ?? docString?.exec(text);
  if (block) return { said: (block[1] ?? "").replaceAll(/^[ \t]*\*? ?/gm, ""), length: block[0].length };
  const lines = /^(?:(?:\/\/[/!]?|#+!?|;+|--)(?![a-zA-Z[!]).*(?:\n|$))+/.exec(text);
  if (lines) return { said: lines[0].replaceAll(/^(?:\/\/[/!]?|#+!?|;+|--) ?/gm, ""), length: lines[0].length };
  const opening = preamble?.exec(text);
  return opening ? { said: "", length: opening[0].length } : undefined;
}

function firstText(said: string): string | undefined {
  const [paragraph = ""] = said.trim().split(/\n\s*\n|\n(?=\s*(?:@|[-*] |\d+\. ))/);
  const text = paragraph.replaceAll(/\s+/g, " ").trim();
  // A name alone is a heading, and code that is commented out has signs where words have letters.
  return /\p{L}+\P{L}+\p{L}+\P{L}+\p{L}+/u.test(text) && !/[;{}]$/.test(text) ? text : undefined;
}
