import { runGit } from "../../base/git/git.js";

const gitMs = 5000;

/** The folders and files of a work tree that git ignores, each folder once instead of everything in it. */
export async function listIgnored(root: string): Promise<string[]> {
  const { output } = await runGit(root, ["ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z"], {
    timeoutMs: gitMs,
  });
  return output
    .split("\0")
    .filter((path) => path !== "")
    .map((path) => path.replace(/\/$/, ""));
}
