import type { Reader, Writer } from "../../storage/storage.js";
import type { Companion } from "./count-companions.js";

// A server takes no more than 10 MB at once (sqld), and a path may have 4 KiB.
const rowsPerPage = 1000;

/** Puts these in the place of all that was known of the files of a tree that change together. */
export async function replaceCompanions(
  writer: Writer,
  treeNumber: number,
  companions: readonly Companion[],
): Promise<void> {
  const tree = BigInt(treeNumber);
  await writer.run("DELETE FROM code_companions WHERE tree_number = :tree", { tree });
  for (let at = 0; at < companions.length; at += rowsPerPage) {
    await writer.run(
      `INSERT INTO code_companions (tree_number, path, companion, support, confidence)
       SELECT :tree, value ->> 'path', value ->> 'companion', value ->> 'support', value ->> 'confidence'
       FROM json_each(:rows)`,
      { tree, rows: JSON.stringify(companions.slice(at, at + rowsPerPage)) },
    );
  }
}

/** What changes with each of these files, by path, the surest first. */
export async function listCompanions(
  reader: Reader,
  treeNumber: number,
  paths: readonly string[],
): Promise<Companion[]> {
  const rows = await reader.rows(
    `SELECT c.path, c.companion, c.support, c.confidence
     FROM (SELECT DISTINCT value FROM json_each(:paths)) AS p
     JOIN code_companions AS c ON c.tree_number = :tree AND c.path = p.value
     ORDER BY c.path, c.confidence DESC, c.companion`,
    { tree: BigInt(treeNumber), paths: JSON.stringify(paths) },
  );
  return rows as unknown as Companion[];
}
