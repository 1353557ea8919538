// Texts of strangers, made to keep an expression busy: what they cost is a ratio of two lengths, not a time.
import { expect, it } from "vitest";
import { isTyped } from "../../src/observer/untrusted-sources/is-typed.js";
import { withoutWrappers } from "../../src/conversation/statements/without-wrappers.js";
import { callOf, withoutPaths } from "../../src/observer/notes/notes.js";
import { isPlainCode } from "../../src/observer/untrusted-sources/code-source.js";
import { growthOf } from "../support/growth.js";

const of = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length));
const asCommand = (command: string) =>
  callOf({ tool: "Bash", input: { command } }, { root: "/project", directory: "/project" });
const clean = (text: string) => withoutPaths(text, { root: "/project" }, () => false);

it.each([
  ["percent-encoded text", of("%7B%22a%22%3A1%2C"), clean, 6000],
  ["plus signs", of("+"), clean, 4000],
  ["a path of dots", (length: number) => `a/${".".repeat(length)}b`, clean, 4000],
  ["opening tags", of("<a-b>"), withoutWrappers, 20_000],
  ["opening tags of many names", (length: number) => tags(length), withoutWrappers, 20_000],
  ["a tag with a long name", (length: number) => `<${"a_".repeat(length / 2)}`, withoutWrappers, 10_000],
  ["blanks and lines", of(" \n"), isTyped, 20_000],
  ["quotes that are never closed", of('"\\'), isPlainCode, 5000],
  ["assignments of what programs print", of("x=$(a) "), asCommand, 5_000],
])("[TR84] the time that %s take grows with their length alone", (_, text, work, length) => {
  expect(growthOf(text, work, { length, enough: 9 })).toBeLessThan(9);
});

function tags(length: number): string {
  return Array.from({ length: length / 8 }, (_, at) => `<a-${String(at).padStart(4, "0")}>`).join("");
}
