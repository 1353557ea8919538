import { describe, expect, it } from "vitest";
import { endOfValue, readBare, readElement, readQuoted, readShellDefault } from "./read-value.js";

describe("reading a value", () => {
  it.each([
    [`"a b"`, "a b"],
    ["'it\\'s'", "it\\'s"],
    [`\\"a b\\"`, "a b"],
    [`\\\\\\"a\\\\\\" x`, "a"],
    ['f"a"', "a"],
  ])("takes %s out of its quotes", (text, value) => {
    expect(readQuoted(text, 0)).toMatchObject({ value, enclosed: true });
    expect(text.slice(readQuoted(text, 0)?.start)).toMatch(new RegExp(`^${value.replaceAll("\\", "\\\\")}`));
  });

  it.each([
    ["abc def", "abc"],
    ["abc&d=e", "abc"],
    ["abc;D=e", "abc"],
    ["abc, d: e", "abc"],
    ["a,b c", "a,b"],
    ["abc).", "abc"],
    ["apple pear plum fig\nnext", "apple pear plum fig"],
    ["enter what the user typed", "enter"],
  ])("reads %j up to where the value ends", (text, value) => {
    expect(readBare(text, 0)?.value).toBe(value);
  });

  it("knows the end of a value that it read only the beginning of", () => {
    const text = `${"a1".repeat(5000)}&b=c`;
    const read = readBare(text, 0);

    expect(read && endOfValue(text, read)).toBe(10_000);
  });

  it("reads the text of an element and the default of a variable", () => {
    expect(readElement("\n  abc \n</a>", 0)).toEqual({ start: 3, value: "abc", enclosed: true });
    expect(readShellDefault("abc}/x", 0)).toEqual({ start: 0, value: "abc", enclosed: false });
    expect(readQuoted("abc", 0)).toBeUndefined();
  });
});
