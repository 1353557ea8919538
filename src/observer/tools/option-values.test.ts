import { describe, expect, it } from "vitest";
import { fileWords } from "./option-values.js";

describe("the files among a program's arguments", () => {
  it.each([
    ["cat -n a.md", ["a.md"]],
    ["head -n 5 a.md", ["5", "a.md"]],
  ])("[TR40] of a program that nobody here knows are all words behind its options: %s", (line, words) => {
    expect(fileWords("unknown-reader", line.split(" ").slice(1))).toEqual(words);
  });

  it.each([
    ["cat -n a.md", ["a.md"]],
    ["head -n 5 a.md", ["a.md"]],
    ["sort -r a.md", ["a.md"]],
    ["sort -t , -k 2 a.md", ["a.md"]],
    ["column -t a.md", ["a.md"]],
    ["column -ts , a.md", ["a.md"]],
    ["diff -c a.md b.md", ["a.md", "b.md"]],
    ["diff -U 3 a.md b.md", ["a.md", "b.md"]],
    ["cut -d , -f 1 a.csv", ["a.csv"]],
    ["cut -d, -f1 a.csv", ["a.csv"]],
    ["paste -sd , a.md", ["a.md"]],
    ["nl -s x a.md", ["a.md"]],
    ["bat -n a.md", ["a.md"]],
    ["base64 -d a.md", ["a.md"]],
    ["grep --color x a.md", ["x", "a.md"]],
    ["grep -rnA 3 x src", ["x", "src"]],
    ["rg --color always -g *.ts x src", ["x", "src"]],
    ["ag -C x a.md", ["x", "a.md"]],
    ["ag -C 3 x a.md", ["x", "a.md"]],
    ["jq --arg n v .a a.json", [".a", "a.json"]],
    ["cat -- -n", ["-n"]],
    ["cat - a.md", ["-", "a.md"]],
  ])("[TR40] are what no option of its own takes: %s", (line, words) => {
    const [program = "", ...args] = line.split(" ");

    expect(fileWords(program, args)).toEqual(words);
  });
});
