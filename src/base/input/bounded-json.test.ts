import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBoundedJson, parseBoundedList, parseBoundedObject } from "./bounded-json.js";

const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

describe("isBoundedJson", () => {
  it("[TR88] takes 64 levels and 20,000 values, and neither more levels nor more values", () => {
    expect(isBoundedJson(deep(64))).toBe(true);
    expect(isBoundedJson(deep(65))).toBe(false);
    expect(isBoundedJson(`{"a":${'{"a":'.repeat(100_000)}`)).toBe(false);
    expect(isBoundedJson(JSON.stringify(Array.from({ length: 19_000 }, (_, n) => n)))).toBe(true);
    expect(isBoundedJson(JSON.stringify(Array.from({ length: 21_000 }, (_, n) => n)))).toBe(false);
  });

  it("[TR88] counts nothing that stands in a string", () => {
    expect(isBoundedJson(JSON.stringify("[{,".repeat(1_000_000)))).toBe(true);
    expect(isBoundedJson(JSON.stringify('\\"[{,'.repeat(100_000)))).toBe(true);
    expect(isBoundedJson(JSON.stringify("\\".repeat(1_000_001)))).toBe(true);
  });
});

it("[TR88] reads a list of any length object by object", () => {
  const event = { a: 1, b: [1, 2, 3] };
  const long = JSON.stringify(Array.from({ length: 10_000 }, () => event));

  expect(isBoundedJson(long)).toBe(false);
  expect(parseBoundedList(long)).toEqual(Array.from({ length: 10_000 }, () => event));
  expect(parseBoundedList(`[{"a":${deep(100_000)}},{"b":1}]`)).toEqual([{ a: deep(100_000) }, { b: 1 }]);
  expect(parseBoundedList("[".repeat(100_000))).toBeUndefined();
  expect(parseBoundedList(JSON.stringify(Array.from({ length: 1_000_000 }, (_, n) => n)))).toEqual([]);
});

describe("parseBoundedObject", () => {
  it("[TR88] gives the members that are too large as they are written, wherever they stand, and parses the others", () => {
    const tail = '"b":"x,{\\"","c":[1,{"d":null}]';

    expect(parseBoundedObject(`{"a":${deep(100_000)},${tail}}`)).toEqual({
      a: deep(100_000),
      b: 'x,{"',
      c: [1, { d: null }],
    });
    expect(parseBoundedObject(` {\n${tail} , "a" : ${deep(100_000)} } `)).toEqual({
      a: ` ${deep(100_000)}`,
      b: 'x,{"',
      c: [1, { d: null }],
    });
  });

  it("[TR88] is nothing for what is cut, no object, or not valid", () => {
    for (const text of [
      "",
      "1",
      "[1]",
      `{"a":${deep(100)}`,
      `{"a":${"[".repeat(100)}`,
      `${deep(100)}{}`,
      `{a:${deep(99)}}`,
    ]) {
      expect(parseBoundedObject(text)).toBeUndefined();
    }
  });

  it("[TR88] is what JSON.parse makes of any object within the limits, and the same around one that is not", () => {
    const small = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), small), fc.constantFrom(undefined, " ", 2), (object, space) => {
        const { a: _taken, ...others } = object;
        const text = JSON.stringify(others, undefined, space);
        const plain: unknown = JSON.parse(text);
        const inside = text.trim() === "{}" ? "" : `,${text.trim().slice(1, -1)}`;

        expect(parseBoundedObject(text)).toEqual(plain);
        expect(parseBoundedObject(`{"a":${deep(200)}${inside}}`)).toEqual({ a: deep(200), ...(plain as object) });
      }),
    );
  });
});
