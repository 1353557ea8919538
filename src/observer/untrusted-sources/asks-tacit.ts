import { allShellParts } from "../tools/shell-parts.js";
import { plainWords } from "../tools/shell-program.js";

/**
 * Whether all that a line does is to have one command of ours show memories: what it prints is that command's answer, and
 * nothing of it stays in files.
 *
 * @example
 * asksTacit("cd app && tacit review")             // true
 * asksTacit("tacit review > /dev/null; cat page") // false
 */
export function asksTacit(line: string): boolean {
  // Each command that an agent runs comes by here, in a hook.
  if (!line.includes("tacit")) return false;
  const parts = allShellParts(line);
  const runs = parts.filter(({ words }) => words[0] !== "cd");
  const [program = "", ...args] = runs[0]?.words ?? [];
  return (
    runs.length === 1 &&
    parts.every((part) => part.inner.length + part.writes.length + part.reads.length === 0 && !part.isFed) &&
    /^tacit(?:-memory)?$/.test(program) &&
    showing.has(plainWords(args, ["--db", "--project"])[0] ?? "") &&
    // What a memory was made of may be from anywhere, whoever vouches for it by now.
    !args.includes("--evidence")
  );
}

const showing: ReadonlySet<string> = new Set(["list", "recall", "review", "show"]);
