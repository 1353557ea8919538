import { runGit, type GitLimits } from "../../base/git/git.js";
import { everyNote, everyTag, type TakenByGit } from "../tools/taken-by-git.js";

/** What git says of the branches, tags and commits that a session names: of each it is asked once. */
export interface RefQuestions {
  /** Whether a word names a branch, a tag or a commit; other than HEAD, of which git keeps a log. */
  openNames(): Promise<(word: string) => boolean>;
  /** Whether somebody else wrote what one had by then and the session did not begin with. */
  holdsOthers(taken: TakenByGit, at: number): Promise<boolean>;
}

interface Foreign {
  at: number;
}

// A branch that is further ahead is not looked through.
const maxCommits = 1000;
// Clocks of different machines.
const slackMs = 600_000;

export function openRefQuestions(
  root: string,
  { commit, own }: { commit: string | undefined; own: string },
  limits: () => GitLimits,
): RefQuestions {
  const asked = new Map<string, Promise<readonly Foreign[] | undefined>>();
  let names: Promise<Names> | undefined;
  const known = () => (names ??= listNames(root, limits));
  return {
    async openNames() {
      const { remotes, refs } = await known();
      return (word) => isOfRemote(word, remotes) || isNamed.test(baseOf(word)) || refs.has(baseOf(word));
    },
    async holdsOthers({ verb, target }, at) {
      const { tags, hasNotes } = await known();
      if (target === everyNote && !hasNotes) return false;
      const found = asked.get(target) ?? listNew(root, { commit, target, own }, limits);
      asked.set(target, found);
      const told = showsTag.test(verb)
        ? tags.filter(({ name }) => target === everyTag || name === plainTag(target))
        : [];
      const others = await found;
      if (others === undefined) return true;
      // What came later was not seen then; but nobody commits in the future.
      return [...others, ...told.filter(({ by }) => by !== own)].some(
        (one) => !(one.at > at) || one.at > Date.now() + slackMs,
      );
    },
  };
}

// Elsewhere git shows the commits that a tag leads to, and not what it says itself.
const showsTag = /^(?:show|cat-file|tag|verify-tag|for-each-ref)$/;
const isNamed = /^(?:[\da-f]{7,64}|(?:ORIG|MERGE|CHERRY_PICK|FETCH)_HEAD|(?:refs\/)?stash)$/i;

/** `origin/main` of `origin/main~2`. */
function baseOf(word: string): string {
  return plainTag(word.replace(/[~^@].*$/s, ""));
}

function plainTag(word: string): string {
  return word.replace(/^(?:refs\/)?(?:heads|tags)\//, "");
}

/** `origin/main`, `refs/remotes/origin/main`, `origin`, and what a branch calls its counterpart there: `@{u}`. */
function isOfRemote(name: string, remotes: ReadonlySet<string>): boolean {
  if (/@\{(?:u|upstream|push)\}/i.test(name) || /^(?:refs\/)?remotes\//.test(name)) return true;
  return remotes.has(/^[^/~^@]+/.exec(name)?.[0] ?? "");
}

interface Names {
  remotes: ReadonlySet<string>;
  /** Branches of this clone, tags, and others by their whole name. */
  refs: ReadonlySet<string>;
  /** Tags that say something themselves, and who wrote it. */
  tags: readonly (Foreign & { name: string; by: string })[];
  hasNotes: boolean;
}

async function listNames(root: string, limits: () => GitLimits): Promise<Names> {
  const { output } = await runGit(root, ["config", "--name-only", "--get-regexp", "^remote\\."], limits());
  const named = output.split("\n").map((line) => /^remote\.(.+)\.[^.]+$/.exec(line)?.[1] ?? "");
  const format = "--format=%(refname)%00%(taggeremail)%00%(taggerdate:unix)";
  const listed = await runGit(root, ["for-each-ref", format], limits());
  const all = listed.output.split("\n").map((line) => line.split("\0") as [name: string, by?: string, at?: string]);
  return {
    remotes: new Set(["origin", "upstream", ...named.filter((name) => name !== "")]),
    refs: new Set(
      all.map(([name]) => plainTag(name)).filter((name) => name !== "" && !name.startsWith("refs/remotes/")),
    ),
    tags: all.flatMap(([name, by = "", at = ""]) =>
      by === "" ? [] : [{ name: plainTag(name), by: by.replace(/^<|>$/g, "").toLowerCase(), at: Number(at) * 1000 }],
    ),
    hasNotes: all.some(([name]) => name.startsWith("refs/notes/")),
  };
}

/** The commits of others that a branch has and the session's beginning had not; undefined where git cannot tell. */
async function listNew(
  root: string,
  { commit, target, own }: { commit: string | undefined; target: string; own: string },
  limits: () => GitLimits,
): Promise<Foreign[] | undefined> {
  const isPlain = /^--(?:remotes|tags|all)$|^[\w@][\w./@{}~^-]{0,200}$/.test(target) || target === everyNote;
  const isKnown = commit !== undefined && /^[\da-f]{4,64}$/i.test(commit);
  if (!isPlain || !isKnown || limits().timeoutMs <= 0) return undefined;
  const question = ["log", "-n", String(maxCommits), "--format=%ct %ae", target, `^${commit}`, "--"];
  const { output, isWhole } = await runGit(root, question, limits());
  const lines = output.split("\n").filter((line) => line !== "");
  if (!isWhole || lines.length >= maxCommits) return undefined;
  return lines.flatMap((line) => {
    const [seconds = "", author = ""] = line.split(" ");
    return author.trim().toLowerCase() === own ? [] : [{ at: Number(seconds) * 1000 }];
  });
}
