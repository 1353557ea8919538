import { readFileSync } from "node:fs";

/** What a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a process that was started as a hook of Claude Code comes of a call of a tool, so that an agent and no person is
 * behind what it says. Of its own environment and those of the processes that it comes from, as `startedWith` gives them.
 *
 * Measured with Claude Code 2.1.325: hooks have `CLAUDE_PROJECT_DIR` and an `AI_AGENT` that ends in `_harness`. What `Bash`
 * runs has no such folder, an `AI_AGENT` that ends in `_agent`, and `CLAUDE_CODE_EXECPATH`, which a Claude Code that was
 * started there hands on to its own hooks.
 *
 * It cannot be told where the agent takes all of that away from a process and lets it outlive its shell, nor, on systems
 * without /proc, where it only takes it away; nor where an agent of another kind starts Claude Code. Whoever may run
 * commands as the person can also write into the person's store: this keeps honest what goes by the front door.
 */
export function isOfToolCall([own = {}, ...before]: readonly Environment[]): boolean {
  return !own["CLAUDE_PROJECT_DIR"] || [own, ...before].some(isCall);
}

/** Whether an agent, and no person, is behind the hook that this process was started as. It takes a few milliseconds. */
export function isByAgent(): boolean {
  return isOfToolCall(startedWith());
}

function isCall(environment: Environment): boolean {
  if (environment["CLAUDE_CODE_EXECPATH"] || environment["AI_AGENT"]?.endsWith("_agent")) return true;
  return environment["CLAUDECODE"] !== undefined && !environment["CLAUDE_PROJECT_DIR"];
}

// A terminal in an editor on a desktop is about eight away from the first process.
const maxProcesses = 40;

/** The environment of this process, and what each that it comes from was started with, as far as the system tells. */
export function startedWith(): Environment[] {
  const found: Environment[] = [process.env];
  if (process.platform !== "linux") return found;
  for (let pid = process.ppid; pid > 1 && found.length < maxProcesses;) {
    try {
      found.push(parseEnvironment(readFileSync(`/proc/${pid}/environ`, "utf8")));
    } catch {
      // Somebody else's process, such as the one that let the person log in.
    }
    pid = parentOf(pid);
  }
  return found;
}

function parseEnvironment(text: string): Environment {
  const pairs = text.split("\0").map((pair): [string, string] => {
    const [name = ""] = pair.split("=", 1);
    return [name, pair.slice(name.length + 1)];
  });
  return Object.fromEntries(pairs);
}

/** 0 where it is gone. */
function parentOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name of the program, in brackets, may hold anything; its state comes after it, and then its parent.
    return Number(status.slice(status.lastIndexOf(")") + 2).split(" ")[1]) || 0;
  } catch {
    return 0;
  }
}
