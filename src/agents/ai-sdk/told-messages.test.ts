import { expect, it } from "vitest";
import { lastWritten, withMore } from "./told-messages.js";

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

it("hears what a person wrote last, without pictures, and how often", () => {
  const messages = [
    { role: "user", content: "Go on." },
    { role: "user", content: [{ type: "image" }, { type: "text", text: "Go on." }] },
    { role: "tool", content: [{ type: "tool-result" }] },
  ];

  expect(lastWritten(messages)).toEqual({ prompt: "Go on.", count: 2 });
  expect(lastWritten([{ role: "system", content: "Be brief." }])).toBeUndefined();
});
