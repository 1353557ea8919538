// Who brought the work of a session into the default branch.
import { git } from "./read-checkpoints.mjs";

/**
 * Tells of commits who merged them into a branch: "other" where it was somebody else than who committed them, "self", or
 * "nobody" where the branch does not have them. Of a squash that a forge made nobody knows who pressed the button.
 */
export function openMergedBy(repository, branch) {
  const parents = new Map(
    git(repository, ["rev-list", "--parents", branch])
      .trim()
      .split("\n")
      .map((line) => {
        const [sha, ...rest] = line.split(" ");
        return [sha, rest];
      }),
  );
  const arrivals = arrivalsIn(parents, git(repository, ["rev-parse", branch]).trim());
  const authors = new Map(
    git(repository, ["log", "--format=%H %ae", branch])
      .trim()
      .split("\n")
      .map((line) => line.split(" ")),
  );
  return (commits) => {
    const by = commits.flatMap(({ sha, committer }) => {
      const merge = arrivals.get(sha);
      return merge === undefined ? [] : [merge !== sha && authors.get(merge) !== committer.email ? "other" : "self"];
    });
    return by.includes("other") ? "other" : (by[0] ?? "nobody");
  };
}

/** By which commit of the branch's first parents each commit came there. */
function arrivalsIn(parents, tip) {
  const mainline = [];
  for (let sha = tip; parents.has(sha); [sha] = parents.get(sha)) mainline.push(sha);
  const arrivals = new Map(mainline.map((sha) => [sha, sha]));
  for (const merge of mainline.toReversed()) {
    const open = parents.get(merge).slice(1);
    for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
      if (arrivals.has(sha)) continue;
      arrivals.set(sha, merge);
      open.push(...(parents.get(sha) ?? []));
    }
  }
  return arrivals;
}
