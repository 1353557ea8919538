// One work tree at a fixed path, put to the commit that each session began at and to those that were made in it.
import { execFileSync } from "node:child_process";
import { lutimesSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { openMergedBy } from "./merged-by.mjs";
import { git } from "./read-checkpoints.mjs";

/**
 * A clone, and the repository that it fetches from: that one's default branch stands where it stood when each session
 * began. Commits are made in the clone when they were made, as its log of HEAD says. So a product that looks at what was
 * committed or merged meanwhile sees it as its user would have seen it.
 */
export function openWorkTree(repository, folder, name) {
  const root = join(folder, "work", name.split("/").at(-1));
  const origin = join(folder, "origin", `${name}.git`);
  mkdirSync(dirname(origin), { recursive: true });
  git(folder, ["clone", "--quiet", "--shared", "--bare", repository, origin]);
  const main = git(origin, ["symbolic-ref", "HEAD"]).trim();
  const commits = readCommits(origin);
  const known = git(origin, ["log", "--first-parent", "--format=%H %ct", main]).trim().split("\n");
  const ofMain = known.map((line) => line.split(" ")).map(([sha, seconds]) => ({ sha, at: 1000 * Number(seconds) }));
  const mainAt = (time) => (ofMain.find(({ at }) => at <= time) ?? ofMain.at(-1)).sha;
  for (const ref of git(origin, ["for-each-ref", "--format=%(refname)"]).trim().split("\n")) {
    if (ref !== main) git(origin, ["update-ref", "-d", ref]);
  }
  git(origin, ["update-ref", main, ofMain.at(-1).sha]);
  // The mirror's objects are at hand: sessions begin at commits of branches that were never fetched.
  git(folder, ["clone", "--quiet", "--no-checkout", "--reference", repository, origin, root]);
  git(root, ["config", "commit.gpgsign", "false"]);
  const fetchMain = (sha) => {
    git(origin, ["update-ref", main, sha]);
    git(root, ["fetch", "--quiet", "--no-tags", "origin"]);
  };

  const madeUntil = new Map();
  const mergedBy = openMergedBy(origin, ofMain[0].sha);

  return {
    root,
    /** Who brought work of the session into the default branch that it has today: "self", "other" or "nobody". */
    mergedBy: ({ checkpoints }) => mergedBy(checkpoints.flatMap((checkpoint) => commits.get(checkpoint) ?? [])),
    /** Where the session began: what its checkpoint says, else the parent of the first commit that names it, else main then. */
    begin(session) {
      fetchMain(mainAt(session.startedAt));
      const { how, sha, committer } = findBeginning(root, session, commits, mainAt(session.startedAt));
      checkOut(root, sha, { at: session.startedAt - 1000, what: `checkout: moving from main to ${sha.slice(0, 12)}` });
      dateFiles(root, session.startedAt - 1000);
      setAuthor(root, committer ?? session.author);
      return { how, sha };
    },
    /** Makes the session's commits up to this time, and leaves its other work in the tree: people commit by hand, later. */
    commit(session, until) {
      const made = findMade(root, session, commits).filter(({ at }) => at > (madeUntil.get(session.id) ?? 0));
      madeUntil.set(session.id, until);
      const changed = new Set();
      for (const { sha, at, subject } of made.filter((one) => one.at <= until)) {
        for (const file of git(root, ["diff-tree", "-r", "--name-only", "-z", "HEAD", sha]).split("\0"))
          changed.add(file);
        checkOut(root, sha, { at, what: `commit: ${subject}` });
      }
      // All files are written anew by that, and git would write only these.
      dateFiles(root, session.startedAt - 1000, changed);
      const later = made.find((one) => one.at > until);
      if (later) leaveUncommitted(root, later.sha, join(folder, "index"));
    },
    /** The repository as it is today is fetched, with what became of everybody's work. */
    merge() {
      fetchMain(ofMain[0].sha);
      checkOut(root, ofMain[0].sha);
    },
  };
}

/** As `git checkout --detach --force`, which refuses where the blob of a picture is missing; git's log says when, and why. */
function checkOut(root, sha, { at = Date.now(), what = "" } = {}) {
  const env = { ...process.env, GIT_COMMITTER_DATE: `@${Math.floor(at / 1000)} +0000` };
  const message = what === "" ? [] : ["-m", what];
  execFileSync("git", ["-C", root, "update-ref", "--no-deref", "--create-reflog", ...message, "HEAD", sha], { env });
  git(root, ["read-tree", sha]);
  try {
    git(root, ["checkout-index", "--force", "--all"]);
  } catch {
    // All others were written.
  }
  git(root, ["clean", "-fdqx"]);
}

/** All files were there before the session, but for these. */
function dateFiles(root, at, changed = new Set()) {
  const files = git(root, ["ls-files", "-z"])
    .split("\0")
    .filter((file) => file !== "" && !changed.has(file));
  for (const file of files) {
    try {
      lutimesSync(join(root, file), at / 1000, at / 1000);
    } catch {
      // Its blob is missing.
    }
  }
}

/** Puts the files that a commit changed into the work tree, and nowhere else. */
function leaveUncommitted(root, sha, index) {
  const files = git(root, ["diff-tree", "-r", "--name-only", "-z", "--no-commit-id", "--diff-filter=AM", sha]).split(
    "\0",
  );
  const env = { ...process.env, GIT_INDEX_FILE: index };
  execFileSync("git", ["-C", root, "read-tree", sha], { env });
  const stdio = ["pipe", "ignore", "ignore"];
  try {
    execFileSync("git", ["-C", root, "checkout-index", "--force", "-z", "--stdin"], {
      env,
      input: files.join("\0"),
      stdio,
    });
  } catch {
    // A blob is missing; all others were written.
  }
  rmSync(index, { force: true });
}

function setAuthor(root, author = { email: "user@example.com", name: "user" }) {
  git(root, ["config", "user.email", author.email]);
  git(root, ["config", "user.name", author.name]);
}

/** By checkpoint: the commits whose trailers name it, oldest first. What GitHub squashed or merged was made elsewhere. */
function readCommits(folder) {
  const format = "%H%x09%P%x09%ce%x09%cn%x09%ct%x09%(trailers:key=Entire-Checkpoint,valueonly,separator=%x20)%x09%s";
  const commits = new Map();
  for (const line of git(folder, ["log", "--all", "--date-order", "--reverse", `--format=${format}`]).split("\n")) {
    const [sha, parents = "", email, name, seconds, named = "", subject = ""] = line.split("\t");
    const [parent, second] = parents.split(" ");
    if (!parent) continue;
    const isElsewhere = email === "noreply@github.com" || second !== undefined;
    const commit = { sha, parent, at: 1000 * Number(seconds), subject, isElsewhere, committer: { email, name } };
    for (const checkpoint of named.split(" ").filter(Boolean)) {
      commits.set(checkpoint, [...(commits.get(checkpoint) ?? []), commit]);
    }
  }
  return commits;
}

function findBeginning(root, { base, checkpoints }, commits, mainThen) {
  const first = checkpoints.flatMap((checkpoint) => commits.get(checkpoint) ?? [])[0];
  const committer = first?.isElsewhere ? undefined : first?.committer;
  const ofBase = base && findCommit(root, base);
  if (ofBase) return { how: "base of the checkpoint", sha: ofBase, committer };
  if (first) return { how: "parent of its first commit", sha: first.parent, committer };
  return { how: "main at that time", sha: mainThen };
}

/** What was committed in a session or of its work, in the order in which it was: by their trailers, and by what git printed. */
function findMade(root, { checkpoints, lines, startedAt }, commits) {
  const made = new Map();
  const named = checkpoints.flatMap((checkpoint) => commits.get(checkpoint) ?? []).filter((one) => !one.isElsewhere);
  for (const commit of named) made.set(commit.sha, commit);
  // What was rebased since has its trailer in another commit, and its old one is known where a branch still holds it.
  for (const line of lines) {
    for (const [, name] of line.matchAll(/\[[\w/.#-]+ ([\da-f]{7,12})\] /g)) {
      const sha = findCommit(root, name);
      if (sha && !made.has(sha)) made.set(sha, readCommit(root, sha));
    }
  }
  return [...made.values()].filter(({ at }) => at >= startedAt).toSorted((a, b) => a.at - b.at);
}

function readCommit(root, sha) {
  const [seconds, subject] = git(root, ["log", "-1", "--format=%ct%x09%s", sha]).trim().split("\t");
  return { sha, at: 1000 * Number(seconds), subject };
}

function findCommit(root, name) {
  try {
    return git(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).trim();
  } catch {
    return undefined;
  }
}
