import { instructionMarks } from "../untrusted-sources/instructions.js";
import { seemsOwn, untrustedSourceOfAnswer } from "../untrusted-sources/untrusted-source-of.js";
import { saysFileError } from "../untrusted-sources/says-file-error.js";
import { showsNoWords } from "../untrusted-sources/shows-no-words.js";
import { errorOf } from "./error-of.js";
import { failureOf } from "./failure-of.js";
import { importsOf } from "./imports-of.js";
import type { Call, Result } from "../observer.js";
import { answerMark, isTrustedAnswer } from "../../base/files/files.js";
import { withoutColours } from "../../base/input/input.js";
import { relatedPath, type PathBase } from "../tools/related-path.js";
import { testSummary } from "./test-summary.js";

/** What a tool answered. */
interface Answer {
  text: string;
  isError?: boolean | undefined;
  durationMs?: unknown;
}

/** A result as notes hold it: what it comes to, and nothing that it says. `call` is what it answers, where that is known. */
export function resultOf({ text, isError, durationMs }: Answer, call: Call | undefined, place: PathBase): Result {
  const failure = failureOf(text, call, isError);
  const error = failure && errorOf(text, call, failure, place);
  const found = call?.does === "search" ? foundBy(text, failure !== undefined) : undefined;
  const names = found !== 0 && looksThroughFolder(call) ? namesIn(text, place) : [];
  const imports = call?.does === "read" && !failure ? importsOf(text, call.files?.[0]) : [];
  const tests = mayTest(call) ? testSummary(withoutColours(text.slice(-8000))) : undefined;
  // What an edit shows is what the agent wrote, around it what it had read.
  const instructions = call?.does === "edit" ? [] : instructionMarks(withoutOwnHeadline(text, call));
  const isTrusted = call?.asksTacit === true && !failure && isTrustedAnswer(text);
  const outside = untrustedSourceOfAnswer(text, call, { isTrusted });
  const pending = !failure && isPending(text, call);
  // What goes on in the background has said nothing yet.
  const isOfCommand = call?.command !== undefined;
  const isFileError = failure !== undefined && isOfCommand && saysFileError(text);
  const isWordless = !pending && (failure?.isRefused || isFileError || showsNoWords(text, { mayName: isOfCommand }));
  return {
    ...(failure && { failed: true }),
    ...(pending && { pending: true }),
    ...(error && { error }),
    bytes: text.length,
    ...(found !== undefined && { found }),
    ...(names.length > 0 && { names }),
    ...(imports.length > 0 && { imports }),
    ...(tests && { tests }),
    ...(instructions.length > 0 && { instructions }),
    ...(outside && { outside }),
    ...(isWordless && { wordless: true }),
    ...(isTrusted && { isTrusted }),
    ...(!call?.own && seemsOwn(call?.tool ?? "") && { answer: answerMark(text) }),
    ...(typeof durationMs === "number" && durationMs >= 0 && Number.isFinite(durationMs) && { durationMs }),
  };
}

/** Git repeats the headline of a commit, which the agent wrote itself and which says what to do, as headlines do. */
function withoutOwnHeadline(text: string, call: Call | undefined): string {
  const line = call?.command?.line ?? "";
  if (!/\bgit\b.{0,200}\bcommit\b/.test(line)) return text;
  // Of the line as many characters are kept as tell it from others; any program may print the rest.
  return text.replace(/^\[[^\]\n]{1,200} [\da-f]{7,40}\] (.*)$/gm, (whole, said: string) =>
    line.includes(said.trim().slice(0, 40)) ? "" : whole,
  );
}

/** Whether a command goes on after its answer, as it was asked to or as the answer says. */
function isPending(text: string, call: Call | undefined): boolean {
  if (call && !call.command) return false;
  return call?.command?.background === true || inBackground.test(text.slice(0, 200));
}

// The words of Claude Code, also where it moves a command there that takes too long.
const inBackground =
  /^\s*Command (?:[^.\n]{0,80} )?(?:running in (?:the )?background|moved to the background|backgrounded)\b/;

function mayTest(call: Call | undefined): boolean {
  if (call?.does !== "run") return false;
  const purpose = call.command?.purpose;
  return purpose === "test" || purpose === "build" || purpose === "check" || purpose === "other";
}

/** How many lines or files a search found. */
function foundBy(text: string, failed: boolean): number | undefined {
  const start = text.slice(0, 200).trimStart();
  if (start === "" || /^(?:No (?:matches|files|results|entries)(?: were)? found|Found 0 |Exit code 1\s*$)/i.test(start))
    return 0;
  if (failed) return undefined;
  const counted = /^Found (\d{1,9}) (?:files?|matches|match|results?|lines?|total)\b/i.exec(start);
  if (counted) return Number(counted[1]);
  const summed = /\bFound (\d{1,9}) total (?:occurrences|matches)\b/.exec(text.slice(-200));
  if (summed) return Number(summed[1]);
  return linesOf(text);
}

/** Lines that are not empty, nor the note that there is more. */
function linesOf(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length;) {
    const next = text.indexOf("\n", at);
    const end = next === -1 ? text.length : next;
    const isMore = text.charAt(at) === "(" && /^\(?(?:Results are truncated|\d+ more)/.test(text.slice(at, at + 40));
    if (!isMore && (end - at > 3 || text.slice(at, end).trim() !== "")) lines++;
    at = end + 1;
  }
  return lines;
}

const maxNames = 50;

function looksThroughFolder(call: Call | undefined): boolean {
  const isSearch =
    call?.does === "search" && call.search?.by === "text" && !/[^/.]\.\w{1,8}$/.test(call.search.where ?? "");
  return isSearch || call?.shows?.some((path) => path.endsWith("/")) === true;
}

/** The files of `src/a.ts:12:text` and `src/a.ts:text`. */
function namesIn(text: string, place: PathBase): string[] {
  const names = new Set<string>();
  for (const { 1: numbered, 2: plain } of text.slice(0, 64 * 1024).matchAll(named)) {
    const name = relatedPath(numbered ?? plain, place);
    if (name !== undefined) names.add(name);
    if (names.size >= maxNames) break;
  }
  return [...names];
}

const named = /^(?:([^\s:"'()<>=]{1,300}):\d{1,7}:|([\w@.+/~[\]-]{0,300}[\w\])]\.[A-Za-z]\w{0,7}):(?!\/\/|\d+$))/gm;
