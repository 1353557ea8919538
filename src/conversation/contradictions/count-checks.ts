import type { Reader } from "../../storage/storage.js";

/** How many new statements a model is still to be asked about, in all projects. */
export async function countChecks(reader: Reader): Promise<number> {
  const [row] = await reader.rows("SELECT count(*) AS due FROM contradiction_checks");
  return Number(row?.["due"] ?? 0);
}
