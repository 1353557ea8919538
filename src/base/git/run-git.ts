import { execFile } from "node:child_process";
import { dirname } from "node:path";

export interface GitAnswer {
  /** What it printed, even where it was ended or failed half-way. */
  output: string;
  /** True when git came to its end and all was well. */
  isWhole: boolean;
  /** True when it had to be ended because it took too long. */
  isLate: boolean;
}

export interface GitLimits {
  /** Git is ended after this time. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /** The longest answer that is worth having. */
  maxBytes?: number;
}

// A work tree may be anybody's, and its configuration names programs: a pager, a monitor of files, a driver for differences, a
// transport that fetches what a partial clone lacks. Whatever may start one is turned off, and nothing is asked that looks
// into the files themselves: for that git would start the filters that a stranger has set. Drivers for differences can be turned
// off by no setting: whoever asks for the lines of a difference says --no-ext-diff --no-textconv.
// The first commit of a shallow clone would count as a change of every file.
const harmless = `--no-pager --no-optional-locks --literal-pathspecs -c core.fsmonitor=false -c core.hooksPath=/dev/null
  -c log.showSignature=false -c submodule.recurse=false -c safe.bareRepository=explicit -c log.showRoot=false`.split(
  /\s+/,
);
// 200,000 paths of 100 bytes, several times over.
const usuallyMostBytes = 128 * 1024 * 1024;

/**
 * Asks git about the repository whose work tree this is the root of, and of no other. Never throws: no git, no
 * repository, one that is broken or belongs to another user all give an answer that is not whole. What is not UTF-8 in it
 * has become U+FFFD.
 */
export function runGit(
  root: string,
  args: readonly string[],
  { timeoutMs, signal, maxBytes = usuallyMostBytes }: GitLimits,
): Promise<GitAnswer> {
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith("GIT_"))),
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_WORK_TREE: root,
  };
  // Not in the work tree: Windows would start a git.exe that lies there.
  const cwd = dirname(process.execPath);
  // A time-out of 0 would be none at all.
  const timeout = Math.max(1, Math.ceil(timeoutMs));
  const limits = { timeout, killSignal: "SIGKILL", maxBuffer: maxBytes, signal } as const;
  return new Promise((resolved) => {
    try {
      execFile("git", [...harmless, "-C", root, ...args], { cwd, env, ...limits }, (error, output) =>
        // Whoever gave the signal, or an answer that is too long, ends it with another code.
        resolved({ output, isWhole: error === null, isLate: error?.killed === true && !error.code }),
      );
    } catch {
      // Arguments that the system does not take, such as a NUL, or too many.
      resolved({ output: "", isWhole: false, isLate: false });
    }
  });
}

/** Limits for one of several questions that have to share the time. */
export function shareLimits({ timeoutMs, signal }: GitLimits): () => GitLimits {
  const until = performance.now() + timeoutMs;
  return () => ({ timeoutMs: until - performance.now(), signal });
}
