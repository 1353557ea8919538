/**
 * Whether a call of a tool asks for work to be merged, at once or once its checks have passed, or pushes into the branch that
 * others work from. A person who merges later may not have done it: a forge does what it was asked before. In doubt it did.
 *
 * @example
 * asksForMerge("Bash", "gh pr merge 12 --squash --auto") // true
 * asksForMerge("Bash", "gh pr view 12")                  // false
 */
export function asksForMerge(tool: string, said: string): boolean {
  const text = said.slice(0, maxRead);
  return /merge/i.test(tool) || asked.some((pattern) => pattern.test(text));
}

const maxRead = 100_000;
// Between the program and its verb, in one command.
const within = String.raw`[^\n;|&]{0,500}?`;
const asked = [
  new RegExp(String.raw`\b(?:gh|hub|glab|tea|az|bb|berg)\b${within}\bmerge\b`),
  new RegExp(String.raw`\bgit\b${within}\bpush\b${within}(?:\b(?:main|master|trunk)\b|--push-option|\s-o\b)`),
  // What the forges' own addresses and queries call it.
  /\/merge\b|merge_when_pipeline|auto_?merge|merge(?:Pull|Merge)_?Request|merge_pull_request|enqueuePullRequest/i,
];
