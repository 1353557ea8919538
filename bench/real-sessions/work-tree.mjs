// One work tree at a fixed path, put to the commit that each session began at.
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "./read-checkpoints.mjs";

/**
 * A clone, and the repository that it fetches from: that one's default branch stands where it stood when each session
 * began. So a product that looks at what was merged meanwhile sees it as its user would have seen it.
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

  const merged = new Set(
    git(origin, ["log", "--format=%B", ofMain[0].sha]).match(/(?<=Entire-Checkpoint: )[\da-f]{12}/g),
  );

  return {
    root,
    /** Whether work of the session is in the default branch today, by whomever. */
    isMerged: ({ checkpoints }) => checkpoints.some((checkpoint) => merged.has(checkpoint)),
    /** Where the session began: what its checkpoint says, else the parent of the first commit that names it, else main then. */
    begin(session) {
      fetchMain(mainAt(session.startedAt));
      const { how, sha, committer } = findBeginning(root, session, commits, mainAt(session.startedAt));
      checkOut(root, sha);
      setAuthor(root, committer ?? session.author);
      return { how, sha };
    },
    /** The repository as it is today is fetched, with what became of everybody's work. */
    merge() {
      fetchMain(ofMain[0].sha);
      checkOut(root, ofMain[0].sha);
    },
  };
}

/** As `git checkout --detach --force`, which refuses where the blob of a picture is missing. */
function checkOut(root, sha) {
  git(root, ["update-ref", "--no-deref", "HEAD", sha]);
  git(root, ["read-tree", sha]);
  try {
    git(root, ["checkout-index", "--force", "--all"]);
  } catch {
    // All others were written.
  }
  git(root, ["clean", "-fdqx"]);
}

function setAuthor(root, author = { email: "user@example.com", name: "user" }) {
  git(root, ["config", "user.email", author.email]);
  git(root, ["config", "user.name", author.name]);
}

/** By checkpoint: the first commit whose trailers name it, its parent, and who made it. */
function readCommits(folder) {
  const format = "%H %P%x09%ce%x09%cn%x09%(trailers:key=Entire-Checkpoint,valueonly,separator=%x20)";
  const commits = new Map();
  for (const line of git(folder, ["log", "--all", "--date-order", "--reverse", `--format=${format}`]).split("\n")) {
    const [shas = "", email, name, named = ""] = line.split("\t");
    const [, parent] = shas.split(" ");
    // What GitHub squashed was begun elsewhere.
    const committer = email === "noreply@github.com" ? undefined : { email, name };
    for (const checkpoint of named.split(" ").filter(Boolean)) {
      if (parent && !commits.has(checkpoint)) commits.set(checkpoint, { parent, committer });
    }
  }
  return commits;
}

function findBeginning(root, { base, checkpoints }, commits, mainThen) {
  const first = checkpoints.map((checkpoint) => commits.get(checkpoint)).find(Boolean);
  const ofBase = base && findCommit(root, base);
  if (ofBase) return { how: "base of the checkpoint", sha: ofBase, committer: first?.committer };
  if (first) return { how: "parent of its first commit", sha: first.parent, committer: first.committer };
  return { how: "main at that time", sha: mainThen };
}

function findCommit(root, name) {
  try {
    return git(root, ["rev-parse", "--verify", "--quiet", `${name}^{commit}`]).trim();
  } catch {
    return undefined;
  }
}
