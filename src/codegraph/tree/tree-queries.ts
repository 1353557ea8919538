import type { Reader, Writer } from "../../storage/storage.js";
import type { Tree } from "../codegraph.js";

/** How far the index of a tree has come. */
export interface TreeState extends Tree {
  settings: string;
  commit?: string;
  branch?: string;
  indexedAt: string;
  /** Absent during the first indexing. */
  completedAt?: string;
  countedCommit?: string;
  /** How often an indexing has written. */
  writes: number;
}

/** The tree of a project that lies at this root, if it was ever indexed. */
export async function findTree(reader: Reader, project: number, root: string): Promise<TreeState | undefined> {
  const [row] = await reader.rows(
    `SELECT number, root, settings, commit_sha, branch, indexed_at, completed_at, counted_commit, writes
     FROM code_trees WHERE project_number = :project AND root = :root`,
    { project, root },
  );
  if (!row) return undefined;
  const { commit_sha: commit, branch, completed_at: completedAt, counted_commit: countedCommit } = row;
  return {
    number: Number(row["number"]),
    root: String(row["root"]),
    settings: String(row["settings"]),
    indexedAt: String(row["indexed_at"]),
    writes: Number(row["writes"]),
    ...(typeof commit === "string" && { commit }),
    ...(typeof branch === "string" && { branch }),
    ...(typeof completedAt === "string" && { completedAt }),
    ...(typeof countedCommit === "string" && { countedCommit }),
  };
}

/** The tree at this root, which begins with its first indexing. */
export async function ensureTree(writer: Writer, project: number, root: string, now: Date): Promise<TreeState> {
  await writer.run(
    `INSERT INTO code_trees (project_number, root, settings, indexed_at) VALUES (:project, :root, '', :now)
     ON CONFLICT (project_number, root) DO NOTHING`,
    { project, root, now: now.toISOString() },
  );
  return (await findTree(writer, project, root)) as TreeState;
}

/** Notes that an indexing writes; gives how often that was done, by whomever. Undefined when the tree is gone. */
export async function noteWrite(writer: Writer, tree: Tree): Promise<number | undefined> {
  const [row] = await writer.rows("UPDATE code_trees SET writes = writes + 1 WHERE number = :tree RETURNING writes", {
    tree: tree.number,
  });
  return row && Number(row["writes"]);
}

/** Notes that everything is in: at which commit, and when. */
export async function finishTree(
  writer: Writer,
  tree: Tree,
  { commit, branch, settings, now }: { commit?: string; branch?: string; settings: string; now: Date },
): Promise<void> {
  await writer.run(
    `UPDATE code_trees SET commit_sha = :commit, branch = :branch, settings = :settings, indexed_at = :now,
       completed_at = ifnull(completed_at, :now)
     WHERE number = :tree`,
    { tree: tree.number, commit: commit ?? null, branch: branch ?? null, settings, now: now.toISOString() },
  );
}

/** Notes up to which commit history was counted. */
export async function noteCounted(writer: Writer, tree: Tree, commit: string): Promise<void> {
  await writer.run("UPDATE code_trees SET counted_commit = :commit WHERE number = :tree", {
    tree: tree.number,
    commit,
  });
}

/** Every tree of a project. */
export async function listTrees(reader: Reader, project: number): Promise<Tree[]> {
  const rows = await reader.rows("SELECT number, root FROM code_trees WHERE project_number = :project", { project });
  return rows.map((row) => ({ number: Number(row["number"]), root: String(row["root"]) }));
}

/** Forgets a tree with everything that is known of its files. */
export async function removeTree(writer: Writer, tree: Tree): Promise<void> {
  await writer.run("DELETE FROM code_trees WHERE number = :tree", { tree: tree.number });
}
