import { describe, expect, it } from "vitest";
import { mayBeDeeperThan } from "./nesting.js";

describe("mayBeDeeperThan", () => {
  it.each([
    ["brackets", "(".repeat(200)],
    ["closed brackets", `x = ${"[".repeat(200)}${"]".repeat(200)}`],
    ["templates", `x = ${"`${".repeat(200)}1${"}`".repeat(200)}`],
    ["operators", `x = ${"!".repeat(200)}a`],
    ["words before a value", `x = ${"new\n".repeat(200)}a`],
    ["members", `a${".b".repeat(200)}`],
    ["conditions", `${"if (a)\n".repeat(200)}b()`],
    ["branches", `${"if (a) b(); /* c */ else ".repeat(200)}d()`],
    ["loops inside what a comma ends", `${"while (a) ".repeat(90)}b, (() => { ${"while (a) ".repeat(90)}c })`],
    ["elements", "<a>".repeat(200)],
    ["arrow functions that give nothing", "a => void\n".repeat(200)],
    ["such functions in conditions", "a ? b => void\nc : ".repeat(200)],
    ["what stands between what looks like a comment", `<a>/* {${"(".repeat(3300)}1${")".repeat(3300)}} */</a>`],
    ["elements in texts that end no statement", "<a>;".repeat(3300)],
    ["brackets that only texts of elements seem to close", "{(<a>))\n".repeat(200)],
    ["brackets that only what is skipped seems to close", `<a>// ${'{("</a>)}",'.repeat(1700)}`],
    ["chains in what is skipped", `<p>' {${"!".repeat(3300)}a} '</p>`],
    ["what stands behind a slash", `a++ / ${"!".repeat(3300)}a / 1`],
  ])("sees %s", (_, text) => {
    expect(mayBeDeeperThan(100, text)).toBe(true);
  });

  it.each([
    ["statements without semicolons", "const a = b(c)\n".repeat(500)],
    ["statements with them", "a = b; c();".repeat(500)],
    ["members of a type without semicolons", `type A = {\n${"onClick?: (a: B) => void\n".repeat(500)}}`],
    ["long lists", `x = [${"a + b, ".repeat(500)}]`],
    ["functions one after the other", "function a() {\n  return 1\n}\n".repeat(500)],
    ["brackets in texts", "a('(', \"[\", `{`, /[(]/)\n".repeat(500)],
    ["brackets in comments", "// (((\n/* {{{ */\n".repeat(500)],
    ["regular expressions with brackets", "a = b.replace(/[(]/, '(')\n".repeat(500)],
    ["apostrophes in JSX", "const a = <p>don't</p>\n".repeat(500)],
  ])("is not taken in by %s", (_, text) => {
    expect(mayBeDeeperThan(100, text)).toBe(false);
  });
});
