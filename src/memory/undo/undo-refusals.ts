import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import { refuseForgotten } from "../read/get-memory.js";
import { statedFields } from "../history/note-changes.js";
import { wasChangedAgain } from "../history/field-change.js";
import { refuseAfterGrace } from "../retention/restore.js";
import { bringsBack, type ChangePart } from "./revert-change.js";

/** One that gave way to others is another matter: there is something to take back about those. */
export function refuseToForgetAgain([first, ...others]: ChangePart[]): void {
  if (!first?.isBirth || first.memory.status !== "forgotten" || others.length > 0) return;
  const id = shortId(first.memory.id);
  throw new MemoryError("undo-refused", `${id} is forgotten already.`, `tacit restore ${id} brings it back.`);
}

/** What took the place of another and gave way to a third is needed in between: there would be two that hold. */
export function refuseWithinChain(parts: ChangePart[]): void {
  for (const { memory, number, fields } of parts) {
    const next = parts.find((part) => part.memory.id === fields["supersededBy"]?.[1])?.memory;
    if (next?.supersededBy === undefined) continue;
    const [id, nextId] = [shortId(memory.id), shortId(next.id)];
    throw new MemoryError(
      "undo-refused",
      `A later change built on change ${number} of ${id}: ${nextId}, which took its place, was superseded by ${shortId(next.supersededBy)}.`,
      `Undo that one first: tacit undo ${nextId} (tacit history ${nextId} lists its changes).`,
    );
  }
}

/** What is forgotten is brought back or left alone. */
export async function refuseWhatIsForgotten(reader: Reader, part: ChangePart, now: Date): Promise<void> {
  if (part.isBirth) return;
  const id = shortId(part.memory.id);
  if (bringsBack(part)) await refuseAfterGrace(reader, part, id, now);
  else refuseForgotten(part.memory, id);
}

export function refuseWhatWasBuiltOn({ memory, record, number, fields }: ChangePart): void {
  const id = shortId(memory.id);
  const now = statedFields(record);
  const changed = Object.entries(fields).find(([field, change]) =>
    // When it was forgotten does not matter; that it is does.
    field === "forgottenAt"
      ? (now[field] === undefined) !== (change[1] === null)
      : wasChangedAgain(field, change, now[field] ?? null),
  );
  if (!changed) return;
  throw new MemoryError(
    "undo-refused",
    `${changed[0]} of ${id} was changed again after change ${number}.`,
    `Undo the later change first (tacit history ${id}), or set it back all the same: tacit undo ${id} ${number} --force`,
  );
}
