import { idFrom } from "../base/ids.js";
import type { Keeping } from "./keeping.js";
import type { PreparedRecord } from "./prepare-record.js";

/** Who a record is in this store. */
export interface Identity {
  /** The id it has or will have here; absent when it brings none. */
  id?: string;
  /** The memory of the project that has this id. */
  known?: { key: number; updatedAt: string };
}

/**
 * Finds out which records the project has already, by their ids. One whose id belongs to another project of the store
 * goes by an id of its own, and is looked for under it as well.
 */
export async function identifyRecords(keeping: Keeping, records: PreparedRecord[]): Promise<Identity[]> {
  const given = records.flatMap(({ record }) => record.id ?? []);
  const owners = await listOwners(keeping, given);
  const isOurs = (id: string) => owners.get(id)?.project === keeping.project.number;
  const ownIds = new Map(given.filter((id) => !isOurs(id)).map((id) => [id, ownId(keeping, id)]));
  const ownOwners = await listOwners(keeping, [...ownIds.values()]);
  return records.map(({ record: { id } }) => {
    if (id === undefined) return {};
    const own = ownIds.get(id);
    const known = own === undefined ? owners.get(id) : ownOwners.get(own);
    if (own !== undefined && (known || owners.has(id))) return { id: own, ...(known && { known }) };
    return { id, ...(known && { known }) };
  });
}

/**
 * The id that a project gives to what has an id of another project: an id is one memory's only. Always the same, so that
 * whoever comes again is recognised.
 */
export function ownId({ project }: Keeping, id: string): string {
  return idFrom(project.id, id);
}

interface Owner {
  key: number;
  project: number;
  updatedAt: string;
}

async function listOwners({ writer }: Keeping, ids: string[]): Promise<Map<string, Owner>> {
  if (ids.length === 0) return new Map();
  const rows = await writer.rows(
    `SELECT m.id, m.key, m.project_number, m.updated_at
     FROM json_each(:ids) AS wanted CROSS JOIN memories AS m ON m.id = wanted.value`,
    { ids: JSON.stringify(ids) },
  );
  return new Map(
    rows.map((row) => [
      String(row["id"]),
      { key: Number(row["key"]), project: Number(row["project_number"]), updatedAt: String(row["updated_at"]) },
    ]),
  );
}

/**
 * The ids under which the project has what others lead to: as they were given, as ids of its own, or merged into others.
 * What it does not have is missing.
 */
export async function resolveIds(keeping: Keeping, ids: string[]): Promise<Map<string, string>> {
  const wanted = new Map(ids.map((id) => [id, keeping.mergedInto.get(id) ?? id]));
  const isOurs = async (candidates: string[]) => {
    const owners = await listOwners(keeping, candidates);
    return (id: string) => owners.get(id)?.project === keeping.project.number;
  };
  const asGiven = await isOurs([...wanted.values()]);
  const others = [...wanted.values()].filter((id) => !asGiven(id)).map((id) => ownId(keeping, id));
  const asOwn = await isOurs(others);
  return new Map(
    [...wanted].flatMap(([id, found]): [string, string][] => {
      if (asGiven(found)) return [[id, found]];
      const own = ownId(keeping, found);
      return asOwn(own) ? [[id, own]] : [];
    }),
  );
}
