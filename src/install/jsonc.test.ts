import { describe, expect, it } from "vitest";
import { putInJsonc } from "./jsonc.js";
import type { Part } from "./part.js";
import { applyEdits } from "./text-edit.js";

const part: Part = {
  at: ["servers", "tacit"],
  as: "property",
  value: { args: ["mcp"] },
  isOurs: () => false,
  renew: (found) => found,
};

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
