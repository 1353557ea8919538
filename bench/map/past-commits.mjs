import { execFileSync } from "node:child_process";

const isSource = (path) => /\.(?:[cm]?[jt]sx?|pyi?)$/.test(path) && !path.endsWith(".d.ts");
const maxFiles = 15;

/** A clone whose past can be checked out. Also of a bare repository. */
export function openClone(repository, folder) {
  git("/", "clone", "--quiet", "--no-checkout", repository, folder);
  return (...args) => git(folder, ...args);
}

/**
 * The last commits, oldest first, that change one to fifteen source files, at least one of them there before and no test:
 * with what they say, the files, and the lines of each as they were before.
 */
export function listPastCommits(inClone, count, isTestFile) {
  const commits = [];
  const log = inClone("log", "--no-merges", "-n", String(count * 20), "--format=%H%x00%P%x00%B%x01");
  for (const entry of log.split("\x01\n")) {
    const [commit, parent, message] = entry.split("\0");
    if (commits.length === count || !parent || !message?.trim()) continue;
    const changes = inClone("diff", "--name-status", "--no-renames", parent, commit)
      .split("\n")
      .map((line) => line.split("\t"))
      .filter(([, path]) => path !== undefined && isSource(path));
    const files = changes.filter(([status, path]) => status !== "A" && !isTestFile(path)).map(([, path]) => path);
    if (files.length === 0 || changes.length > maxFiles) continue;
    commits.push({ commit, parent, message: message.trim(), files });
  }
  return commits.toReversed().map((one) => ({ ...one, lines: listLines(inClone, one) }));
}

function listLines(inClone, { parent, commit, files }) {
  return files.flatMap((file) => {
    const diff = inClone("diff", "-U0", "--no-renames", parent, commit, "--", file);
    return [...diff.matchAll(/^@@ -(\d+)(?:,(\d+))? /gm)]
      .map(([, first, length = "1"]) => ({ file, first: Number(first), last: Number(first) + Number(length) - 1 }))
      .filter(({ first, last }) => last >= first);
  });
}

function git(folder, ...args) {
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}
