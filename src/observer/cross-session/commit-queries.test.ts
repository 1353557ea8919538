import { expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { changeMemories } from "../../memory/change/change.js";
import { remember } from "../../memory/remember/remember.js";
import { addCommits, listHeld, type Releasable } from "./commit-queries.js";
import { writeSession } from "./session-queries.js";
import { addSightings, notePromoted } from "./subject-queries.js";

const may: Releasable = {
  signals: ["self-correction", "commit"],
  never: { reason: "It repeats an instruction", but: ["commit"] },
  withoutCommits: "In a clone",
  limit: 3,
};
const at = "2026-11-02T09:00:00.000Z";

it("lists what may be released, newest first, and lets nothing else take its place", async () => {
  const context = await projectContext();
  await hold(context, "s1", "Stated.", "From the web.");
  await hold(context, "s1", "Corrected.", "From the web.", "self-correction");
  await hold(context, "s1", "Committed.", "It repeats an instruction.", "commit");
  await hold(context, "s2", "Without commits.", "In a clone.");
  for (let n = 0; n < 5; n += 1) {
    await hold(context, "s1", `For a person ${n}.`, "From the web.", "external-reference");
    await hold(context, "s1", `An instruction ${n}.`, "It repeats an instruction.");
    await hold(context, "s2", `Without commits ${n}.`, "From the web.");
  }

  const reasons = await changeMemories(context, async (writer, project) => {
    const held = await listHeld(writer, project, may);
    return held.map(({ signal = "stated", reason, commits }) => [signal, reason, commits.length]);
  });

  expect(reasons).toEqual([
    ["stated", "In a clone.", 0],
    ["commit", "It repeats an instruction.", 1],
    ["self-correction", "From the web.", 1],
  ]);
});

/** Stores what waits; of the first session a commit is known. */
async function hold(
  context: Awaited<ReturnType<typeof projectContext>>,
  sessionId: string,
  content: string,
  reason: string,
  signal?: "self-correction" | "commit" | "external-reference",
): Promise<void> {
  const [{ id } = { id: "" }] = await remember(context, [{ content, sessionId }], { doubts: [reason] });
  await changeMemories(context, async (writer, project) => {
    const number = await writeSession(writer, project, {
      sessionId,
      type: "build",
      outcome: "success",
      startedAt: at,
      endedAt: at,
      events: 1,
      toolCalls: 1,
      files: 1,
      rereads: 0,
      stepsDone: 1,
      inputTokens: 1,
      outputTokens: 1,
      deadEndsReentered: 0,
    });
    if (sessionId === "s1") {
      await addCommits(writer, number, [{ sha: "a".repeat(40), committer: "me@x", subject: "Work", files: ["a.ts"] }]);
    }
    if (signal === undefined) return;
    await addSightings(writer, project, { number, at }, [
      { signal, subject: content, agents: 1, data: {}, evidence: [] },
    ]);
    await notePromoted(writer, project, { signal, subject: content }, id, new Date(at));
  });
}
