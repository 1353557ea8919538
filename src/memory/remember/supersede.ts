import { parseConceptId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { findMemory, getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import type { Memory, MemoryInput, RememberedMemory } from "../memory.js";
import { listNameLosers, type BindOptions } from "../write/names.js";
import { prepareMemories, namesOf, type PreparedMemory } from "../prepare/prepare-memory.js";
import { changeMemory } from "../write/change-memory.js";
import { readProject, refuseWhenDisabled } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { closeWhatItContradicts, loadContradictions, storeMemory, storeMemories } from "./store-memories.js";
import { refuseRebinding, saidBy } from "./remember-memories.js";
import { findSameMemory } from "./find-same-memory.js";
import { asUnverified, asTainted } from "./distrust.js";
import { closeMemory, supersedesRelation, inheritPlace } from "../write/replace-memory.js";

/**
 * Puts a new memory in the place of an old one, whose validity ends now. What the input leaves open (type, files,
 * modules, tags, scope) the new one takes from the old, and it inherits the name and aliases: a name means what is
 * true today. With a `doubt`, why the new one is not to be trusted, it waits, and the old one stays in force until a
 * person accepts the new. With `unverified`, why nobody can vouch for it, it is kept so.
 */
export async function supersede(
  context: MemoryContext,
  reference: string,
  input: MemoryInput,
  { doubt, unverified, ...options }: BindOptions & SupersedeDoubts = {},
): Promise<RememberedMemory> {
  if (context.actor.kind === "agent") refuseRebinding(options);
  await refuseWhenDisabled(context);
  await loadContradictions();
  // Read before the transaction too, because cleaning would make others wait for the lock.
  const known = await readProject(context, undefined, async (reader, project) =>
    findMemory(reader, project, reference, context.now()),
  );
  const [next] = await prepareMemories(context, [
    { ...(known && inherited(known.memory)), ...given(saidBy(context.actor, input)) },
  ]);
  const prepared =
    unverified === undefined ? (next as PreparedMemory) : asUnverified(next as PreparedMemory, unverified);
  const { maxEntries } = await context.settings();

  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const old = await getMemory(writer, project, reference, now);
    if (old.memory.supersededBy !== undefined) {
      throw new MemoryError(
        "invalid-input",
        `${reference} was superseded already, by ${old.memory.supersededBy}.`,
        `Supersede the newer one: tacit supersede ${old.memory.supersededBy} …`,
      );
    }
    if (doubt !== undefined) {
      const waiting = asTainted({ ...prepared, relations: [...prepared.relations, supersedesRelation(old)] }, doubt);
      return (await storeMemories(writer, project, [waiting], now, { maxEntries }))[0] as RememberedMemory;
    }
    const losers = await listNameLosers(writer, project, namesOf(prepared), old.key, options);
    const same = (await findSameMemory(writer, project, prepared, now, old.key))?.key;
    const keys = [...new Set([old.key, ...losers.map(({ key }) => key), ...(same === undefined ? [] : [same])])];
    const { keyed, merged } = await noteChanges(writer, project, { verb: "superseded", keys, now }, async (created) => {
      // Closed first, so that the same text again is a new memory and not merged into the one it replaces.
      const names = await closeMemory(writer, old, now);
      const { key, merged: isMerged, record } = await storeMemory(writer, project, prepared, now, options);
      if (!isMerged) created(key);
      // One that brought or already had a name of its own keeps it, and answers to the old one too.
      const isNamed = record.name !== undefined || prepared.name !== null;
      const placed = { key, id: record.id, isNamed };
      return { keyed: await inheritPlace(writer, project, old, placed, names, now), merged: isMerged };
    });
    const takenFrom = losers.filter(({ key }) => key !== keyed.key).map(({ id }) => id);
    const memory = merged ? keyed.memory : await closeWhatItContradicts(writer, project, keyed, now);
    return { ...memory, merged, ...(takenFrom.length > 0 && { takenFrom }) };
  });
}

interface SupersedeDoubts {
  doubt?: string | undefined;
  unverified?: string | undefined;
}

/** Without what is there but undefined, which would hide what is inherited. */
function given(input: MemoryInput): MemoryInput {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as unknown as MemoryInput;
}

function inherited(old: Memory): Omit<MemoryInput, "content"> {
  return {
    type: old.type,
    tags: old.tags,
    // Patterns and decisions were named among the files.
    relatedFiles: [...old.relatedFiles, ...old.graphNodes.filter((node) => parseConceptId(node) !== undefined)],
    relatedModules: old.relatedModules,
    scope: old.scope,
    visibility: old.visibility,
    ...(old.sessionId !== undefined && { sessionId: old.sessionId }),
  };
}
