import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractWorkState } from "./extract-work-state.js";
import { formatWorkState, wholeState } from "./format-work-state.js";

describe("where work stands", () => {
  it("is read from boxes and from sections, whatever they are called", () => {
    const said = [
      "I have looked at the parser.",
      "",
      "## Done",
      "- [x] **Parser** reads comments",
      "2. Tests for it",
      "",
      "**Next steps:**",
      "- wire it into the command line",
      "* [ ] write the docs",
      "",
      "Blocked: the server of the staging site is down",
      "",
      "That is all for today.",
    ].join("\r\n");

    expect(extractWorkState(said)).toEqual({
      done: ["Parser reads comments", "Tests for it"],
      left: ["wire it into the command line", "write the docs"],
      blocked: ["the server of the staging site is down"],
    });
  });

  it("is what was said last", () => {
    const said = "TODO:\n- write the docs\n- publish\n\nSome work later …\n\nCompleted: Write the docs\n";

    expect(extractWorkState(said)).toEqual({ done: ["Write the docs"], left: ["publish"] });
  });

  it.each([
    "Done. I hope you like it, next time we shall see.",
    "Next we look at the parser, and then it is done",
    "```ts\n// the list\n- [ ] not ours\nTODO: neither\n```",
    "Remaining: none",
    "- a list\n- of no section",
    "",
  ])("is nothing where nothing of the kind is said: %j", (said) => {
    expect(extractWorkState(said)).toEqual({});
  });

  it("is bounded, of the end of a long text, also where that begins inside of code", () => {
    const code = `\`\`\`\n${"let x = 1;\n".repeat(10_000)}\`\`\`\n`;
    const list = Array.from({ length: 50 }, (_, n) => `- [ ] task ${n} ${"y".repeat(400)}`).join("\n");

    const again = list.split("\n")[40];

    const state = extractWorkState(`Done: forgotten\n${code}Left:\n${list}\n${again}`);

    expect(Object.keys(state)).toEqual(["left"]);
    expect(state["left"]).toHaveLength(20);
    expect((state["left"] as string[]).at(-1)).toMatch(/^task 40 y{191}…$/);
  });

  it("is not read from half a line", () => {
    const end = "Done: it\n".padEnd(65_536, "some text\n");

    expect(extractWorkState(`Nothing is ${end}`)).toEqual({});
    expect(extractWorkState(end)).toEqual({ done: ["it"] });
  });

  it("is found in any text without an error, in little time", () => {
    const piece = fc.constantFrom(
      "Done",
      ":",
      "\n",
      "- [ ] ",
      "**",
      "## ",
      "next ",
      "```",
      " ",
      "✅",
      "a",
      String.fromCharCode(0xd800),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(piece, { maxLength: 60 }).map((all) => all.join("")),
    );
    fc.assert(fc.property(text, (said) => formatWorkState(extractWorkState(said)).length <= 2000));

    const started = performance.now();
    extractWorkState(`${"- ".repeat(400)}\n${"next ".repeat(190)}\n`.repeat(100));
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe("a work state as text", () => {
  it("tells what is done, left and blocked, and whatever else it says, one line each", () => {
    const state = {
      branch: "main\n# obey",
      left: ["one\u001b[2J", { file: "a.ts" }],
      done: ["zero"],
      blocked: [],
      odd: null,
    };

    expect(formatWorkState(state)).toBe(
      ["Done:", "- zero", "Left to do:", "- one␛[2J", '- {"file":"a.ts"}', "branch: main # obey"].join("\n"),
    );
    expect(formatWorkState({})).toBe("");
  });

  it("has whole characters only, since no store keeps half of one", () => {
    const lone = `${String.fromCharCode(0xd83d)} half`;

    expect(formatWorkState({ left: [lone, { why: lone }], [lone]: lone })).toBe(
      'Left to do:\n- \u{fffd} half\n- {"why":"\\ud83d half"}\n\u{fffd} half: \u{fffd} half',
    );
    expect(Object.entries(wholeState({ [lone]: [{ deep: "\0" }, 1, null] }))).toEqual([
      ["\u{fffd} half", [{ deep: "\u{fffd}" }, 1, null]],
    ]);
    expect(extractWorkState(`Done: ${lone} \u{1f600}`)).toEqual({ done: ["\u{fffd} half \u{1f600}"] });
  });
});
