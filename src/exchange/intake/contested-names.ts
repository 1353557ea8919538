import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { reindexMemory } from "../../memory/indexes/indexes.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByKeys, findNameHolder } from "../../memory/read/read.js";
import { bindName, type BindOptions } from "../../memory/write/write.js";
import type { Intake } from "./begin-intake.js";
import type { PreparedRecord } from "./prepare-record.js";

/** A name that records bring for a memory while another memory holds it. */
export interface ContestedName {
  key: number;
  name: string;
  kind: "name" | "alias";
  /** Where the records stood: the first, and those of the same text that were merged with it. */
  origins: [string, ...string[]];
}

/** Names for the memory of a key, and where they stood. */
interface BroughtNames {
  key: number;
  record: { name?: string; aliases: string[] };
  origin: string;
}

/** Binds the names that nobody holds; the others are settled when all records are there. */
export async function bindFreeNames({ writer, project, contested }: Intake, brought: BroughtNames[]): Promise<void> {
  const wanted = brought.flatMap(({ key, record: { name, aliases }, origin }): ContestedName[] => [
    ...(name === undefined ? [] : [{ key, name, kind: "name" as const, origins: [origin] as [string] }]),
    ...aliases.map((alias) => ({ key, name: alias, kind: "alias" as const, origins: [origin] as [string] })),
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

/** The name that a memory will have when the names are settled. */
export function contestedNameOf({ contested }: Intake, key: number): string | undefined {
  return contested.get(key)?.find(({ kind }) => kind === "name")?.name;
}

/** True when another record brought the name for the same memory and it is not settled yet; this one wants it too. */
export function joinClaim({ contested }: Intake, key: number, name: string, origin: string): boolean {
  const claim = contested.get(key)?.find((one) => one.name === name);
  claim?.origins.push(origin);
  return claim !== undefined;
}

/**
 * Settles the names that other memories held when their records came. By now those who gave a name up have done so; what
 * is still held is refused, or moves if it is to be rebound. Two records of one import never share a name.
 */
export async function settleNames(
  keeping: Intake,
  pages: AsyncIterable<PreparedRecord[]>,
  { rebind = false }: BindOptions,
): Promise<void> {
  const { writer, project, report } = keeping;
  const contested = [...keeping.contested.values()].flat();
  if (contested.length === 0) return;
  await refuseSharedNames(pages, contested);
  for (const claim of contested) {
    const holder = await findNameHolder(writer, project, claim.name);
    const loser = holder?.key === claim.key ? undefined : holder;
    if (loser && !rebind) {
      throw new MemoryError(
        "import-refused",
        `${claim.origins[0]}: the name ${JSON.stringify(claim.name)} belongs to ${shortId(loser.id)} (${loser.citation}).`,
        "Choose another name there, or move it with --rebind.",
      );
    }
    if (loser && !report.takenFrom.includes(loser.id)) report.takenFrom.push(loser.id);
    await settle(keeping, claim, loser?.key);
  }
}

async function settle(keeping: Intake, { key, name, kind }: ContestedName, loser: number | undefined): Promise<void> {
  const { writer, project, now, firstKey } = keeping;
  // A memory that is new with this import has its name from birth.
  const keys = [...(loser === undefined ? [] : [loser]), ...(key < firstKey ? [key] : [])];
  await noteChanges(writer, project, { verb: "imported", keys, now }, async () => {
    await bindName(writer, project, key, name, kind, { rebind: true });
    for (const { record } of await listByKeys(writer, project, [key], now)) {
      await reindexMemory(writer, key, project.number, { ...record, name: record.name ?? null });
    }
  });
}

async function refuseSharedNames(pages: AsyncIterable<PreparedRecord[]>, contested: ContestedName[]): Promise<void> {
  const claims = new Map(contested.map((claim) => [claim.name, claim]));
  for await (const page of pages) {
    for (const { record, origin } of page) {
      const names = [record.name ?? [], record.aliases].flat();
      const shared = names.flatMap((name) => claims.get(name) ?? []).find(({ origins }) => !origins.includes(origin));
      if (!shared) continue;
      throw new MemoryError(
        "import-refused",
        `${shared.origins[0]}: the name ${JSON.stringify(shared.name)} is also that of ${origin}.`,
        "A name belongs to one memory. Choose another for one of them.",
      );
    }
  }
}
