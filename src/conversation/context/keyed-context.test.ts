import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";

describe("the context of a session", () => {
  it("[W4] is its own, and a session that holds what may not be stored has none", async () => {
    const memory = await openTestMemory();
    await memory.conversations.setContext("task", "of everybody");
    await memory.conversations.setContext("task", "of one", { sessionId: "s1" });

    for (const sessionId of [
      "s\u200B1",
      "<private>s</private>1",
      ["ghp", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"].join("_"),
      "",
    ]) {
      await expect(memory.conversations.setContext("task", "x", { sessionId })).rejects.toMatchObject({
        code: "invalid-input",
      });
      await expect(memory.conversations.getContext("task", { sessionId })).rejects.toMatchObject({
        code: "invalid-input",
      });
    }

    expect(await memory.conversations.getContext("task", { sessionId: "s1" })).toBe("of one");
    expect(await memory.conversations.getContext("task", { sessionId: "s2" })).toBeUndefined();
    expect(await memory.conversations.getContext("task")).toBe("of everybody");
  });
});
