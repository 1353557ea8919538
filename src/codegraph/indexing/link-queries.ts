import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";
import { confidenceOf } from "../link/confidence-of.js";
import type { LinkedFile, Vote } from "../link/linked-file.js";
import { jsonPagesOf } from "../tree/pages-of.js";

/** A file that was linked, by its number. */
export interface LinkedRow extends LinkedFile {
  number: number;
  /** Why nothing was found of it. */
  problem?: string;
}

/** Puts what was found of files in the place of what was known, and notes that they are linked. */
export async function putLinks(
  writer: Writer,
  tree: Tree,
  files: readonly LinkedRow[],
  numberOf: (path: string) => number | undefined,
): Promise<void> {
  const numbers = JSON.stringify(files.map(({ number }) => number));
  await removeLinks(writer, numbers);
  const edges = files.flatMap((file) =>
    file.edges.flatMap(({ from, toFile, to, kind, tier, line }) => {
      const target = numberOf(toFile);
      return target === undefined
        ? []
        : [[file.number, from, target, to, kind, tier, confidenceOf(tier, kind), line ?? null]];
    }),
  );
  for (const page of jsonPagesOf(edges)) await putEdges(writer, page);
  const misses = files.flatMap((file) =>
    file.misses.map(({ from, kind, name, sites }) => [file.number, from, kind, name, sites]),
  );
  for (const page of jsonPagesOf(misses)) await putMisses(writer, page);
  const dependencies = files.flatMap((file) => file.dependencies.map((key) => [file.number, key]));
  for (const page of jsonPagesOf(dependencies)) await putDependencies(writer, tree, page);
  await writer.run(
    `UPDATE code_files SET is_linked = 1, problem = CASE WHEN problem LIKE 'could not be linked%' THEN NULL ELSE problem END
     WHERE number IN (SELECT value FROM json_each(:numbers))`,
    { numbers },
  );
  for (const { number, problem } of files) {
    if (problem === undefined) continue;
    await writer.run("UPDATE code_files SET problem = :problem WHERE number = :number", { number, problem });
  }
}

/** What is written twice counts where it is written first. */
async function putEdges(writer: Writer, edges: string): Promise<void> {
  await writer.run(
    `INSERT INTO code_edges (from_node, kind, to_node, tier, confidence, source, line)
     SELECT a.number, e.value ->> 4, b.number, e.value ->> 5, e.value ->> 6,
       CASE e.value ->> 5 WHEN 'precise' THEN 'scip' ELSE 'ast' END, e.value ->> 7
     FROM json_each(:edges) AS e
     CROSS JOIN code_nodes AS a ON a.file_number = e.value ->> 0 AND a.path = e.value ->> 1
     CROSS JOIN code_nodes AS b ON b.file_number = e.value ->> 2 AND b.path = e.value ->> 3
     WHERE true ON CONFLICT DO NOTHING`,
    { edges },
  );
}

async function putMisses(writer: Writer, misses: string): Promise<void> {
  await writer.run(
    `INSERT INTO code_misses (file_number, node_path, kind, name, sites)
     SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(:misses) WHERE true
     ON CONFLICT DO UPDATE SET sites = sites + excluded.sites`,
    { misses },
  );
}

async function putDependencies(writer: Writer, tree: Tree, dependencies: string): Promise<void> {
  await writer.run(
    `INSERT INTO code_dependencies (tree_number, key, file_number)
     SELECT :tree, value ->> 1, value ->> 0 FROM json_each(:dependencies) WHERE true ON CONFLICT DO NOTHING`,
    { tree: tree.number, dependencies },
  );
}

/** What leaves these files is no longer served. */
export async function removeLinks(writer: Writer, numbers: string): Promise<void> {
  await writer.run(
    `DELETE FROM code_edges WHERE from_node IN (
       SELECT n.number FROM json_each(:numbers) AS f CROSS JOIN code_nodes AS n ON n.file_number = f.value)`,
    { numbers },
  );
  await writer.run("DELETE FROM code_misses WHERE file_number IN (SELECT value FROM json_each(:numbers))", { numbers });
  await writer.run("DELETE FROM code_dependencies WHERE file_number IN (SELECT value FROM json_each(:numbers))", {
    numbers,
  });
}

/** Whatever was found from one of these is to be linked anew. */
export async function unlinkDependents(writer: Writer, tree: Tree, keys: readonly string[]): Promise<void> {
  if (keys.length === 0 || !(await hasDependencies(writer, tree))) return;
  await writer.run(
    `UPDATE code_files SET is_linked = 0 WHERE number IN (
       SELECT d.file_number FROM json_each(:keys) AS k
       CROSS JOIN code_dependencies AS d ON d.tree_number = :tree AND d.key = k.value)`,
    { tree: tree.number, keys: JSON.stringify(keys) },
  );
}

/** False during the first indexing: looking for each of its files among nothing took a tenth of the time of writing them. */
async function hasDependencies(reader: Reader, tree: Tree): Promise<boolean> {
  const rows = await reader.rows("SELECT 1 FROM code_dependencies WHERE tree_number = :tree LIMIT 1", {
    tree: tree.number,
  });
  return rows.length > 0;
}

export async function unlinkAll(writer: Writer, tree: Tree): Promise<void> {
  await writer.run("UPDATE code_files SET is_linked = 0 WHERE tree_number = :tree AND language IS NOT NULL", {
    tree: tree.number,
  });
}

/** The files that wait to be linked. */
export async function listUnlinked(reader: Reader, tree: Tree): Promise<{ path: string; number: number }[]> {
  const rows = await reader.rows(
    "SELECT path, number FROM code_files WHERE tree_number = :tree AND is_linked = 0 ORDER BY path",
    { tree: tree.number },
  );
  return rows.map((row) => ({ path: String(row["path"]), number: Number(row["number"]) }));
}

/** What all files say of parameters of these names. */
export async function readVotes(
  reader: Reader,
  tree: Tree,
  parameters: readonly string[],
): Promise<Map<string, Vote[]>> {
  const votes = new Map<string, Vote[]>(parameters.map((parameter) => [parameter, []]));
  const rows = await reader.rows(
    `SELECT v.parameter, v.shape, sum(v.votes) AS votes
     FROM json_each(:parameters) AS p CROSS JOIN code_votes AS v ON v.tree_number = :tree AND v.parameter = p.value
     GROUP BY v.parameter, v.shape`,
    { tree: tree.number, parameters: JSON.stringify(parameters) },
  );
  for (const row of rows) {
    const parameter = String(row["parameter"]);
    votes.get(parameter)?.push({ parameter, shape: String(row["shape"]), votes: Number(row["votes"]) });
  }
  return votes;
}

/** What all files say of every parameter. */
export async function readAllVotes(reader: Reader, tree: Tree): Promise<Map<string, Vote[]>> {
  const [row] = await reader.rows(
    `SELECT json_group_array(json_array(parameter, shape, votes)) AS votes
     FROM (SELECT parameter, shape, sum(votes) AS votes FROM code_votes WHERE tree_number = :tree GROUP BY parameter, shape)`,
    { tree: tree.number },
  );
  const all = new Map<string, Vote[]>();
  for (const [parameter, shape, votes] of JSON.parse(String(row?.["votes"])) as [string, string, number][]) {
    const known = all.get(parameter);
    if (known) known.push({ parameter, shape, votes });
    else all.set(parameter, [{ parameter, shape, votes }]);
  }
  return all;
}

/** The names that these files vote on. */
export async function listVotedNames(reader: Reader, numbers: readonly number[]): Promise<string[]> {
  const rows = await reader.rows(
    `SELECT DISTINCT v.parameter FROM json_each(:numbers) AS f CROSS JOIN code_votes AS v ON v.file_number = f.value`,
    { numbers: JSON.stringify(numbers) },
  );
  return rows.map((row) => String(row["parameter"]));
}

/** Puts the votes of these files in the place of what they were. */
export async function putVotes(
  writer: Writer,
  tree: Tree,
  files: readonly { number: number; votes: readonly Vote[] }[],
): Promise<void> {
  await writer.run("DELETE FROM code_votes WHERE file_number IN (SELECT value FROM json_each(:numbers))", {
    numbers: JSON.stringify(files.map(({ number }) => number)),
  });
  const rows = files.flatMap(({ number, votes }) =>
    votes.map(({ parameter, shape, votes: n }) => [number, parameter, shape, n]),
  );
  for (const page of jsonPagesOf(rows)) {
    await writer.run(
      `INSERT INTO code_votes (tree_number, parameter, shape, file_number, votes)
       SELECT :tree, value ->> 1, value ->> 2, value ->> 0, value ->> 3 FROM json_each(:votes) WHERE true
       ON CONFLICT DO UPDATE SET votes = votes + excluded.votes`,
      { tree: tree.number, votes: page },
    );
  }
}
