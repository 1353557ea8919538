import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";

describe("readWindow", () => {
  it("shows nothing where not a word fits, and tells how much was left out", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    await talk.append([
      { role: "user", content: "What is the plan for the release of next week?" },
      { role: "assistant", content: "We ship on Thursday, after the last review." },
    ]);

    const windows = await Promise.all([1, 4, 5, 6].map((maxTokens) => talk.window({ maxTokens })));

    for (const window of windows) expect(window).toEqual({ messages: [], tokens: 0, leftOut: 2 });
    const { messages, tokens, leftOut } = await talk.window({ maxTokens: 10 });
    expect(messages).toMatchObject([{ role: "assistant", content: expect.stringMatching(/^\[…\] .+review\.$/) }]);
    expect(tokens).toBeLessThanOrEqual(10);
    expect(leftOut).toBe(1);
  });

  it("joins a long turn that the last ones begin with", async () => {
    const memory = await openTestMemory();
    const talk = memory.conversation("s1");
    const long = "line of a log\n".repeat(9000);
    await talk.append([
      { role: "user", content: "earlier" },
      { role: "assistant", content: "yes" },
      { role: "user", content: long },
      { role: "assistant", content: "read" },
    ]);

    const { messages } = await talk.window({ turns: 1 });

    expect(messages.map(({ content }) => content)).toEqual([long, "read"]);
  });
});
