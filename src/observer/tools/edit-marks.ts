import type { EditMarks } from "../observer.js";
import { changesOfPatch } from "./patch-files.js";

// More than an agent changes in one call by hand; what a patch of a thousand changes did is not told by the rest either.
const maxPairs = 40;

/** What an edit replaced, of whatever the tool was given; undefined where it tells nothing. */
export function editMarks(input: Record<string, unknown>): EditMarks | undefined {
  const marks: EditMarks = { pairs: [], lines: 0 };
  const changes = [input, ...listOf(input["edits"]), ...listOf(input["changes"]), ...listOf(input["replacements"])];
  for (const change of changes.slice(0, maxPairs + 1)) addReplacement(marks, change);
  const patch = firstText(input, patchNames);
  if (patch !== undefined && marks.pairs.length === 0) addPatch(marks, patch);
  const whole = firstText(input, wholeNames);
  if (whole !== undefined && marks.pairs.length === 0) {
    marks.whole = markOf(whole);
    marks.lines = linesOf(whole);
  }
  const source = firstText(input, ["new_source", "newSource", "code_edit"]);
  if (source !== undefined) marks.lines += linesOf(source);
  return marks.pairs.length > 0 || marks.whole !== undefined || marks.lines > 0 ? marks : undefined;
}

/** 12 hexadecimal digits that are the same for the same text, however its blanks fall. */
export function markOf(text: string): string {
  // Two sums of 32 bits in one walk: 20 KB take 30 µs, replacing the blanks and asking node:crypto 110 (2026-11). Nothing
  // rests on nobody being able to find a second text with the same mark.
  let one = 0x811c9dc5;
  let other = 0x9747b28c;
  let isBlank = true;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at++) {
    let code = text.charCodeAt(at);
    if (code === 32 || (code >= 9 && code <= 13)) {
      if (isBlank) continue;
      isBlank = true;
      code = 32;
    } else isBlank = false;
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
    other ^= other >>> 15;
  }
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b);
  one ^= one >>> 13;
  return hex(one, 8) + hex(other ^ (other >>> 13), 8).slice(4);
}

const patchNames = ["patch", "patchText", "patch_text", "diff", "input"];
const wholeNames = ["content", "contents", "file_text", "fileText", "new_content", "newContent", "text"];
const oldNames = ["old_string", "oldString", "old_str", "oldStr", "oldText", "old_text", "search"];
const newNames = ["new_string", "newString", "new_str", "newStr", "newText", "new_text", "replace", "insert_text"];

function addReplacement(marks: EditMarks, change: Record<string, unknown>): void {
  const after = firstText(change, newNames);
  const before = firstText(change, oldNames);
  if (after === undefined && before === undefined) return;
  marks.lines += linesOf(after ?? "");
  // Of a new file, which Claude Code writes by replacing nothing.
  if (before === "" && after !== undefined && marks.whole === undefined) marks.whole = markOf(after);
  else if (marks.pairs.length < maxPairs) marks.pairs.push([markOf(before ?? ""), markOf(after ?? "")]);
}

function addPatch(marks: EditMarks, patch: string): void {
  for (const { before, after } of changesOfPatch(patch).slice(0, maxPairs)) {
    marks.pairs.push([markOf(before), markOf(after)]);
    marks.lines += linesOf(after);
  }
}

function linesOf(text: string): number {
  if (text === "") return 0;
  let lines = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}

function firstText(input: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = input[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

function listOf(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, maxPairs)
    .filter((item): item is Record<string, unknown> => typeof item === "object" && item !== null);
}

function hex(value: number, digits: number): string {
  return (value >>> 0).toString(16).padStart(digits, "0");
}
