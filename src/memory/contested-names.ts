import { shortId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import { noteChanges } from "./history.js";
import type { Keeping } from "./keeping.js";
import { bindName, findNameHolder, type BindOptions } from "./names.js";
import type { PreparedRecord } from "./prepare-record.js";

/** A name that a record brings while another memory holds it. */
export interface ContestedName {
  key: number;
  name: string;
  kind: "name" | "alias";
  /** Where the record stood. */
  origin: string;
}

/** Names for the memory of a key, and where they stood. */
interface BroughtNames {
  key: number;
  record: { name?: string; aliases: string[] };
  origin: string;
}

/** Binds the names that nobody holds; the others are settled when all records are there. */
export async function bindFreeNames({ writer, project, contested }: Keeping, brought: BroughtNames[]): Promise<void> {
  const wanted = brought.flatMap(({ key, record: { name, aliases }, origin }): ContestedName[] => [
    ...(name === undefined ? [] : [{ key, name, kind: "name" as const, origin }]),
    ...aliases.map((alias) => ({ key, name: alias, kind: "alias" as const, origin })),
  ]);
  if (wanted.length === 0) return;
  const rows = JSON.stringify(wanted.map(({ key, name, kind }) => [key, name, kind === "alias" ? 1 : 0]));
  const bound = await writer.run(
    `INSERT INTO memory_names (project_number, name, memory_key, is_alias)
     SELECT :project, value ->> 1, value ->> 0, value ->> 2 FROM json_each(:rows) WHERE true
     ON CONFLICT DO NOTHING`,
    { project: project.number, rows },
  );
  if (bound === wanted.length) return;
  const held = await writer.rows(
    `SELECT wanted.key AS position FROM json_each(:rows) AS wanted
     LEFT JOIN memory_names AS n ON n.project_number = :project AND n.name = wanted.value ->> 1
     WHERE n.memory_key IS NOT wanted.value ->> 0`,
    { project: project.number, rows },
  );
  for (const row of held) {
    const name = wanted[Number(row["position"])] as ContestedName;
    contested.set(name.key, [...(contested.get(name.key) ?? []), name]);
  }
}

/**
 * Settles the names that other memories held when their records came. By now those who gave a name up have done so; what
 * is still held is refused, or moves if it is to be rebound. Two records of one import never share a name.
 */
export async function settleNames(
  keeping: Keeping,
  pages: AsyncIterable<PreparedRecord[]>,
  { rebind = false }: BindOptions,
): Promise<void> {
  const { writer, project, now, firstKey } = keeping;
  const contested = [...keeping.contested.values()].flat();
  if (contested.length === 0) return;
  await refuseSharedNames(pages, contested);
  for (const { key, name, kind, origin } of contested) {
    const holder = await findNameHolder(writer, project, name);
    const loser = holder?.key === key ? undefined : holder;
    if (loser && !rebind) {
      throw new MemoryError(
        "import-refused",
        `${origin}: the name ${JSON.stringify(name)} belongs to ${shortId(loser.id)} (${loser.citation}).`,
        "Choose another name there, or move it with --rebind.",
      );
    }
    // A memory that is new with this import has its name from birth.
    const keys = [...(loser ? [loser.key] : []), ...(key < firstKey ? [key] : [])];
    await noteChanges(writer, project, { verb: "imported", keys, now }, () =>
      bindName(writer, project, key, name, kind, { rebind: true }),
    );
  }
}

async function refuseSharedNames(pages: AsyncIterable<PreparedRecord[]>, contested: ContestedName[]): Promise<void> {
  const claims = new Map(contested.map(({ name, origin }) => [name, origin]));
  for await (const page of pages) {
    for (const { record, origin } of page) {
      const name = [record.name ?? [], record.aliases].flat().find((one) => (claims.get(one) ?? origin) !== origin);
      if (name === undefined) continue;
      throw new MemoryError(
        "import-refused",
        `${claims.get(name)}: the name ${JSON.stringify(name)} is also that of ${origin}.`,
        "A name belongs to one memory. Choose another for one of them.",
      );
    }
  }
}
