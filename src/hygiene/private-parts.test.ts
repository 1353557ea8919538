import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dropPrivateParts } from "./private-parts.js";

describe("dropPrivateParts", () => {
  it.each([
    ["a part", "a <private>b</private> c", "a  c"],
    ["several parts", "<private>a</private>b<private>c</private>d", "bd"],
    ["any case", "a<PRIVATE>b</Private>c", "ac"],
    ["attributes", 'a<private reason="home > work">b</private >c', "ac"],
    ["several lines", "a<private>\nb\n</private>\nc", "a\nc"],
    ["nested parts", "a<private>b<private>c</private>d</private>e", "ae"],
    ["an unclosed part to the end", "a<private>b c", "a"],
    ["a nested part that leaves the outer one open", "a<private>b<private>c</private>d", "a"],
    ["a tag that is cut short", "a<private", "a"],
    ["an empty element alone", "a<private/>b", "ab"],
    ["a tag that dropping another one forms", "a<pri<private>x</private>vate>b</private>c", "ac"],
  ])("drops %s", (_name, text, rest) => {
    expect(dropPrivateParts(text)).toBe(rest);
  });

  it.each(["a </private> b", "<privateer>b</privateer>", "a < private b", "private", "List<PrivateKey>"])(
    "keeps %j",
    (text) => {
      expect(dropPrivateParts(text)).toBe(text);
    },
  );

  it("leaves no opening tag behind", () => {
    const pieces = ["<private>", "</private>", "<pri", "vate>", "<private/>", "<private a='", "<", ">", "x"];

    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), (parts) => {
        expect(dropPrivateParts(parts.join(""))).not.toMatch(/<private[\s/>]/i);
      }),
    );
  });
});
