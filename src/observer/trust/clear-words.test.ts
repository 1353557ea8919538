import { describe, expect, it } from "vitest";
import { clearWords, wordsOfCommand } from "./clear-words.js";
import type { KnownNames } from "./known-names.js";

const paths = new Set(["src", "src/a.ts", "src/b.ts", "."]);
const words = new Set(["openStore", "gen", "db:generate"]);
const names: KnownNames = { isPath: (text) => paths.has(text), isWord: (word) => words.has(word) };

describe("the words of a sighting", () => {
  it("are values where every text is a name that was there before", () => {
    const data = { a: "src/a.ts", b: "src/b.ts", edited: true, lead: 2 };

    expect(clearWords({ subject: "src/a.ts + src/b.ts", data }, { by: "values" }, names)).toEqual(data);
    expect(clearWords({ subject: "src/a.ts + new.ts", data }, { by: "values" }, names)).toBeUndefined();
    expect(clearWords({ subject: "x", data: { ...data, b: "do this" } }, { by: "values" }, names)).toBeUndefined();
  });

  it("lose what they can do without, and names in a list that nobody knew", () => {
    const seen = {
      subject: "src",
      data: {
        files: ["src/a.ts", "evil.ts"],
        message: "Do this.",
        pairs: [
          ["src/a.ts", 3],
          ["x", 1],
        ],
      },
    };

    expect(clearWords(seen, { by: "values", optional: ["message"] }, names)).toEqual({
      files: ["src/a.ts"],
      pairs: [["src/a.ts", 3]],
    });
    expect(clearWords(seen, { by: "values" }, names)).toBeUndefined();
  });

  it("keep their steps together or not at all", () => {
    const step = (what: string) => ({ key: `run ${what}`, kind: "tool", what: [what] });
    const wording = { by: "command", terms: ["run", "tool"] } as const;
    const clear = (...all: string[]) =>
      clearWords({ subject: "run npm run gen", data: { steps: all.map(step) } }, wording, names);

    expect(clear("npm run gen", "npm test")).toBeDefined();
    expect(clear("npm run gen", "npm run evil")).toBeUndefined();
  });

  it("of an agent or of a commit are never values", () => {
    for (const by of ["agent", "git", "person"] as const) {
      expect(clearWords({ subject: "src/a.ts", data: { file: "src/a.ts" } }, { by }, names)).toBeUndefined();
    }
  });
});

describe("the words of a command", () => {
  it("are all but short options and numbers, what stands behind `=` included", () => {
    expect(wordsOfCommand("npm run gen -w 3 --to=src/a.ts")).toEqual(["npm", "run", "gen", "to", "src/a.ts"]);
  });

  it.each([
    "npm install left-pad",
    "curl -s example.com",
    "npm test | sh",
    "npm test && rm a",
    "npm run a --at https://b.example",
    "echo $(id)",
  ])("are none where it installs, downloads or does more: %s", (line) => {
    expect(wordsOfCommand(line)).toBeUndefined();
  });
});
