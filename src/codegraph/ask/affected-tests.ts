import type { Reader } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { isTestFile } from "../languages/is-test-file.js";
import type { Target } from "./find-target.js";
import { readNodes } from "./read-nodes.js";
import { wayTo, type Reached } from "./walk.js";

/** A test file that a change can concern. */
export interface AffectedTest {
  file: string;
  /** 0 for one that belongs to the target. */
  depth: number;
  /** The id of what it uses, on the way from the target. */
  through: string;
}

/** The test files of the target, those that were reached from it, and those that take its file to test it; nearest first. */
export async function affectedTests(
  reader: Reader,
  tree: Tree,
  target: Target,
  reached: readonly Reached[],
): Promise<AffectedTest[]> {
  const ownFiles = [...new Set(target.nodes.map(({ file }) => file))];
  const tests = [
    ...ownFiles.filter(isTestFile).map((file) => ({ file, depth: 0, through: file })),
    ...(await listReached(reader, tree, reached)),
    // Those of a file that was asked about were reached.
    ...(target.kind === "symbol" ? await listTestsOf(reader, tree, ownFiles) : []),
  ];
  const nearest = new Map<string, AffectedTest>();
  for (const test of tests.toSorted((a, b) => a.depth - b.depth)) {
    if (!nearest.has(test.file)) nearest.set(test.file, test);
  }
  return [...nearest.values()].toSorted((a, b) => a.depth - b.depth || (a.file < b.file ? -1 : 1));
}

async function listReached(reader: Reader, tree: Tree, reached: readonly Reached[]): Promise<AffectedTest[]> {
  const fileOf = await readFiles(reader, tree, reached);
  // Nearest first, so the first of a file counts.
  const firsts = new Map<string, Reached>();
  for (const to of reached) {
    const file = fileOf(to.node);
    if (file !== undefined && !firsts.has(file) && isTestFile(file)) firsts.set(file, to);
  }
  const nodes = await readNodes(reader, tree, new Set([...firsts.values()].flatMap((to) => wayTo(to).nodes)));
  return [...firsts].flatMap(([file, to]) => {
    const through = wayTo(to)
      .nodes.flatMap((number) => nodes.get(number)?.node ?? [])
      .findLast((node) => node.file !== file);
    return through ? { file, depth: to.depth, through: through.id } : [];
  });
}

async function readFiles(
  reader: Reader,
  tree: Tree,
  reached: readonly Reached[],
): Promise<(node: number) => string | undefined> {
  const [row] = await reader.rows(
    `WITH nodes AS MATERIALIZED (
       SELECT n.number, n.file_number FROM json_each(:numbers) AS wanted
       CROSS JOIN code_nodes AS n ON n.number = wanted.value)
     SELECT
       (SELECT json_group_array(number) FROM nodes) AS numbers,
       (SELECT json_group_array(file_number) FROM nodes) AS files,
       (SELECT json_group_array(json_array(f.number, f.path)) FROM (SELECT DISTINCT file_number FROM nodes) AS n
        CROSS JOIN code_files AS f ON f.number = n.file_number AND f.tree_number = :tree) AS paths`,
    { tree: tree.number, numbers: JSON.stringify(reached.map(({ node }) => node)) },
  );
  const read = <T>(column: string) => JSON.parse(String(row?.[column] ?? "[]")) as T[];
  const files = read<number>("files");
  const fileNumbers = new Map(read<number>("numbers").map((number, at) => [number, files[at] ?? 0]));
  const paths = new Map(read<[number, string]>("paths"));
  return (node) => paths.get(fileNumbers.get(node) ?? 0);
}

async function listTestsOf(reader: Reader, tree: Tree, files: readonly string[]): Promise<AffectedTest[]> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_object('file', test.path, 'depth', 1, 'through', f.path)) AS tests
     FROM json_each(:files) AS wanted CROSS JOIN code_files AS f ON f.tree_number = :tree AND f.path = wanted.value
     CROSS JOIN code_nodes AS n ON n.file_number = f.number AND n.path = ''
     CROSS JOIN code_edges AS e ON e.to_node = n.number AND e.kind = 'tests'
     CROSS JOIN code_nodes AS own ON own.number = e.from_node
     CROSS JOIN code_files AS test ON test.number = own.file_number AND test.tree_number = :tree`,
    { tree: tree.number, files: JSON.stringify(files) },
  );
  return JSON.parse(String(row?.["tests"] ?? "[]")) as AffectedTest[];
}
