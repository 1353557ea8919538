import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { answerMark, isTrustedAnswer, noteAnswer, noteTrustedAnswer, readAnswerMarks } from "./answer-marks.js";

it("knows the answers that were noted, however their lines are broken, and no others", () => {
  const home = join(temporaryFolder(), "home");

  noteAnswer(["Two memories.\n| one\n| two"], home);

  const marks = readAnswerMarks(home);
  expect(marks.has(answerMark("Two memories. | one\r\n| two"))).toBe(true);
  expect(marks.has(answerMark("Three memories."))).toBe(false);
  expect(statSync(join(home, "answers")).mode & 0o077).toBe(0);
});

it("[TR32] tells what a command printed that shows nothing untrusted from what a server answered", () => {
  const home = join(temporaryFolder(), "home");

  noteAnswer(["A page."], home);
  noteTrustedAnswer("Nothing waits.", home);

  expect([isTrustedAnswer("Nothing waits.\n", home), isTrustedAnswer("A page.", home)]).toEqual([true, false]);
  expect(readAnswerMarks(home).has(answerMark("Nothing waits."))).toBe(false);
});

it("keeps those before where the file is full, and gives way where nothing can be written", () => {
  const home = temporaryFolder();
  writeFileSync(join(home, "answers"), `${answerMark("old")}\n`.repeat(50_000));

  noteAnswer(["new"], home);
  noteAnswer(["lost"], join(home, "answers", "below-a-file"));

  const marks = readAnswerMarks(home);
  expect([marks.has(answerMark("old")), marks.has(answerMark("new"))]).toEqual([true, true]);
});
