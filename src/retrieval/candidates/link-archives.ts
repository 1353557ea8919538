import type { Reader } from "../../storage/storage.js";
import { isTurn } from "./candidate.js";
import type { Candidates } from "./find-candidates.js";

/** Notes for each turn among the candidates which archive among them sums it up. */
export async function linkArchives(reader: Reader, candidates: Candidates): Promise<void> {
  const turns = [...candidates.values()].filter(({ facts }) => isTurn(facts)).map(({ key }) => key);
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(t.memory_key, a.memory_key)) AS pairs
     FROM json_each(:turns) AS k
     CROSS JOIN conversation_turns AS t ON t.memory_key = k.value
     CROSS JOIN conversation_archives AS a ON a.conversation_number = t.conversation_number
       AND a.last_sequence >= t.sequence AND a.first_sequence <= t.sequence`,
    { turns: JSON.stringify(turns) },
  );
  for (const [key, archive] of JSON.parse(String(row?.["pairs"] ?? "[]")) as [turn: number, archive: number][]) {
    const turn = candidates.get(key);
    if (turn && candidates.has(archive)) turn.archive = archive;
  }
}
