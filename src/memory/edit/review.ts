import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import type { Memory, ReviewedMemory } from "../memory.js";
import { isUnverified } from "../record/trust.js";
import { closeWhatItContradicts, loadContradictions } from "../remember/store-memories.js";
import { refuseAgent } from "../change/refuse-agent.js";
import { changeMemory } from "../write/change-memory.js";
import type { MemoryContext } from "../change/memory-context.js";
import { writeFields, type FieldValues } from "../write/write-fields.js";

/** Pins a memory, so that it never decays; or lets it go again. */
export async function pin(context: MemoryContext, reference: string, pinned: boolean): Promise<Memory> {
  checkInputOf("pin()", "true or false", typeof pinned === "boolean");
  return mark(context, reference, pinned ? "pinned" : "unpinned", { pinned });
}

/**
 * A person says that this is right: a flag or a pending review is lifted, and what the code said against it counts no more.
 * What nobody vouched for until now takes the place of what it contradicts. No agent can vouch.
 */
export async function verify(context: MemoryContext, reference: string): Promise<ReviewedMemory> {
  refuseAgent(context, `tacit verify ${reference}`);
  await loadContradictions();
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const { key, record } = await getMemory(writer, project, reference, now);
    writer.changes.verified(project, key, record);
    const verified = await noteChanges(writer, project, { verb: "verified", keys: [key], now }, () =>
      writeFields(writer, project, key, { userVerified: true, review: { state: "none" } }, now),
    );
    const isVouchedForNow = isUnverified(record) || record.review.state !== "none";
    const { drift: _drift, ...memory } = isVouchedForNow
      ? await closeWhatItContradicts(writer, project, verified, now)
      : verified.memory;
    return memory;
  });
}

/** A person says that this is wrong, and why. It no longer comes back on its own; `verify` lifts the flag. */
export async function flag(context: MemoryContext, reference: string, reason: string): Promise<Memory> {
  checkInputOf("flag()", "a reason", typeof reason === "string" && reason.trim() !== "");
  const { text } = await cleanText(reason, "reason");
  return mark(context, reference, "flagged", {
    userVerified: false,
    review: { state: "flagged", reason: text },
    usesSinceCorrection: 0,
  });
}

function checkInputOf(verb: string, what: string, fits: boolean): void {
  if (!fits) throw new MemoryError("invalid-input", `${verb} needs ${what}.`, `Give ${what} after the reference.`);
}

async function mark(
  context: MemoryContext,
  reference: string,
  verb: "pinned" | "unpinned" | "flagged",
  fields: FieldValues,
): Promise<Memory> {
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const { key } = await getMemory(writer, project, reference, now);
    return noteChanges(writer, project, { verb, keys: [key], now }, async () => {
      return (await writeFields(writer, project, key, fields, now)).memory;
    });
  });
}
