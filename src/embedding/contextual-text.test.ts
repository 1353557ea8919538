import { describe, expect, it } from "vitest";
import { contextualText } from "./contextual-text.js";

const bare = { content: "Tokens expire.", type: "note", relatedFiles: [], relatedModules: [] };

describe("the text that is embedded", () => {
  it("names files, modules and type before the content", () => {
    const memory = { ...bare, type: "gotcha", relatedFiles: ["src/auth.ts", "src/a.ts"], relatedModules: ["login"] };

    expect(contextualText(memory)).toBe(
      "Files: src/auth.ts, src/a.ts | Module: login | Type: gotcha\n\nTokens expire.",
    );
  });

  it.each(["note", "conversation", "fact", "context", "archive"])(
    "is the content alone for a %s without files",
    (type) => {
      expect(contextualText({ ...bare, type })).toBe("Tokens expire.");
    },
  );
});
