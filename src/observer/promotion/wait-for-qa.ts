import type { MemoryWriter } from "../../memory/change/change.js";
import { forgetRows } from "../../memory/retention/retention.js";
import { noteChanges } from "../../memory/history/history.js";
import type { PreparedMemory } from "../../memory/prepare/prepare.js";
import type { Project } from "../../project/project.js";
import { releaseSubjects } from "../cross-session/subject-queries.js";
import { writeFields } from "../../memory/write/write.js";
import { listPendingFor } from "./promotion-queries.js";

// What is said with so much confidence must not be wrong, and in the middle of a build nobody has checked it.
const highConfidence = 0.7;
const reason = "It was inferred in the middle of a build, and waits for the build's checks.";

/** A memory that a build led to before its end: where it was inferred and is sure of itself, it waits for the checks. */
export function waitForQa(memory: PreparedMemory): PreparedMemory {
  const isSure = memory.source === "observer_inferred" && memory.confidence >= highConfidence;
  return isSure ? { ...memory, review: { state: "pending", reason } } : memory;
}

/** The build is over: what waited for its checks comes into force, or is forgotten. */
export async function settleForQa(
  writer: MemoryWriter,
  project: Project,
  { sessionId, passed, now }: { sessionId: string; passed: boolean; now: Date },
): Promise<void> {
  const keys = await listPendingFor(writer, project, { sessionId, reason });
  if (!passed) {
    const forgotten = await forgetRows(writer, project, keys, now, "unproved");
    await releaseSubjects(
      writer,
      forgotten.map(({ id }) => id),
    );
    return;
  }
  for (const key of keys) {
    await noteChanges(writer, project, { verb: "settled", keys: [key], now }, async () => {
      await writeFields(writer, project, key, { review: { state: "none" } }, now);
    });
  }
}
