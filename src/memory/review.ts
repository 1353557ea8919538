import { MemoryError } from "../base/memory-error.js";
import { cleanText } from "../hygiene/hygiene.js";
import type { SqlArgs } from "../storage/storage.js";
import { getMemory } from "./get-memory.js";
import { listByKeys } from "./memory-queries.js";
import type { Memory } from "./memory.js";
import { changeMemory, type ProjectStore } from "./project-store.js";

/** Pins a memory, so that it never decays; or lets it go again. */
export async function pin(from: ProjectStore, reference: string, pinned: boolean): Promise<Memory> {
  checkInputOf("pin()", "true or false", typeof pinned === "boolean");
  return mark(from, reference, "pinned = :pinned", { pinned });
}

/** A person says that this is right: a flag or a pending review is lifted. */
export async function verify(from: ProjectStore, reference: string): Promise<Memory> {
  return mark(from, reference, "user_verified = 1, review_state = 'none', review_reason = NULL");
}

/** A person says that this is wrong, and why. It no longer comes back on its own; `verify` lifts the flag. */
export async function flag(from: ProjectStore, reference: string, reason: string): Promise<Memory> {
  checkInputOf("flag()", "a reason", typeof reason === "string" && reason.trim() !== "");
  const { text } = await cleanText(reason, "reason");
  return mark(from, reference, "user_verified = 0, review_state = 'flagged', review_reason = :reason", {
    reason: text,
  });
}

function checkInputOf(verb: string, what: string, fits: boolean): void {
  if (!fits) throw new MemoryError("invalid-input", `${verb} needs ${what}.`, `Give ${what} after the reference.`);
}

async function mark(from: ProjectStore, reference: string, assignments: string, args: SqlArgs = {}): Promise<Memory> {
  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const { key } = await getMemory(writer, project, reference, now);
    await writer.run(`UPDATE memories SET ${assignments}, updated_at = :now WHERE key = :key`, {
      ...args,
      now: now.toISOString(),
      key,
    });
    const [marked] = await listByKeys(writer, project, [key], now);
    return marked?.memory as Memory;
  });
}
