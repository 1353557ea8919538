import { relatedPath } from "./related-path.js";
import { plainWords } from "./shell-program.js";
import type { Run } from "./command-runs.js";

/** The files that a command of git takes back to what git has; `["."]` for all of them. */
export function filesRestored({ program, args, place }: Run): string[] {
  if (program !== "git") return [];
  const [verb = "", ...rest] = withoutGlobalOptions(args);
  const has = (...options: string[]) => rest.some((word) => options.includes(word));
  const related = (paths: readonly string[]) =>
    paths.map((path) => relatedPath(path.replace(/^:\//, ""), place)).filter((path) => path !== undefined);
  const behindDashes = rest.includes("--") ? rest.slice(rest.indexOf("--") + 1) : [];
  switch (verb) {
    case "checkout":
      if (has("-b", "-B", "--orphan", "--detach")) return [];
      if (behindDashes.length > 0) return related(behindDashes);
      // Without dashes it may be a branch: only what has the look of a file, or is the folder itself.
      return related(plainWords(rest).filter((word) => word === "." || /^[^~^]*[\w)\]]\.[a-z]\w{0,5}$/i.test(word)));
    case "restore": {
      const isOnlyIndex = has("--staged", "-S") && !has("--worktree", "-W");
      return isOnlyIndex ? [] : related(plainWords(rest, ["--source", "-s"]));
    }
    case "reset":
      return has("--hard", "--merge") ? ["."] : [];
    case "stash":
      if (/^(?:pop|apply|list|show|drop|clear|branch|create|store)$/.test(plainWords(rest)[0] ?? "")) return [];
      return behindDashes.length > 0 ? related(behindDashes) : ["."];
    case "clean": {
      const isForced = rest.some((word) => /^-[a-z]*f|^--force$/.test(word));
      const isTried = rest.some((word) => /^-[a-z]*n|^--dry-run$/.test(word));
      if (!isForced || isTried) return [];
      const paths = related(plainWords(rest, ["-e"]));
      return paths.length > 0 ? paths : ["."];
    }
    default:
      return [];
  }
}

function withoutGlobalOptions(args: readonly string[]): string[] {
  let at = 0;
  while (args[at]?.startsWith("-")) at += ["-C", "-c", "--git-dir", "--work-tree"].includes(args[at] as string) ? 2 : 1;
  return args.slice(at);
}
