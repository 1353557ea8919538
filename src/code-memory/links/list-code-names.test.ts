import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listCodeNames } from "./list-code-names.js";

describe("the names of code in a text", () => {
  it.each([
    ["in backticks by themselves", "the loop in `retry` waits", ["retry"]],
    ["with arguments in backticks", "call `retry(3, url)` first", ["retry"]],
    ["followed by a bracket", "the loop in retry() waits", ["retry"]],
    ["written in camel case or with an underscore", "openStore and max_retries", ["openStore", "max_retries"]],
    ["with a capital inside a sentence", "it is the Store that waits", ["Store"]],
    [
      "qualified",
      "Store.read waits, and so does Store#write or Store::close",
      ["Store.read", "Store.write", "Store.close"],
    ],
    ["inside other code, where they look like names", "```ts\nawait openStore(path)\n```", ["openStore"]],
    ["private ones", "see Store.#rows", ["Store.#rows"]],
    ["in other alphabets", "die größeLesen() misst", ["größeLesen"]],
    ["named again", "openStore, then openStore()", ["openStore"]],
  ])("are those %s", (_what, text, expected) => {
    expect(listCodeNames(text).map(({ name }) => name)).toEqual(expected);
  });

  it.each([
    ["an ordinary word", "the retry loop waits"],
    ["a word at the beginning of a sentence", "Store the key. Retry twice.\n- Cache it\n> Test it: Index first"],
    ["a short one", "`get`, `a.b`, put()"],
    ["beyond what a name can be", `${"aB".repeat(200)} \`${"a".repeat(400)}\``],
    ["a word inside other code", "`await the path of this`"],
  ])("are not %s", (_what, text) => {
    expect(listCodeNames(text)).toEqual([]);
  });

  it("keep the file that was named with them", () => {
    expect(listCodeNames("see src/a.ts#Store.read and `b.py#load_all`")).toEqual([
      { name: "Store.read", file: "src/a.ts" },
      { name: "load_all", file: "b.py" },
    ]);
  });

  it("are found in any text, without getting lost in it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (noise) => {
        const names = listCodeNames(`${noise}\n\nsee \`openStore\``).map(({ name }) => name);

        expect(names).toContain("openStore");
      }),
    );
    const started = performance.now();
    listCodeNames("aA.".repeat(20_000));
    listCodeNames("`".repeat(60_000));
    listCodeNames("a/".repeat(30_000));
    listCodeNames("a.b-".repeat(15_000));
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
