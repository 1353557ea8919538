import { createHash } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { homeFolder } from "./home-folder.js";

// Some thirty thousand answers; with those before them, more than anybody gets in a month.
const fullBytes = 1024 * 1024;
const [current, before] = ["answers", "answers-before"];

/** By what an answer is recognised again, however a client has broken its lines. */
export function answerMark(text: string): string {
  return createHash("sha256").update(text.replaceAll(/\s+/g, "")).digest("base64url").slice(0, 24);
}

/**
 * Notes in Tacit's folder that a server of ours gives these texts to an agent. A server is known by that, not by what it is
 * called: the hooks of an agent tell no more of a tool than its name. Never throws; an answer that is not noted counts as
 * one from elsewhere.
 */
export function noteAnswer(texts: readonly string[], home: string = homeFolder()): void {
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    const file = join(home, current);
    if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > fullBytes) renameSync(file, join(home, before));
    appendFileSync(file, texts.map((text) => `${answerMark(text)}\n`).join(""), { mode: 0o600 });
  } catch {
    // A full disk is no reason to refuse an agent its answer.
  }
}

// No answer of a server begins with it: none holds this character.
const trusted = "\u0000trusted\u0000";

/** The same of what a command of ours prints for an agent that shows nothing of what waits, or of what nobody vouches for. */
export function noteTrustedAnswer(text: string, home?: string): void {
  noteAnswer([`${trusted}${text}`], home);
}

/** Whether a command of ours has noted that it prints this, and that nothing in it waits. */
export function isTrustedAnswer(text: string, home?: string): boolean {
  return readAnswerMarks(home).has(answerMark(`${trusted}${text}`));
}

/** The marks of the answers that servers of ours have given. */
export function readAnswerMarks(home: string = homeFolder()): ReadonlySet<string> {
  const marks = new Set<string>();
  for (const name of [before, current]) {
    try {
      for (const mark of readFileSync(join(home, name), "utf8").split("\n")) marks.add(mark);
    } catch {
      // None was given yet.
    }
  }
  return marks;
}
