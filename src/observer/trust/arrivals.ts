import { runGit, type GitLimits } from "../../base/git/git.js";
import type { UntrustedSource } from "../observer.js";
import type { Scratchpad } from "../scratchpad/session-view.js";
import { readRefLog } from "./ref-log.js";

/** Since when commits of others were in the work tree, by git's log of HEAD, whatever brought them: a script, or a person. */
export interface Arrivals {
  /** False where git keeps no such log. */
  isLogged: boolean;
  /** Undefined where none came in. */
  since?: { at: number; outside: UntrustedSource };
}

interface Began {
  root: string;
  pads: readonly Scratchpad[];
  /** The commit that the session began at. */
  commit: string | undefined;
  /** Who commits here, by address. */
  own: string;
}

// HEAD moves once or twice in most sessions, and a rebase moves it once a commit.
const maxAsked = 60;
const maxCommits = 1000;
// Where git keeps no log, where HEAD stands says something of a session that has just ended.
const justNowMs = 60_000;

export async function findArrivals({ root, pads, commit, own }: Began, limits: () => GitLimits): Promise<Arrivals> {
  if (commit === undefined || !/^[\da-f]{4,64}$/i.test(commit)) return { isLogged: false };
  const [from, until] = timesOf(pads);
  const log = (await readRefLog(root, ["HEAD"], limits())).toReversed();
  const isLogged = log.length > 0;
  const second = Math.floor(from / 1000) * 1000;
  // Git counts seconds: what stands at the beginning came before it.
  const first = log.findLastIndex(({ sha, at }) => at <= second && sha.startsWith(commit));
  const moves = log.filter(({ at }, index) => index > first && at >= second && at <= until);
  const newest = log.at(-1);
  const isQuiet = newest ? newest.at <= until : Date.now() - until < justNowMs;
  const made = new Set(moves.filter(({ what }) => /^commit(?: \(initial\))?:/.test(what)).map(({ sha }) => sha));
  const holdsOthers = openQuestion(root, { commit, own, made }, limits);
  const all = [...new Set(moves.map(({ sha }) => sha))].slice(0, maxAsked);
  // What git cannot tell counts as others'.
  if (all.length > 0 && (await holdsOthers(all)) !== false) {
    for (const { sha, at, what } of moves) {
      if ((await holdsOthers([sha])) !== false) return { isLogged, since: { at, outside: broughtBy(what) } };
    }
  }
  // A branch can be set without a line in the log.
  const isHeld = isQuiet && Number.isFinite(from) && (await holdsOthers(["HEAD"])) === true;
  return { isLogged, ...(isHeld && { since: { at: -Infinity, outside: broughtBy("") } }) };
}

/** The first of an agent's notes that may tell of what was there from that time on; Infinity where none does yet. */
export function orderSince({ actions, sayings, commits, units, qa, remembered }: Scratchpad, at: number): number {
  const notes = [...sayings, ...commits, ...units, ...qa, ...remembered].filter((note) => note.at >= at);
  const during = actions.filter((action) => (action.endedAt ?? action.at) >= at);
  return Math.min(...[...notes, ...during].map(({ order }) => order), Infinity);
}

function broughtBy(what: string): UntrustedSource {
  return { from: "others", what: ["git", /^[a-z][a-z-]{1,20}/.exec(what)?.[0] ?? ""].join(" ").trim() };
}

function timesOf(pads: readonly Scratchpad[]): [from: number, until: number] {
  const starts = pads.flatMap(({ start, actions, prompts }) => [start, actions[0], prompts[0]]);
  const from = Math.min(...starts.map((note) => note?.at ?? Infinity));
  const end = pads[0]?.end?.at;
  return [from, end === undefined ? Infinity : end + 1000];
}

/** Whether commits of others stand in any of these that the session did not begin with; undefined where git cannot tell. */
function openQuestion(
  root: string,
  { commit, own, made }: { commit: string; own: string; made: ReadonlySet<string> },
  limits: () => GitLimits,
): (shas: readonly string[]) => Promise<boolean | undefined> {
  return async (shas) => {
    const question = ["log", "-n", String(maxCommits), "--format=%H %ae", ...shas, `^${commit}`];
    const { output, isWhole } = await runGit(root, [...question, "--"], limits());
    const isFound = output.split("\n").some((line) => {
      const [sha = "", author = ""] = line.split(" ");
      return sha !== "" && !made.has(sha) && author.trim().toLowerCase() !== own;
    });
    return isFound || (isWhole ? false : undefined);
  };
}
