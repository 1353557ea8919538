import { MemoryError } from "../base/memory-error.js";
import { findMemory, getMemory } from "./get-memory.js";
import { noteChanges } from "./history.js";
import type { Memory, MemoryInput, RememberedMemory } from "./memory.js";
import { bindName, listLosers, releaseNames, type BindOptions } from "./names.js";
import { prepareMemories, type PreparedMemory } from "./prepare-memory.js";
import { changeMemory, readProject, refuseWhenDisabled, type ProjectStore } from "./project-store.js";
import { relate } from "./relations.js";
import { findSameMemory, keep, namesOf } from "./remember.js";
import { writeFields } from "./write-fields.js";

/**
 * Puts a new memory in the place of an old one, whose validity ends now. What the input leaves open (type, files,
 * modules, tags, scope) the new one takes from the old, and it inherits the name and aliases: a name means what is
 * true today.
 */
export async function supersede(
  from: ProjectStore,
  reference: string,
  input: MemoryInput,
  options: BindOptions = {},
): Promise<RememberedMemory> {
  await refuseWhenDisabled(from);
  // Read before the transaction too, because cleaning would make others wait for the lock.
  const known = await readProject(from, undefined, async (reader, project) =>
    findMemory(reader, project, reference, from.now()),
  );
  const [next] = await prepareMemories(from, [{ ...(known && inherited(known.memory)), ...given(input) }]);

  return changeMemory(from, reference, async (writer, project) => {
    const now = from.now();
    const { key: oldKey, memory: old } = await getMemory(writer, project, reference, now);
    if (old.supersededBy !== undefined) {
      throw new MemoryError(
        "invalid-input",
        `${reference} was superseded already, by ${old.supersededBy}.`,
        `Supersede the newer one: tacit supersede ${old.supersededBy} …`,
      );
    }
    const prepared = next as PreparedMemory;
    const losers = await listLosers(writer, project, namesOf(prepared), oldKey, options);
    const same = (await findSameMemory(writer, project, prepared, now, oldKey))?.key;
    const keys = [...new Set([oldKey, ...losers.map(({ key }) => key), ...(same === undefined ? [] : [same])])];
    return noteChanges(writer, project, { verb: "superseded", keys, now }, async (created) => {
      const { name, aliases } = await releaseNames(writer, oldKey);
      // Closed first, so that the same text again is a new memory and not merged into the one it replaces.
      await writer.run("UPDATE memories SET valid_until = :now, updated_at = :now WHERE key = :key", {
        now: now.toISOString(),
        key: oldKey,
      });
      const { key, merged, record } = await keep(writer, project, prepared, now, options);
      if (!merged) created(key);
      // One that brought or already had a name of its own keeps it, and answers to the old one too.
      const isNamed = record.name !== undefined || prepared.name !== null;
      if (name !== null) await bindName(writer, project, key, name, isNamed ? "alias" : "name");
      for (const alias of aliases) await bindName(writer, project, key, alias, "alias");
      await relate(writer, project, key, { kind: "supersedes", memory: old.id, confidence: 1, automatic: false });
      await writeFields(writer, project, oldKey, { supersededBy: record.id }, now);
      const { memory } = await writeFields(writer, project, key, {}, now);
      const takenFrom = losers.filter((loser) => loser.key !== key).map(({ id }) => id);
      return { ...memory, merged, ...(takenFrom.length > 0 && { takenFrom }) };
    });
  });
}

/** Without what is there but undefined, which would hide what is inherited. */
function given(input: MemoryInput): MemoryInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as unknown as MemoryInput;
}

function inherited(old: Memory): Omit<MemoryInput, "content"> {
  return {
    type: old.type,
    tags: old.tags,
    relatedFiles: old.relatedFiles,
    relatedModules: old.relatedModules,
    scope: old.scope,
    visibility: old.visibility,
    ...(old.sessionId !== undefined && { sessionId: old.sessionId }),
  };
}
