import { runGit, type GitLimits } from "../../base/git/git.js";

/** One line of the log that git keeps of where a branch or HEAD stood. */
export interface RefMove {
  sha: string;
  /** Milliseconds since 1970, by the second. */
  at: number;
  /** What git was doing: `commit (amend): Fix it`, `reset: moving to v1`. */
  what: string;
}

const maxMoves = 5000;

/** Where these stood in this clone, the newest first; empty where git keeps no log of it. */
export async function readRefLog(root: string, names: readonly string[], limits: GitLimits): Promise<RefMove[]> {
  const question = ["log", "-g", "-n", String(maxMoves), "--date=unix", "--format=%H%x00%gd%x00%gs"];
  const { output } = await runGit(root, [...question, ...names, "--"], limits);
  return output.split("\n").flatMap((line) => {
    const [sha = "", selector = "", what] = line.split("\0");
    return what === undefined ? [] : [{ sha, at: Number(/@\{(\d+)\}$/.exec(selector)?.[1]) * 1000, what }];
  });
}
