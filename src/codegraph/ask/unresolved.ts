import type { Reader, SqlArgs } from "../../storage/storage.js";
import type { NodeKind, Tree } from "../codegraph.js";
import type { Target } from "./find-target.js";
import type { NumberedNode } from "./read-nodes.js";

/** Calls that lead to nothing known. */
export interface Unresolved {
  sites: number;
  /** How many files these are in. */
  files: number;
  /** What is called there, most often first. */
  names: string[];
}

const callable: ReadonlySet<NodeKind> = new Set(["class", "function", "method", "property", "variable"]);

/** Calls outside of the target by a name that it or something of it has: they may lead to it. */
export async function listCallsByName(reader: Reader, tree: Tree, target: Target): Promise<Unresolved> {
  return countMisses(
    reader,
    `FROM json_each(:names) AS wanted CROSS JOIN code_misses AS m ON m.name = wanted.value AND m.kind = 'call'
     CROSS JOIN code_files AS f ON f.number = m.file_number AND f.tree_number = :tree
     WHERE (f.path, m.node_path) NOT IN (SELECT value ->> 0, value ->> 1 FROM json_each(:own))`,
    {
      tree: tree.number,
      names: JSON.stringify([...new Set(namesFromOutside(target.own))]),
      own: placesOf(target),
    },
  );
}

/** Calls inside of the target that lead to nothing known: to something outside of the tree, or not understood. */
export async function listOwnMisses(reader: Reader, tree: Tree, target: Target): Promise<Unresolved> {
  return countMisses(
    reader,
    `FROM json_each(:own) AS n CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = n.value ->> 0
     CROSS JOIN code_misses AS m ON m.file_number = f.number AND m.node_path = n.value ->> 1 AND m.kind = 'call'`,
    { tree: tree.number, own: placesOf(target) },
  );
}

function placesOf({ own }: Target): string {
  return JSON.stringify(own.map(({ node, path }) => [node.file, path]));
}

/** What is inside a function cannot be called from elsewhere. */
function namesFromOutside(own: readonly NumberedNode[]): string[] {
  const kinds = new Map(own.map(({ node }) => [node.id, node.kind]));
  return own
    .filter(({ node, path }) => {
      const dot = path.lastIndexOf(".");
      const holder = dot < 0 ? undefined : kinds.get(`${node.file}#${path.slice(0, dot)}`);
      return path !== "" && callable.has(node.kind) && holder !== "function" && holder !== "method";
    })
    .map(({ node }) => node.name);
}

async function countMisses(reader: Reader, from: string, args: SqlArgs): Promise<Unresolved> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(m.name, m.sites, m.file_number)) AS misses ${from}`,
    args,
  );
  const misses = JSON.parse(String(row?.["misses"] ?? "[]")) as [name: string, sites: number, file: number][];
  const sitesOf = new Map<string, number>();
  for (const [name, sites] of misses) sitesOf.set(name, (sitesOf.get(name) ?? 0) + sites);
  return {
    sites: misses.reduce((sum, [, sites]) => sum + sites, 0),
    files: new Set(misses.map(([, , file]) => file)).size,
    names: [...sitesOf].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name),
  };
}
