import { describe, expect, it } from "vitest";
import { openTestMemory } from "../../../test/support/open-memories.js";
import { runLine, textOf } from "../../../test/support/run-line.js";
import { addSessions } from "./sessions.js";

describe("tacit sessions", () => {
  it("points to conversations where no session was observed", async () => {
    const memory = await openTestMemory({ embedder: null });
    const shown = async () => textOf((await runLine(memory, addSessions, ["sessions"])).answer);
    expect(await shown()).toBe("No session was observed here yet.");

    await memory.conversation("s1").append({ role: "user", content: "Hello" });

    expect(await shown()).toBe(
      "No session was observed here yet.\nThere are conversations that were kept: tacit chat list",
    );
  });
});

describe("tacit sessions ID", () => {
  it("tells what the session was told, when and why, what it used and what it leaves behind", async () => {
    const memory = await openTestMemory();
    const [used, unused] = await memory.rememberMany([{ content: "Pin the driver." }, { content: "Ships sail." }]);
    const [first = "", second = ""] = [used?.id, unused?.id];
    const sessionId = "session-1a2b3c4d";
    const about = { sessionId, kind: "injected" as const, tokens: 60 };
    memory.observe({
      ...about,
      point: "session-start",
      memories: [{ id: first, why: "holds everywhere", tokens: 50 }],
    });
    memory.observe({ ...about, point: "prompt", memories: [{ id: second, why: "fits the prompt", tokens: 50 }] });
    memory.observe({ sessionId, kind: "reasoning", text: `[Memory #${first.slice(-8)}: Pin the driver.] says so.` });
    await memory.finishSession(sessionId);
    await memory.remember({ content: "Tests need a database.", sessionId });

    const { answer } = await runLine(memory, addSessions, ["sessions", "1a2b3c4d"]);

    expect(textOf(answer)).toContain(`
2 memories told, 120 tokens; 1 used (1 cited, 0 followed).
${first.slice(-8)}  Pin the driver.
          told at the start: worth knowing before anything else · cited
${second.slice(-8)}  Ships sail.
          told with a prompt: matched the prompt · not used as far as seen
It leaves behind: 1 memory stated, nothing learned.
`);
    expect(answer.document).toMatchObject({ session: { sessionId }, summary: { told: 2, cited: 1, remembered: 1 } });
  });

  it("tells of one that is not over only what is known, and refuses one that nobody knows", async () => {
    const memory = await openTestMemory();
    await memory.remember({ content: "Tests need a database.", sessionId: "s1" });

    const { answer } = await runLine(memory, addSessions, ["sessions", "s1"]);

    expect(textOf(answer)).toBe(
      "Nothing is striking about it so far.\n\nWhat it is told is counted when it is over.\nIt leaves behind: 1 memory stated, nothing learned.",
    );
    await expect(runLine(memory, addSessions, ["sessions", "nope"])).rejects.toMatchObject({
      name: "MemoryError",
      message: 'No session "nope" is known here.',
    });
  });
});
