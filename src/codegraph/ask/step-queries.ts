import type { Reader } from "../../storage/storage.js";
import type { EdgeKind } from "../codegraph.js";
import { languages } from "../languages/languages.js";

/** Towards what depends on the start, or towards what the start depends on. */
export type Direction = "dependents" | "dependencies";

/** From a node that was reached to the next: along an edge, or between members of one name of a class and its base. */
export interface Step {
  near: number;
  far: number;
  kind: EdgeKind;
  confidence: number;
  line: number | null;
  turn: Turn;
}

export type Turn = "along" | "to-base" | "to-derived";

// Who calls a member through the interface or the base class may get this one. Half: it is one of several as a rule.
const throughBase = 0.5;

/** The steps that lead on from these nodes. */
export async function listSteps(reader: Reader, nodes: Iterable<number>, direction: Direction): Promise<Step[]> {
  const [row] = await reader.rows(stepsSql(direction), { nodes: JSON.stringify([...nodes]) });
  // Columns, not rows: a list of numbers is made and read in half of the time of a list of lists.
  const read = <T>(column: string) => JSON.parse(String(row?.[column] ?? "[]")) as T[];
  const [near, far, kinds] = [read<number>("near"), read<number>("far"), read<EdgeKind>("kinds")];
  const [confidence, lines, turns] = [read<number>("confidence"), read<number | null>("lines"), read<Turn>("turns")];
  return near.map((node, at) => {
    const turn = turns[at] ?? "along";
    const isGuess = turn === (direction === "dependents" ? "to-base" : "to-derived");
    return {
      near: node,
      far: far[at] ?? 0,
      kind: kinds[at] ?? "references",
      confidence: (confidence[at] ?? 0) * (isGuess ? throughBase : 1),
      line: lines[at] ?? null,
      turn,
    };
  });
}

/**
 * The statement, for whoever wants to see its plan. "contains" and "exports" say where something is, "changes_with" that
 * it was touched: nothing breaks along these. The plus keeps SQLite from looking six times, once a kind.
 *
 * A member is taken to the one of its name in the class at the other end of `extends` or `implements`; what it is written
 * in is its path up to the last dot. How something is made is no part of what others see in its base.
 */
export function stepsSql(direction: Direction): string {
  const [near, far] = direction === "dependents" ? ["to_node", "from_node"] : ["from_node", "to_node"];
  return `
    SELECT json_group_array(near) AS near, json_group_array(far) AS far, json_group_array(kind) AS kinds,
      json_group_array(confidence) AS confidence, json_group_array(line) AS lines, json_group_array(turn) AS turns
    FROM (
      SELECT e.${near} AS near, e.${far} AS far, e.kind, e.confidence, e.line, 'along' AS turn
      FROM json_each(:nodes) AS reached CROSS JOIN code_edges AS e ON e.${near} = reached.value
        AND +e.kind IN ('calls', 'references', 'extends', 'implements', 'imports', 'tests')
      UNION ALL
      SELECT member.number, other.number, e.kind, e.confidence, NULL,
        CASE WHEN e.from_node = owner.number THEN 'to-base' ELSE 'to-derived' END
      FROM json_each(:nodes) AS reached
      CROSS JOIN code_nodes AS member ON member.number = reached.value AND member.kind IN ('method', 'property')
        AND member.name NOT IN (${constructors})
      CROSS JOIN code_nodes AS owner ON owner.file_number = member.file_number
        AND owner.path = rtrim(rtrim(member.path, replace(member.path, '.', '')), '.')
      CROSS JOIN code_edges AS e ON (e.from_node = owner.number AND e.kind IN ('extends', 'implements'))
        OR (e.to_node = owner.number AND e.kind IN ('extends', 'implements'))
      CROSS JOIN code_nodes AS class ON class.number = iif(e.from_node = owner.number, e.to_node, e.from_node)
      CROSS JOIN code_nodes AS other ON other.file_number = class.file_number
        AND other.path = class.path || '.' || member.name
    )`;
}

const constructors = languages
  .flatMap(({ layout }) => layout?.constructorName ?? [])
  .map((name) => `'${name}'`)
  .join(", ");
