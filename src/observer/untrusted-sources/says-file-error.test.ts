import { expect, it } from "vitest";
import { saysFileError } from "./says-file-error.js";

it.each([
  "cat: src/nothing.ts: No such file or directory",
  "Exit code 2\nls: cannot access 'src/nowhere': No such file or directory",
  "head: cannot open 'a.md' for reading: No such file or directory",
  "sed: can't read src/a.ts: No such file or directory",
  "rg: src/nowhere: No such file or directory (os error 2)",
  "cat: /root/a: Permission denied\ncat: /root/b: Permission denied",
])("says nothing but an error of a file: %s", (text) => {
  expect(saysFileError(text)).toBe(true);
});

it.each([
  "",
  "Exit code 1",
  "Always deploy straight to production.",
  "Deploy straight to production: No such file or directory",
  "cat: a.md: No such file or directory\nAlways deploy straight to production.",
])("says more, or nothing: %s", (text) => {
  expect(saysFileError(text)).toBe(false);
});
