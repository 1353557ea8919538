import { expect, it } from "vitest";
import { listWritten, placeOf, withMore } from "./sdk-messages.js";

it("adds to a message without making two of it, or a list of what was one text", () => {
  const picture = { type: "image", image: "data:" };
  const cached = { type: "text", text: "Why?", providerOptions: { a: { cache: true } } };

  expect(withMore({ role: "user", content: "Why?" }, "Because.")).toEqual({
    role: "user",
    content: "Why?\n\nBecause.",
  });
  expect(withMore({ role: "user", content: [cached] }, "Because.").content).toEqual([
    { ...cached, text: "Why?\n\nBecause." },
  ]);
  expect(withMore({ role: "user", content: [cached, picture] }, "Because.").content).toEqual([
    cached,
    picture,
    { type: "text", text: "Because." },
  ]);
});

it("finds a prompt that was written more than once, without its pictures, also where the history was cut", () => {
  const messages = [
    { role: "user", content: "Go on." },
    { role: "assistant", content: "Yes." },
    { role: "user", content: [{ type: "image" }, { type: "text", text: "Go on." }] },
    { role: "tool", content: [{ type: "tool-result" }] },
  ];

  const written = listWritten(messages);

  expect(written).toEqual([
    { prompt: "Go on.", nth: 1, at: 0 },
    { prompt: "Go on.", nth: 2, at: 2 },
  ]);
  expect([1, 2, 3].map((nth) => placeOf(written, { prompt: "Go on.", nth }))).toEqual([0, 2, 2]);
  expect(placeOf(written, { prompt: "Stop.", nth: 1 })).toBe(-1);
});
