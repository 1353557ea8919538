import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { nameKey } from "../link/spaces.js";
import { jsonPagesOf } from "../tree/pages-of.js";

type Added = [space: string, name: string];

/**
 * Puts what these files add to spaces in the place of what they added. Tells which names were added or are so no longer,
 * as what others may have been found from.
 */
export async function putSpaces(
  writer: Writer,
  tree: Tree,
  files: readonly { number: number; spaces?: string | undefined }[],
): Promise<string[]> {
  const before = await listAdded(
    writer,
    files.map(({ number }) => number),
  );
  const after = new Map(files.map(({ number, spaces }) => [number, JSON.parse(spaces ?? "[]") as Added[]]));
  const changed = new Set<string>();
  for (const { number } of files) {
    const [old, now] = [before.get(number) ?? [], after.get(number) ?? []];
    for (const [space, name] of differing(old, now)) changed.add(nameKey(space, name));
  }
  if (before.size > 0) await removeAdded(writer, [...before.keys()]);
  const rows = [...after].flatMap(([number, names]) => names.map(([space, name]) => [number, space, name]));
  for (const page of jsonPagesOf(rows)) {
    await writer.run(
      `INSERT INTO code_spaces (tree_number, space, name, file_number)
       SELECT :tree, value ->> 1, value ->> 2, value ->> 0 FROM json_each(:rows) WHERE true ON CONFLICT DO NOTHING`,
      { tree: tree.number, rows: page },
    );
  }
  return [...changed];
}

function differing(old: readonly Added[], now: readonly Added[]): Added[] {
  const keyOf = ([space, name]: Added) => `${space}\n${name}`;
  const [before, after] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))];
  return [...old.filter((one) => !after.has(keyOf(one))), ...now.filter((one) => !before.has(keyOf(one)))];
}

/** What these files add to spaces, as what others may have been found from. */
export async function listAddedKeys(reader: Reader, numbers: readonly number[]): Promise<string[]> {
  const added = await listAdded(reader, numbers);
  return [...new Set([...added.values()].flat().map(([space, name]) => nameKey(space, name)))];
}

async function listAdded(reader: Reader, numbers: readonly number[]): Promise<Map<number, Added[]>> {
  const rows = await reader.rows(
    `SELECT s.file_number, json_group_array(json_array(s.space, s.name)) AS names
     FROM json_each(:numbers) AS f CROSS JOIN code_spaces AS s ON s.file_number = f.value GROUP BY s.file_number`,
    { numbers: JSON.stringify(numbers) },
  );
  return new Map(rows.map((row) => [Number(row["file_number"]), JSON.parse(String(row["names"])) as Added[]]));
}

async function removeAdded(writer: Writer, numbers: readonly number[]): Promise<void> {
  await writer.run("DELETE FROM code_spaces WHERE file_number IN (SELECT value FROM json_each(:numbers))", {
    numbers: JSON.stringify(numbers),
  });
}

export async function hasSpaces(reader: Reader, tree: Tree): Promise<boolean> {
  const rows = await reader.rows("SELECT 1 FROM code_spaces WHERE tree_number = :tree LIMIT 1", { tree: tree.number });
  return rows.length > 0;
}

/** A name of a space, with the files that add it. */
export type AddedName = [space: string, name: string, files: string[]];

export async function readAllSpaces(reader: Reader, tree: Tree): Promise<AddedName[]> {
  const rows = await reader.rows(
    `SELECT s.space, json_group_array(json_array(s.name, f.path)) AS names
     FROM code_spaces AS s CROSS JOIN code_files AS f ON f.number = s.file_number
     WHERE s.tree_number = :tree GROUP BY s.space ORDER BY s.space`,
    { tree: tree.number },
  );
  return rows.flatMap((row) => {
    const byName = new Map<string, string[]>();
    for (const [name, path] of JSON.parse(String(row["names"])) as [string, string][]) {
      const files = byName.get(name);
      if (files) files.push(path);
      else byName.set(name, [path]);
    }
    return [...byName].map(([name, files]): AddedName => [String(row["space"]), name, files]);
  });
}

export async function readSpaces(reader: Reader, tree: Tree, wanted: readonly Added[]): Promise<AddedName[]> {
  const rows = await reader.rows(
    `SELECT s.space, s.name, json_group_array(f.path) AS files
     FROM json_each(:wanted) AS w
     CROSS JOIN code_spaces AS s ON s.tree_number = :tree AND s.space = w.value ->> 0 AND s.name = w.value ->> 1
     CROSS JOIN code_files AS f ON f.number = s.file_number
     GROUP BY s.space, s.name`,
    { tree: tree.number, wanted: JSON.stringify(wanted) },
  );
  return rows.map((row) => [String(row["space"]), String(row["name"]), JSON.parse(String(row["files"])) as string[]]);
}
