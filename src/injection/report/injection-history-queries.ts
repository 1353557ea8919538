import type { Project } from "../../project/project.js";
import type { Reader, Row } from "../../storage/storage.js";
import type { InjectionPoint } from "../injection.js";

/** What was told and what became of it, added up. */
export interface InjectionFigures {
  injections: number;
  /** Memories, each as often as it was told. */
  memories: number;
  tokens: number;
  /** Memories that were cited or followed. */
  used: number;
  savedTokens: number;
}

/** Over time, and by session. Days are those of UTC. */
export interface InjectionHistory {
  /** Oldest first, at each point of a day. */
  days: (InjectionFigures & { day: string; point: InjectionPoint })[];
  /** Newest first; of the memories, each once. */
  sessions: (InjectionFigures & { sessionId: string; lastAt: string })[];
}

/** What agents were told, since an ISO 8601 time where one is given, and of at most so many sessions (default 20). */
export async function listInjections(
  reader: Reader,
  project: Project,
  { since = "", limit = 20 }: { since?: string; limit?: number } = {},
): Promise<InjectionHistory> {
  const args = { project: BigInt(project.number), since };
  const days = await reader.rows(
    `SELECT substr(n.at, 1, 10) AS day, n.point, ${figures} FROM injections AS n ${told}
     WHERE n.project_number = :project AND n.at >= :since GROUP BY day, n.point ORDER BY day, n.point`,
    args,
  );
  const sessions = await reader.rows(
    `SELECT n.session_id, max(n.at) AS last_at, ${figures},
       (SELECT count(DISTINCT o.memory_id) FROM injections AS i JOIN injected_memories AS o ON o.injection_number = i.number
        WHERE i.project_number = :project AND i.at >= :since AND i.session_id = n.session_id) AS different
     FROM injections AS n ${told}
     WHERE n.project_number = :project AND n.at >= :since GROUP BY n.session_id
     ORDER BY last_at DESC, max(n.number) DESC LIMIT :limit`,
    { ...args, limit: BigInt(limit) },
  );
  return {
    days: days.map((row) => ({
      day: String(row["day"]),
      point: String(row["point"]) as InjectionPoint,
      ...toFigures(row),
    })),
    sessions: sessions.map((row) => ({
      sessionId: String(row["session_id"]),
      lastAt: String(row["last_at"]),
      ...toFigures(row),
      memories: Number(row["different"]),
    })),
  };
}

const figures = `count(*) AS injections, sum(n.tokens) AS tokens, ifnull(sum(t.memories), 0) AS memories,
  ifnull(sum(t.used), 0) AS used, ifnull(sum(t.saved), 0) AS saved`;
const told = `LEFT JOIN (SELECT injection_number, count(*) AS memories, count(used) AS used, sum(saved_tokens) AS saved
  FROM injected_memories GROUP BY injection_number) AS t ON t.injection_number = n.number`;

function toFigures(row: Row): InjectionFigures {
  return {
    injections: Number(row["injections"]),
    memories: Number(row["memories"]),
    tokens: Number(row["tokens"]),
    used: Number(row["used"]),
    savedTokens: Number(row["saved"]),
  };
}
