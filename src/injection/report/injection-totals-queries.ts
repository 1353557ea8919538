import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";

/** What agents were told in a project, and what became of it. */
export interface InjectionTotals {
  /** That were told anything. */
  sessions: number;
  injections: number;
  /** Memories, each as often as it was told. */
  memories: number;
  /** Each once. */
  differentMemories: number;
  /** That came along, each as often as it did. */
  files: number;
  /** What all of it took, files included. */
  tokens: number;
  /** The memories that the agent named, and those that it did as they say; together, those that it used. */
  cited: number;
  followed: number;
  /** About; `savedTokens()` says how that is counted. */
  savedTokens: number;
}

/** All of it, or since an ISO 8601 time. */
export async function countInjections(
  reader: Reader,
  project: Project,
  { since = "" }: { since?: string } = {},
): Promise<InjectionTotals> {
  const [row] = await reader.rows(
    `SELECT count(DISTINCT n.session_id) AS sessions, count(*) AS injections, ifnull(sum(n.tokens), 0) AS tokens,
       ifnull(sum(t.memories), 0) AS memories, ifnull(sum(t.cited), 0) AS cited,
       ifnull(sum(t.followed), 0) AS followed, ifnull(sum(t.saved), 0) AS saved, ifnull(sum(n.files), 0) AS files,
       (SELECT count(DISTINCT o.memory_id) FROM injections AS i JOIN injected_memories AS o ON o.injection_number = i.number
        WHERE i.project_number = :project AND i.at >= :since) AS different
     FROM injections AS n
     LEFT JOIN (SELECT injection_number, count(*) AS memories, sum(used = 'cited') AS cited,
         sum(used = 'followed') AS followed, sum(saved_tokens) AS saved
       FROM injected_memories GROUP BY injection_number) AS t ON t.injection_number = n.number
     WHERE n.project_number = :project AND n.at >= :since`,
    { project: BigInt(project.number), since },
  );
  const count = (name: string) => Number(row?.[name] ?? 0);
  return {
    sessions: count("sessions"),
    injections: count("injections"),
    memories: count("memories"),
    differentMemories: count("different"),
    files: count("files"),
    tokens: count("tokens"),
    cited: count("cited"),
    followed: count("followed"),
    savedTokens: count("saved"),
  };
}
