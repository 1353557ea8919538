import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Reader, Writer } from "../../storage/storage.js";
import { reindexMemory } from "../indexes/derived-indexes.js";
import { findNameHolder, listByKeys } from "../read/memory-queries.js";
import type { ReleasedNames } from "../memory.js";
import type { Project } from "../../project/project.js";

/** Who loses these names when they are rebound, by id. */
export async function listNameLosers(
  reader: Reader,
  project: Project,
  names: string[],
  except: number | undefined,
  { rebind = false }: BindOptions,
): Promise<{ key: number; id: string }[]> {
  if (!rebind) return [];
  const losers = new Map<number, string>();
  for (const name of names) {
    const holder = await findNameHolder(reader, project, name);
    if (holder && holder.key !== except) losers.set(holder.key, holder.id);
  }
  return [...losers].map(([key, id]) => ({ key, id }));
}

export interface BindOptions {
  /** Take the name away from whoever holds it. */
  rebind?: boolean;
}

/**
 * Binds a name or alias to a memory. A name that another memory holds is refused, with who holds it, unless it is to be
 * rebound; an alias that is the memory's own name already stays its name.
 */
export async function bindName(
  writer: Writer,
  project: Project,
  key: number,
  name: string,
  kind: "name" | "alias",
  { rebind = false }: BindOptions = {},
): Promise<void> {
  if (rebind) await takeName(writer, project, key, name);
  const bound = await writer.run(
    `INSERT INTO memory_names (project_number, name, memory_key, is_alias) VALUES (:project, :name, :key, :alias)
     ON CONFLICT (project_number, name) DO UPDATE SET is_alias = min(is_alias, excluded.is_alias)
       WHERE memory_key = excluded.memory_key`,
    { project: project.number, name, key, alias: kind === "alias" ? 1n : 0n },
  );
  if (bound > 0) return;
  const holder = await findNameHolder(writer, project, name);
  throw nameTaken(name, holder, "Choose another name, or move it here with --rebind.");
}

export function nameTaken(
  name: string,
  holder: { id: string; citation: string } | undefined,
  hint: string,
): MemoryError {
  const who = holder ? `${shortId(holder.id)} (${holder.citation})` : "another memory";
  return new MemoryError("name-taken", `The name ${JSON.stringify(name)} belongs to ${who}.`, hint);
}

/** Takes a name from the memory that holds it, whose words no longer include it. */
async function takeName(writer: Writer, project: Project, key: number, name: string): Promise<void> {
  const holder = await findNameHolder(writer, project, name);
  if (!holder || holder.key === key) return;
  await writer.run("DELETE FROM memory_names WHERE project_number = :project AND name = :name", {
    project: project.number,
    name,
  });
  // The time does not matter for its words.
  for (const { record } of await listByKeys(writer, project, [holder.key], new Date(0))) {
    await reindexMemory(writer, holder.key, project.number, { ...record, name: record.name ?? null });
  }
}

/** Takes all names from a memory and says which they were. */
export async function releaseNames(writer: Writer, key: number): Promise<ReleasedNames> {
  const rows = await writer.rows("SELECT name, is_alias FROM memory_names WHERE memory_key = :key ORDER BY name", {
    key,
  });
  await writer.run("DELETE FROM memory_names WHERE memory_key = :key", { key });
  const name = rows.find((row) => row["is_alias"] === 0)?.["name"];
  return {
    name: name === undefined ? null : String(name),
    aliases: rows.filter((row) => row["is_alias"] === 1).map((row) => String(row["name"])),
  };
}
