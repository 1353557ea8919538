import { allWholeRunsOf, type Run } from "./command-runs.js";
import { longestWhole, maxWholeParts } from "./shell-parts.js";

/**
 * Whether a command asks for work to be merged, at once or once its checks have passed, or pushes into the branch that others
 * work from. A person who merges later may not have done it: a forge does what it was asked before.
 *
 * @example
 * asksForMerge("gh pr merge 12 --squash --auto") // true
 * asksForMerge("gh pr view 12")                  // false
 */
export function asksForMerge(line: string): boolean {
  // Most lines have none of these, and are not parsed for it.
  if (!/merge|accept|push|\b(?:gh|hub|glab|tea|fj)\b|[$`\\]|''|""/i.test(line)) return false;
  if (line.length > longestWhole || namesMerge(line)) return true;
  const runs = allWholeRunsOf(line);
  return runs.length >= maxWholeParts || runs.some(isMerge);
}

/** The same of another tool: by its name, or by an address, a query or a button in what it is given. */
export function isMergingTool(tool: string, input: Record<string, unknown>): boolean {
  const verb = tool.replaceAll(/merge[-_]?requests?/gi, "");
  if (/merge|accept/i.test(verb)) return true;
  const given = textsIn(input).join("\n");
  return namesMerge(given) || (/browser|click|press|page/i.test(tool) && /\bmerge\b/i.test(given));
}

const forges = new Set("gh hub glab tea fj berg az bb".split(" "));
// What `gh` and `glab` come with; anything else is an alias of somebody's.
const groups = new Set(
  (
    "pr mr issue repo api auth run ci release search browse gist snippet label status config secret variable cache project " +
    "ruleset ssh-key gpg-key codespace cs org extension completion attestation help version job incident milestone user"
  ).split(" "),
);
const verbs = /^(?:merge|accept|automerge)$/;
const unclear = /[$`]/;
const sending = /^(?:-X|--method|-f|-F|--field|--raw-field|--input)(?:=|$)|^-[XfF]\S/;
const commenting = /\/(?:comments|replies|reviews|issues|labels|assignees)(?:[/?]|$)/;

function isMerge({ program: path, args }: Run): boolean {
  const program = path.slice(path.lastIndexOf("/") + 1);
  if (forges.has(program)) return isMergeOfForge(program, args);
  if (unclear.test(program)) return args.some((arg) => verbs.test(arg));
  if (program !== "git") return !saying.has(program) && relayed.test(args.join(" "));
  const isPush = args.includes("push") || args.some((arg) => unclear.test(arg) && !arg.includes(" "));
  return isPush && args.some((arg) => shared.test(arg));
}

function isMergeOfForge(program: string, args: readonly string[]): boolean {
  const words = args.filter((arg) => !arg.startsWith("-"));
  if (args.some((arg) => verbs.test(arg))) return true;
  // What is sent to a forge may be any of its orders; what is asked for is told by its address.
  if (words[0] === "api" && args.some((arg) => sending.test(arg)) && !args.some((arg) => commenting.test(arg)))
    return words[1] !== "graphql" || args.some((arg) => /\bmutation\b|^\w+=@/.test(arg));
  if (words.slice(0, 2).some((word) => unclear.test(word) && !word.includes("/"))) return true;
  return (program === "gh" || program === "glab") && words[0] !== undefined && !groups.has(words[0]) && !isValue(args);
}

/** `gh -R me/shop pr view`: what stands first is an option's value. */
function isValue(args: readonly string[]): boolean {
  return args[0]?.startsWith("-") === true && args.some((arg) => groups.has(arg));
}

// What these print runs nowhere.
const saying = new Set(["", "echo", "printf", "grep", "rg", "cat", "tacit"]);
// What another machine or shell is to run: `ssh host "gh pr merge 1"`.
const relayed = /\b(?:gh|hub|glab|tea)(?:\.exe)?\b[^\n]{0,300}?\b(?:merge|accept)\b/;
// `main`, `HEAD:refs/heads/main`, and what a forge is told with a push.
const shared = /^(?:\+?\S*:)?(?:refs\/heads\/)?(?:main|master|trunk)$|merge_request\.merge|auto_?merge/;

const maxRead = 100_000;
// What the forges' own addresses, queries, labels and comments call it.
const named =
  /\/(?:pulls|pullrequests|merge_requests)\/[^\s/'"]{1,200}\/merge\b|\bmerge(?:_when_pipeline_succeeds|PullRequest|RequestAccept)|when-pipeline-succeeds|auto[-_ ]?merge\b|enqueuePullRequest|\bbors r\+/i;

function namesMerge(text: string): boolean {
  return named.test(text.slice(0, maxRead));
}

const maxTexts = 2000;
const deepest = 20;

function textsIn(value: unknown, depth = 0, texts: string[] = []): string[] {
  if (texts.length >= maxTexts || depth > deepest) return texts;
  if (typeof value === "string") texts.push(value.slice(0, maxRead));
  else if (typeof value === "object" && value !== null) {
    for (const one of Object.values(value)) textsIn(one, depth + 1, texts);
  }
  return texts;
}
