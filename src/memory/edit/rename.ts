import { MemoryError } from "../../base/memory-error.js";
import { shortId } from "../../base/ids/ids.js";
import type { MemoryWriter } from "../change/changed-memory.js";
import { prepareName, prepareNames } from "../prepare/check-name.js";
import { getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import { findNameHolder, type KeyedMemory } from "../read/memory-queries.js";
import type { Memory, NamedMemory } from "../memory.js";
import { bindName, listNameLosers, type BindOptions } from "../write/names.js";
import { changeMemory } from "../write/change-memory.js";
import type { Project } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { writeFields } from "../write/write-fields.js";

export interface RenameOptions extends BindOptions {
  /** Keep the old name as an alias. */
  keep?: boolean;
}

/** Gives a memory another name. The old one is free, unless it is kept as an alias. */
export async function rename(
  context: MemoryContext,
  reference: string,
  name: string,
  options: RenameOptions = {},
): Promise<NamedMemory> {
  const wanted = await prepareName(name);
  return changeNames(context, reference, "renamed", [wanted], options, async (writer, project, { key, memory }) => {
    // Touched all the same: the command line tells by `updatedAt` whether the last change is this one.
    if (memory.name === wanted) return true;
    await writer.run("DELETE FROM memory_names WHERE memory_key = :key AND is_alias = 0", { key });
    await bindName(writer, project, key, wanted, "name", options);
    if (options.keep && memory.name !== undefined) await bindName(writer, project, key, memory.name, "alias");
    return true;
  });
}

/** Gives a memory further names. Those that it has already stay as they are. */
export async function alias(
  context: MemoryContext,
  reference: string,
  names: string[],
  options: BindOptions = {},
): Promise<NamedMemory> {
  if (!Array.isArray(names) || names.length === 0) {
    throw new MemoryError("invalid-input", "alias() takes the names to add.", 'alias("deploy-rule", ["friday-rule"])');
  }
  const wanted = await prepareNames(names);
  return changeNames(context, reference, "aliased", wanted, options, async (writer, project, { key, memory }) => {
    const added = wanted.filter((name) => name !== memory.name && !memory.aliases.includes(name));
    for (const name of added) await bindName(writer, project, key, name, "alias", options);
    return added.length > 0;
  });
}

/** Takes an alias away. The name itself is not one: it goes with `rename`, or with `revise(reference, { name: null })`. */
export async function unalias(context: MemoryContext, name: string): Promise<Memory> {
  return changeNames(context, name, "unaliased", [], {}, async (writer, project, { key }) => {
    const holder = await findNameHolder(writer, project, name);
    if (!holder) {
      throw new MemoryError(
        "memory-not-found",
        `${JSON.stringify(name)} is no alias.`,
        "tacit show REF lists the aliases of a memory.",
      );
    }
    if (!holder.isAlias) {
      throw new MemoryError(
        "invalid-input",
        `${JSON.stringify(name)} is the name of ${shortId(holder.id)}, not an alias.`,
        `tacit rename ${name} NEW-NAME gives it another; tacit edit ${name} --no-name takes it away.`,
      );
    }
    await writer.run("DELETE FROM memory_names WHERE memory_key = :key AND name = :name", {
      key,
      name: name.normalize("NFC"),
    });
    return true;
  });
}

/** Changes names in one step of history, for the memory and for those that lose a name to it, if there is a change. */
async function changeNames(
  context: MemoryContext,
  reference: string,
  verb: "renamed" | "aliased" | "unaliased",
  names: string[],
  options: BindOptions,
  work: (writer: MemoryWriter, project: Project, named: KeyedMemory) => Promise<boolean>,
): Promise<NamedMemory> {
  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const named = await getMemory(writer, project, reference, now);
    const { key } = named;
    const losers = await listNameLosers(writer, project, names, key, options);
    const keys = [key, ...losers.map((loser) => loser.key)];
    return noteChanges(writer, project, { verb, keys, now }, async () => {
      if (!(await work(writer, project, named))) return { ...named.memory, takenFrom: [] };
      const { memory } = await writeFields(writer, project, key, {}, now);
      return { ...memory, takenFrom: losers.map(({ id }) => id) };
    });
  });
}
