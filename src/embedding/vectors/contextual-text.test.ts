import { describe, expect, it } from "vitest";
import { contextualText } from "./contextual-text.js";

const bare = { content: "Tokens expire.", type: "note", relatedFiles: [], relatedModules: [] };

describe("the text that is embedded", () => {
  it("names files, modules and type before the content", () => {
    const memory = { ...bare, type: "gotcha", relatedFiles: ["src/auth.ts", "src/a.ts"], relatedModules: ["login"] };

    expect(contextualText(memory)).toBe("gotcha in src/auth.ts, src/a.ts, login: Tokens expire.");
    expect(contextualText({ ...memory, type: "note" })).toBe("src/auth.ts, src/a.ts, login: Tokens expire.");
    expect(contextualText({ ...bare, type: "dead_end" })).toBe("dead end: Tokens expire.");
  });

  it("says what a turn says, and not who says it", () => {
    expect(contextualText({ ...bare, type: "conversation", content: "Ada: yes" })).toBe("yes");
    expect(contextualText({ ...bare, content: "Ada: yes" })).toBe("Ada: yes");
  });

  it.each(["note", "conversation", "fact", "context", "archive"])(
    "is the content alone for a %s without files",
    (type) => {
      expect(contextualText({ ...bare, type })).toBe("Tokens expire.");
    },
  );
});
