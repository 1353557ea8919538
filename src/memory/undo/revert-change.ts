import type { MemoryWriter } from "../change/changed-memory.js";
import { forgetRow } from "../retention/forget.js";
import { statedFields } from "../history/note-changes.js";
import type { FieldChanges } from "../history/stored-changes.js";
import { elements, withoutChange } from "../history/field-change.js";
import { findNameHolder, type KeyedMemory } from "../read/memory-queries.js";
import type { ForgottenReason, Relation } from "../memory.js";
import { bindName, nameTaken } from "../write/names.js";
import type { Project } from "../../project/project.js";
import { insertRelation } from "../relations/relation-queries.js";
import { writeFields } from "../write/write-fields.js";

/** What one operation changed about one memory. */
export interface ChangePart extends KeyedMemory {
  number: number;
  /** True when the operation brought the memory into being. */
  isBirth: boolean;
  fields: FieldChanges;
}

/** Sets what an operation changed back to what it was, for each memory that it changed. */
export async function revertChange(
  writer: MemoryWriter,
  project: Project,
  parts: ChangePart[],
  now: Date,
): Promise<void> {
  // First what lets go of names, then what takes them.
  for (const part of parts) await letGo(writer, project, part, now);
  for (const part of parts.filter(({ isBirth }) => !isBirth)) await giveBack(writer, project, part, now);
}

/** True when undoing this forgets the memory: it was forgotten before, and restored by the change. */
function forgets({ fields }: ChangePart): boolean {
  return (fields["forgottenAt"]?.[0] ?? null) !== null;
}

/** True when undoing this brings the memory back. */
export function bringsBack({ fields }: ChangePart): boolean {
  return "forgottenAt" in fields && fields["forgottenAt"]?.[0] === null;
}

async function letGo(writer: MemoryWriter, project: Project, part: ChangePart, now: Date): Promise<void> {
  const { key, memory, isBirth, fields } = part;
  if (isBirth) {
    // Forgetting it again would lose the names that it had.
    if (memory.status !== "forgotten") await forgetRow(writer, project, key, now);
  } else if (forgets(part)) {
    // From now, not from when it was forgotten first: that grace may be over.
    await forgetRow(writer, project, key, now, (fields["forgottenReason"]?.[0] ?? undefined) as ForgottenReason);
  } else {
    // Written out: libSQL crashes on a bound value that is the condition of a partial index.
    const kinds = [...("name" in fields ? ["0"] : []), ...("aliases" in fields ? ["1"] : [])];
    for (const kind of kinds) {
      await writer.run(`DELETE FROM memory_names WHERE memory_key = :key AND is_alias = ${kind}`, { key });
    }
  }
}

async function giveBack(writer: MemoryWriter, project: Project, part: ChangePart, now: Date): Promise<void> {
  const { key, record, fields } = part;
  const is = statedFields(record);
  const values = Object.fromEntries(
    Object.entries(fields).map(([field, change]) => [field, withoutChange(field, change, is[field] ?? null)]),
  );
  if (!forgets(part)) {
    if (typeof values["name"] === "string") await bind(writer, project, key, values["name"], "name");
    for (const alias of elements<string>(values["aliases"])) await bind(writer, project, key, alias, "alias");
  }
  if ("relations" in fields) {
    await writer.run(
      "DELETE FROM memory_relations WHERE memory_key = :key AND (automatic = 0 OR kind = 'supersedes')",
      { key },
    );
    for (const relation of elements<Relation>(values["relations"]))
      await insertRelation(writer, project, key, relation);
  }
  const { forgottenAt: _at, releasedNames: _names, ...others } = values;
  const written = Object.entries(forgets(part) ? others : values).map(([field, value]) => [field, value ?? undefined]);
  const anew = bringsBack(part) ? { lastAccessedAt: now.toISOString() } : {};
  await writeFields(writer, project, key, { ...Object.fromEntries(written), ...anew }, now);
}

async function bind(
  writer: MemoryWriter,
  project: Project,
  key: number,
  name: string,
  kind: "name" | "alias",
): Promise<void> {
  const holder = await findNameHolder(writer, project, name);
  if (holder && holder.key !== key) {
    throw nameTaken(name, holder, `Give that one another name first: tacit rename ${name} NEW-NAME`);
  }
  await bindName(writer, project, key, name, kind);
}
