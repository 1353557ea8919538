import { describe, expect, it } from "vitest";
import { outgoingText } from "./outgoing-text.js";

describe("a text that leaves the machine", () => {
  it("is the same where there is nothing to take out", async () => {
    const text = "how do we deploy 🏴󠁧󠁢󠁳󠁣󠁴󠁿 on Friday?\n\tTwo lines.";

    expect(await outgoingText(text)).toBe(text);
  });

  it.each([
    ["password=hunter2xyz", "password=[redacted:password]"],
    ["a <private>b</private> c", "a  c"],
    ["a <pri\u200Bvate>b</private> c", "a  c"],
    ["in\u202Evisible", "invisible"],
    ["n\0ul", "n ul"],
    ["half \uD83D of a pair", "half \uFFFD of a pair"],
  ])("%j becomes %j", async (text, expected) => {
    expect(await outgoingText(text)).toBe(expected);
  });

  it("may be longer than what is kept", async () => {
    const text = "a word ".repeat(20_000);

    expect(await outgoingText(text)).toBe(text);
  });
});
