import { allRunsOf, type Run } from "./command-runs.js";

/**
 * Whether a command asks for work to be merged, at once or once its checks have passed, or pushes into the branch that others
 * work from. A person who merges later may not have done it: a forge does what it was asked before.
 *
 * @example
 * asksForMerge("gh pr merge 12 --squash --auto") // true
 * asksForMerge("gh pr view 12")                  // false
 */
export function asksForMerge(line: string): boolean {
  // Most lines have neither word, and are not parsed for it.
  return /merge|push/i.test(line) && (namesMerge(line) || allRunsOf(line).some(isMerge));
}

/** The same of a tool of another server. */
export function isMergingTool(tool: string, input: Record<string, unknown>): boolean {
  return /merge/i.test(tool) || namesMerge(JSON.stringify(input));
}

const forges = new Set("gh hub glab tea fj berg az bb".split(" "));

function isMerge({ program, args }: Run): boolean {
  // Nobody knows what a variable stands for.
  if (forges.has(program) || /[$`]/.test(program)) return args.includes("merge");
  if (program !== "git" || !args.includes("push")) return false;
  return args.some((arg) => /^(?:-o|--push-option\b.*)$/.test(arg) || /^(?:\S*[:/])?(?:main|master|trunk)$/.test(arg));
}

const maxRead = 100_000;
// What the forges' own addresses and queries call it.
const named =
  /\/(?:pulls|pullrequests|merge_requests)\/[^\s/'"]{1,200}\/merge\b|\bmerge(?:_when_pipeline_succeeds|PullRequest|RequestAccept)|auto_?merge\b|enqueuePullRequest/i;

function namesMerge(text: string): boolean {
  return named.test(text.slice(0, maxRead));
}
