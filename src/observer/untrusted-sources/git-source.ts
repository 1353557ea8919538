import type { UntrustedSource } from "../observer.js";
import { asLine } from "../tools/shell-program.js";
import { hostNamedIn } from "./network-source.js";

/**
 * Where the answer of git comes from, if not from commits that are here: it also shows what others propose. Of a command
 * that git is to run in turn, the line is given back to be judged.
 */
export function gitSource(args: readonly string[]): { outside?: UntrustedSource; runs?: string[] } {
  let at = 0;
  for (; at < args.length && (args[at] as string).startsWith("-"); at++) {
    const option = args[at] as string;
    if (/^--(?:git-dir|work-tree|exec-path=|namespace)/.test(option)) return unknown(option);
    if (option === "-C") at++;
    else if (option === "-c" || option === "--config-env") {
      if (!harmless.test(args[++at] ?? "")) return unknown(args[at] ?? option);
    }
  }
  const verb = args[at] ?? "";
  const rest = args.slice(at + 1);
  const told = [verb, ...rest.filter((word) => !word.startsWith("-"))].join(" ");
  if (verb === "" || /^(?:-h|--help)$/.test(rest[0] ?? "")) return verb === "" ? {} : unknown(`${verb} --help`);
  if (bringing.test(told) || rest.some((word) => /(?:^|=)FETCH_HEAD\b/.test(word)))
    return { outside: { from: "download", what: hostNamedIn(rest) ?? `git ${verb}` } };
  if (!ofCommitsHere.has(verb)) return unknown(verb);
  if (verb === "submodule" && rest.includes("foreach") && !ofStates.test(rest.join(" "))) return unknown(told);
  // What lies in a stash beside the project's files was never tracked.
  if (verb === "stash" && rest.some((word) => /^(?:-u|--(?:include|only)-untracked)$/.test(word)) && rest[0] === "show")
    return unknown(told);
  if (verb === "bisect" && rest[0] === "run") return { runs: [asLine(rest.slice(1))] };
  return verb === "rebase" ? { runs: valuesOf(rest, "-x", "--exec") } : {};
}

// It goes into repositories of others; only what prints states of them brings no words.
const ofStates = /\bforeach (?:--?\w+ )*['"]?git (?:status|rev-parse|clean|reset|checkout|describe|branch)\b[^;&|$`]*$/;

/** What an option is given, each time: `-x make`, `-xmake`, `--exec make`, `--exec=make`. */
function valuesOf(args: readonly string[], short: string, long: string): string[] {
  return args.flatMap((word, at) => {
    if (word === short || word === long) return args[at + 1] ?? [];
    if (word.startsWith(`${long}=`)) return word.slice(long.length + 1);
    return word.startsWith(short) && !word.startsWith("--") ? word.slice(short.length) : [];
  });
}

function unknown(what: string): { outside: UntrustedSource } {
  return { outside: { from: "command", what: `git ${what}` } };
}

// A setting may name a program to start.
const harmless =
  /^(?:user|author|committer|color|commit|init|advice|safe|core\.(?:quotepath|autocrlf|hookspath=\/dev\/null)|log|diff\.(?!external)|pull|push|merge\.(?:ff|conflict)|gc|tag|format|receive|protocol|http\.postBuffer)\b/i;

// Also from remotes other than the usual ones of a clone and of its fork, and what stands neither on a branch nor at a tag.
const bringing =
  /^(?:clone|ls-remote|bundle unbundle|submodule (?:update|add|init)|lfs (?:pull|fetch))\b|^(?:fetch|pull)\b.*(?:\bpull\/|\bmerge-requests\/|\brefs\/(?!heads\/|tags\/|remotes\/)|:\/\/|\w@[\w.-]+:)|^(?:fetch|pull) (?!(?:origin|upstream|\.)(?:\s|$))|^remote (?:show|update)\b/;

const ofCommitsHere: ReadonlySet<string> = new Set(
  `add annotate apply archive bisect blame branch bundle cat-file check-attr check-ignore check-mailmap
  check-ref-format checkout checkout-index cherry cherry-pick clean column commit commit-graph commit-tree config
  count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck gc grep hash-object
  index-pack init interpret-trailers log ls-files ls-tree maintenance merge merge-base merge-file merge-tree mktag mktree
  mv name-rev notes pack-refs prune pull push range-diff read-tree rebase reflog remote repack replace rerere reset restore
  rev-list rev-parse revert rm shortlog show show-branch show-index show-ref sparse-checkout stash status stripspace
  submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree
  write-tree`.split(/\s+/),
);
