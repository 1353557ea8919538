import { describe, expect, it } from "vitest";
import { putInJsonc, removeFromJsonc } from "./jsonc.js";
import type { ConfigPart } from "./config-part.js";
import { applyEdits } from "./text-edit.js";

const part: ConfigPart = {
  at: ["servers", "tacit"],
  as: "property",
  value: { args: ["mcp"] },
  isOurs: () => false,
  renew: (found) => found,
};

it("is taken out again without a trace where others have written since", () => {
  const item: ConfigPart = {
    at: ["a"],
    as: "item",
    value: "t",
    isOurs: (found) => found === "t",
    renew: (found) => found,
  };
  const without = (text: string) => removeFromJsonc("file", text, item, { made: [], blanks: [] });

  expect(
    ['{"a": ["x", "t",]}', '{"a": ["x", "t", ]}', '{"a": [ "x", "t" ]}', '{"a": ["x", /* y */ "t",]}'].map(without),
  ).toEqual(['{"a": ["x",]}', '{"a": ["x", ]}', '{"a": [ "x" ]}', '{"a": ["x", /* y */ ]}']);
});

describe("what is put into JSON", () => {
  it.each([
    ["", '{\n  "servers": {\n    "tacit": {\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n'],
    ['{"a":1}', '{"a":1,"servers":{"tacit":{"args":["mcp"]}}}'],
    ['{ "servers": { "x": 1 } }', '{ "servers": { "x": 1, "tacit": { "args": ["mcp"] } } }'],
    [
      '{\n\t"servers": {\n\t\t"x": {}, // x\n\t},\n}',
      '{\n\t"servers": {\n\t\t"x": {}, // x\n\t\t"tacit": {\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t},\n\t},\n}',
    ],
    [
      '{\r\n "servers": { "x": {} } // all\r\n // "old": 1\r\n}',
      '{\r\n "servers": { "x": {}, "tacit": { "args": ["mcp"] } } // all\r\n // "old": 1\r\n}',
    ],
    [
      '{\n   "a": 1 // one\n}',
      '{\n   "a": 1, // one\n   "servers": {\n      "tacit": {\n         "args": [\n            "mcp"\n         ]\n      }\n   }\n}',
    ],
  ])("is written as %j is", (text, wanted) => {
    const put = putInJsonc("file", text, part, { mayReplace: false });

    expect(put.kind === "put" && applyEdits(text, put.edits)).toBe(wanted);
  });
});
