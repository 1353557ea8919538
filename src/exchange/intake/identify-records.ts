import { idFrom } from "../../base/ids/ids.js";
import type { Intake } from "./begin-intake.js";
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
export async function identifyRecords(keeping: Intake, records: PreparedRecord[]): Promise<Identity[]> {
  const identities = await findIdentities(
    keeping,
    records.flatMap(({ record }) => record.id ?? []),
  );
  return records.map(({ record: { id } }) => (id === undefined ? {} : (identities.get(id) as Identity)));
}

async function findIdentities(keeping: Intake, ids: string[]): Promise<Map<string, Identity & { id: string }>> {
  const isOurs = (owner: Owner | undefined) => owner?.project === keeping.project.number;
  const owners = await listOwners(keeping, ids);
  const ownIds = new Map(ids.filter((id) => !isOurs(owners.get(id))).map((id) => [id, ownId(keeping, id)]));
  const ownOwners = await listOwners(keeping, [...ownIds.values()]);
  // Another project may have even that one, if it took it over from here.
  const taken = [...ownOwners].flatMap(([own, owner]) => (isOurs(owner) ? [] : [own]));
  const further = taken.length > 0 ? await findIdentities(keeping, taken) : new Map<string, never>();
  const identify = (id: string): Identity & { id: string } => {
    const own = ownIds.get(id);
    if (own === undefined) return { id, known: owners.get(id) as Owner };
    const owner = ownOwners.get(own);
    if (owner && isOurs(owner)) return { id: own, known: owner };
    if (!owners.has(id)) return { id };
    return further.get(own) ?? { id: own };
  };
  return new Map(ids.map((id) => [id, identify(id)]));
}

/**
 * The id that a project gives to what has an id of another project: an id is one memory's only. Always the same, so that
 * whoever comes again is recognised.
 */
export function ownId({ project }: Pick<Intake, "project">, id: string): string {
  return idFrom(project.id, id);
}

interface Owner {
  key: number;
  project: number;
  updatedAt: string;
}

async function listOwners({ writer }: Intake, ids: string[]): Promise<Map<string, Owner>> {
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
export async function resolveIds(keeping: Intake, ids: string[]): Promise<Map<string, string>> {
  const wanted = new Map(ids.map((id) => [id, keeping.mergedInto.get(id)?.id ?? id]));
  const identities = await findIdentities(keeping, [...new Set(wanted.values())]);
  return new Map(
    [...wanted].flatMap(([id, found]): [string, string][] => {
      const identity = identities.get(found);
      return identity?.known ? [[id, identity.id]] : [];
    }),
  );
}
