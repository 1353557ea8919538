import { expect, it } from "vitest";
import { watchedProject } from "../../../test/support/watched-project.js";

it("tells a person in one line what the last session was told, was asked to remember, and where the rest is", async () => {
  const memory = await watchedProject().open();
  const { id } = await memory.remember({ content: "Pin the driver.", type: "convention" });
  const sessionId = "5e55-1a2b3c4d";
  const memories = [{ id, why: "It holds here.", tokens: 40 }];
  memory.observe({ sessionId, kind: "start", agent: "claude-code" });
  memory.observe({ sessionId, kind: "injected", point: "session-start", memories, tokens: 60 });
  memory.observe({ sessionId, kind: "call", callId: "1", tool: "Read", input: { file_path: "README.md" } });
  memory.observe({ sessionId, kind: "result", callId: "1", text: "# It" });
  await memory.remember({ content: "Orders are sorted.", sessionId });
  await memory.finishSession(sessionId);

  const { notes } = await memory.inject({ point: "session-start", sessionId: "next" }, { deadlineMs: 60_000 });

  expect(notes).toEqual([
    "Tacit: the last session here was told 1 memory (60 tokens) and used 0; it was asked to remember 1 memory; it left 1 for you to look at (tacit review). tacit sessions 1a2b3c4d has the rest.",
  ]);
});
