import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply } from "./parse-reply.js";

const both = { historyEntry: "Fixed {the} login.", memoryUpdate: '- Uses "pnpm".\n- Port 5433.' };
const reply = JSON.stringify({ history_entry: both.historyEntry, memory_update: both.memoryUpdate });

describe("a model's reply", () => {
  it.each([
    ["as it was asked for", reply],
    ["with a byte order mark and blank lines", `\uFEFF\n\n${reply}\n`],
    ["in a fence", `\`\`\`json\n${reply}\n\`\`\``],
    ["in a fence of tildes with words around it", `Sure:\n~~~ jsonc title="x"\n${reply}\n~~~\nThat is all {really}.`],
    ["in a fence within a fence", `\`\`\`\`md\n\`\`\`json\n${reply}\n\`\`\`\n\`\`\`\``],
    ["after thoughts with a draft", `<think>{"history_entry": "draft"}</think>\n${reply}`],
    ["after thoughts whose beginning is missing", `{"history_entry": "draft"}\n</think>\n${reply}`],
    ["one level down", `{"result": ${reply}}`],
    ["in a list", `[1, ${reply}]`],
    ["further down", `{"a": {"b": [{"c": ${reply}}]}}`],
    ["as JSON in JSON", JSON.stringify(reply)],
    ["after an object of something else", `{"thoughts": "a } b { c"} ${reply}`],
    ["after an opening brace and a quotation mark of nobody's", `I use { and " and {" here: ${reply}`],
    ["after an object that breaks down", `{"history_entry": "first try", oops} ${reply}`],
    ["with commas before closing braces", reply.replace(/\}$/, ", }")],
    ["with line ends within strings", reply.replace("\\n", "\n")],
    ["without its last brace", reply.slice(0, -1)],
    ["without braces", reply.slice(1, -1)],
  ])("is understood %s", (_, text) => {
    expect(parseReply(text)).toEqual(both);
  });

  it("gives what is complete of a reply that breaks off or breaks down", () => {
    expect(parseReply('{"history_entry": "All of it.", "memory_update": "- Half of')).toEqual({
      historyEntry: "All of it.",
    });
    expect(parseReply('{"memory_update": "- Uses pnp')).toEqual({});
    expect(parseReply('{"history_entry": "He said "no" to it.", "memory_update": "- All."}')).toEqual({
      memoryUpdate: "- All.",
    });
    expect(parseReply('{"result": {"history_entry": "All of it."}, "more": {"a"')).toEqual({
      historyEntry: "All of it.",
    });
  });

  it("keeps escapes that JSON does not know as they are written", () => {
    expect(parseReply(String.raw`{"history_entry": "It\'s /\d+\.\d/ in \u00e4\n,\"x\"",}`)).toEqual({
      historyEntry: String.raw`It's /\d+\.\d/ in ä` + '\n,"x"',
    });
  });

  it.each([
    ["a name within a string", JSON.stringify({ note: 'say "history_entry": "x"' })],
    ["an object within a string", JSON.stringify({ note: '{"history_entry": "x"}' })],
    ["a field that is a number, null, a list or an object", '{"history_entry": 7, "memory_update": null}'],
    ["a list for a text", '{"history_entry": ["x"], "memory_update": {"x": 1}}'],
    ["a blank field", '{"history_entry": " \\n", "memory_update": ""}'],
    ["what an object inherits", '{"__proto__": {"history_entry_": "x"}, "constructor": "x"}'],
    ["thoughts that never end", `<think>${reply}`],
    ["nothing", ""],
  ])("is taken for nothing: %s", (_, text) => {
    expect(parseReply(text)).toEqual({});
  });

  it("is found whatever stands around it", () => {
    const noise = fc.stringMatching(/^(?:[{}[\]"'\\:, \n`~a-z<>]|```json\n|\{"|\\"|\{"a":\s?){0,30}$/);

    fc.assert(
      fc.property(
        texts,
        texts,
        noise,
        noise,
        fc.constantFrom(0, 2),
        (historyEntry, memoryUpdate, before, after, indent) => {
          const written = JSON.stringify(
            { history_entry: historyEntry, memory_update: memoryUpdate },
            undefined,
            indent,
          );

          expect(parseReply(`${before}\n${written}\n${after}`)).toEqual({ historyEntry, memoryUpdate });
        },
      ),
      { numRuns: 500 },
    );
  });

  it("gives right fields or none wherever it breaks off", () => {
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (history, memory, at, isFenced) => {
          const written = JSON.stringify({ history_entry: history, memory_update: memory });
          const cut = written.slice(0, Math.floor(at * written.length));

          const found = parseReply(isFenced ? `\`\`\`json\n${cut}\n\`\`\`` : cut);

          expect([undefined, history]).toContain(found.historyEntry);
          expect([undefined, memory]).toContain(found.memoryUpdate);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("may be any text", () => {
    const signs = fc.string({
      unit: fc.constantFrom("{", "}", "[", '"', "\\", ":", ",", "\n", "\uD800", '"history_entry"', "a"),
    });

    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), signs), (text) => {
        const found = parseReply(text);

        expect(Object.values(found).every((field) => typeof field === "string")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  // As much as is taken from a model. A quadratic way takes minutes; measured 2026-11: 5 to 400 ms.
  it.each(["{", '{"', '{"a":', '{"\\', '{\\"', "```json\n{", '"history_entry":"', "<think>"])(
    "is read in one go, even if it is 2 MB of %j",
    (sign) => {
      const start = performance.now();

      expect(parseReply(`x${sign.repeat(Math.ceil(2_000_000 / sign.length))}`)).toEqual({});
      expect(performance.now() - start).toBeLessThan(10_000);
    },
  );
});

const texts = fc
  .oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({
      unit: fc.constantFrom("{", "}", '"', "\\", "\n", "a", "```", "</think>", '"memory_update": "x"', ",", ":", " "),
    }),
  )
  .filter((text) => text.trim() !== "");
