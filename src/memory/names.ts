import { MemoryError } from "../base/memory-error.js";
import { shortId } from "../base/ids.js";
import type { Reader, Writer } from "../storage/storage.js";
import type { Project } from "./projects.js";

/** Who holds a name or alias within the project. */
export async function findNameHolder(
  reader: Reader,
  project: Project,
  name: string,
): Promise<{ key: number; id: string; citation: string } | undefined> {
  const [row] = await reader.rows(
    `SELECT m.key, m.id, m.citation_text FROM memory_names AS n JOIN memories AS m ON m.key = n.memory_key
     WHERE n.project_number = :project AND n.name = :name`,
    { project: project.number, name },
  );
  return row && { key: Number(row["key"]), id: String(row["id"]), citation: String(row["citation_text"]) };
}

/**
 * Binds a name or alias to a memory. A name that another memory holds is refused, with who holds it; an alias that is
 * the memory's own name already stays its name.
 */
export async function bindName(
  writer: Writer,
  project: Project,
  key: number,
  name: string,
  kind: "name" | "alias",
): Promise<void> {
  const bound = await writer.run(
    `INSERT INTO memory_names (project_number, name, memory_key, is_alias) VALUES (:project, :name, :key, :alias)
     ON CONFLICT (project_number, name) DO UPDATE SET is_alias = min(is_alias, excluded.is_alias)
       WHERE memory_key = excluded.memory_key`,
    { project: project.number, name, key, alias: kind === "alias" ? 1n : 0n },
  );
  if (bound > 0) return;
  const holder = await findNameHolder(writer, project, name);
  throw new MemoryError(
    "name-taken",
    `The name ${JSON.stringify(name)} belongs to ${holder ? `${shortId(holder.id)} (${holder.citation})` : "another memory"}.`,
    `Choose another name, or change that memory: tacit edit ${holder ? shortId(holder.id) : name} …`,
  );
}

/** Takes all names from a memory and says which they were: the name first, then its aliases. */
export async function releaseNames(writer: Writer, key: number): Promise<{ name: string | null; aliases: string[] }> {
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
