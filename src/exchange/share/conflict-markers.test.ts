import { describe, expect, it } from "vitest";
import { findConflictMarkers } from "./conflict-markers.js";

describe("findConflictMarkers", () => {
  it.each([
    ["a merge", "a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> main\n", 2],
    ["a merge with the common ancestor", "<<<<<<< HEAD\nb\n||||||| 1234567\nx\n=======\nc\n>>>>>>> main\n", 1],
    ["a merge with CRLF", "a\r\nb\r\n<<<<<<< HEAD\r\n=======\r\n>>>>>>> main\r\n", 3],
    ["the second half of a nested one", "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c\n", 2],
    ["an underlined heading", "Title\n=======\n\n>>>>>>> quoted\n", undefined],
    ["marks that are indented", "  <<<<<<< HEAD\n  =======\n  >>>>>>> main\n", undefined],
    ["marks in another order", ">>>>>>> main\n=======\n<<<<<<< HEAD\n", undefined],
    ["a mark alone", "<<<<<<< HEAD\n", undefined],
    ["marks of another length", "<<<<<<<< HEAD\n=======\n>>>>>>>> main\n", undefined],
  ])("looks at %s", (_what, text, line) => {
    expect(findConflictMarkers(text)).toBe(line);
  });
});
