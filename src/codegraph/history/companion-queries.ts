import type { Writer } from "../../storage/storage.js";
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
