import { describe, expect, it } from "vitest";
import { projectContext } from "../../../test/support/keep-records.js";
import { writeProject } from "../../project/project-context.js";
import type { Project } from "../../project/projects.js";
import type { Writer } from "../../storage/storage.js";
import {
  countSessions,
  findSession,
  isImported,
  listSessions,
  noteTakenIn,
  readRevision,
  writeSession,
  type SessionRecord,
} from "./session-queries.js";

describe("the record of a session", () => {
  it("is read as it was written, whatever is known of it", async () => {
    await inProject(async (writer, project) => {
      const plain = recordOf("s1");
      const whole: SessionRecord = {
        ...recordOf("s2"),
        agent: "builder",
        endedAt: "2026-11-02T11:00:00.000Z",
        stepsPlanned: 3,
        qaFirstPass: false,
        outside: { from: "web", what: "example.com" },
      };
      await writeSession(writer, project, plain);
      await writeSession(writer, project, whole);

      expect(await listSessions(writer, project, 10)).toEqual([whole, plain]);
      expect(await listSessions(writer, project, 1)).toEqual([whole]);
      expect((await findSession(writer, project, "s1"))?.record).toEqual(plain);
      expect(await findSession(writer, project, "s3")).toBeUndefined();
    });
  });

  it("is replaced under its number, and its spool is known", async () => {
    await inProject(async (writer, project) => {
      const number = await writeSession(writer, project, recordOf("s1"));
      const before = await readRevision(writer, project);
      await noteTakenIn(writer, "spool-1", number);

      expect(await writeSession(writer, project, { ...recordOf("s1"), outcome: "failure" })).toBe(number);
      expect(await countSessions(writer, project)).toBe(1);
      expect([await isImported(writer, "spool-1"), await isImported(writer, "spool-2")]).toEqual([true, false]);
      expect(await readRevision(writer, project)).not.toBe(before);
    });
  });
});

async function inProject(work: (writer: Writer, project: Project) => Promise<void>): Promise<void> {
  await writeProject(await projectContext(), work);
}

function recordOf(sessionId: string): SessionRecord {
  return {
    sessionId,
    type: "build",
    outcome: "success",
    startedAt: "2026-11-02T09:00:00.000Z",
    endedAt: "2026-11-02T10:00:00.000Z",
    events: 10,
    toolCalls: 4,
    files: 2,
    rereads: 1,
    stepsDone: 3,
    inputTokens: 1000,
    outputTokens: 50,
    deadEndsReentered: 0,
  };
}
