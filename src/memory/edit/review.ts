import { MemoryError } from "../../base/memory-error.js";
import { cleanText } from "../../hygiene/hygiene.js";
import { getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import type { Memory } from "../memory.js";
import { changeMemory } from "../write/change-memory.js";
import type { ProjectContext } from "../../project/project.js";
import { writeFields, type FieldValues } from "../write/write-fields.js";

/** Pins a memory, so that it never decays; or lets it go again. */
export async function pin(context: ProjectContext, reference: string, pinned: boolean): Promise<Memory> {
  checkInputOf("pin()", "true or false", typeof pinned === "boolean");
  return mark(context, reference, pinned ? "pinned" : "unpinned", { pinned });
}

/** A person says that this is right: a flag or a pending review is lifted. */
export async function verify(context: ProjectContext, reference: string): Promise<Memory> {
  return mark(context, reference, "verified", { userVerified: true, review: { state: "none" } });
}

/** A person says that this is wrong, and why. It no longer comes back on its own; `verify` lifts the flag. */
export async function flag(context: ProjectContext, reference: string, reason: string): Promise<Memory> {
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
  context: ProjectContext,
  reference: string,
  verb: "pinned" | "unpinned" | "verified" | "flagged",
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
