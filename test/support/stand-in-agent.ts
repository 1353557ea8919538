import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { built, ended } from "./child-process.js";

export const tacitMain = process.env["TACIT_OLD_MAIN"] ?? fileURLToPath(built("cli/main.js"));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Start {
  command: string;
  args: string[];
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
}

/** A process of its own: what it starts are its children, and the test is not. */
export interface AgentProcess {
  pid: number;
  start: (what: Start) => Promise<Ran>;
}

/** One that stands in for an agent: hooks and commands of tools are its children. */
export interface StandInAgent extends AgentProcess {
  sessionId: string;
  /** Lets a hook of Claude Code run, as that starts it, and gives what it prints. */
  hook(document: Record<string, unknown>): Promise<string>;
  /** Calls a tool, with the hooks before and after it. `work` is what the tool does. */
  call<T>(
    tool: string,
    input: Record<string, unknown>,
    work?: () => Promise<T>,
    shown?: string,
  ): Promise<T | undefined>;
  /** Runs a command line in a shell, as the agent's tool does. */
  bash(line: string, options?: Pick<Start, "env" | "cwd">): Promise<Ran>;
  /** The session is another one now, in the same process. */
  begin(sessionId: string): Promise<void>;
}

let count = 0;

/** Starts a process in a folder that starts what it is told to; it is ended with the test. */
export function agentProcess(root: string, more: Record<string, string> = {}): AgentProcess {
  const env = { ...process.env, ...more };
  const child = spawn(process.execPath, [join(import.meta.dirname, "stand-in-agent.mjs")], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  // It may be gone already, where a test ended it.
  child.stdin.on("error", () => {});
  const waiting = new Map<number, (ran: Ran) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, ...ran } = JSON.parse(line) as Ran & { id: number };
    waiting.get(id)?.(ran);
    waiting.delete(id);
  });
  onTestFinished(async () => {
    child.stdin.end();
    child.kill();
    await ended(child);
  });
  let next = 0;
  const start: AgentProcess["start"] = (what) =>
    new Promise((done) => {
      const id = (next += 1);
      waiting.set(id, done);
      child.stdin.write(`${JSON.stringify({ id, cwd: root, ...what })}\n`);
    });
  return { pid: child.pid as number, start };
}

/** Starts an agent in a work tree, with a session that has begun; it is ended with the test. */
export async function standInAgent({
  root,
  db,
  home,
  sessionId = `session-${(count += 1)}`,
  env: own = {},
}: {
  root: string;
  db: string;
  home?: string;
  sessionId?: string;
  env?: Record<string, string>;
}): Promise<StandInAgent> {
  const { pid, start } = agentProcess(root, { ...(home !== undefined && { TACIT_HOME: home }), ...own });
  let calls = 0;
  const agent: StandInAgent = {
    sessionId,
    pid,
    start,
    hook: async (document) => {
      const input = JSON.stringify({ session_id: agent.sessionId, cwd: root, ...document });
      const args = [tacitMain, "hook", "claude-code", "--db", db];
      const { code, stdout, stderr } = await start({
        command: process.execPath,
        args,
        input,
        env: { CLAUDE_PROJECT_DIR: root, AI_AGENT: "stand-in_harness" },
      });
      if (code !== 0 || stderr !== "") throw new Error(`A hook ended with ${String(code)}: ${stderr}`);
      return stdout;
    },
    call: async (tool, input, work) => {
      // A page has words; one word alone would be a value, which brings none.
      const shown = tool === "WebFetch" ? "The guide says how deploys are run, and what to do before them." : "done";
      const about = { tool_name: tool, tool_input: input, tool_use_id: `toolu_${(calls += 1)}` };
      await agent.hook({ hook_event_name: "PreToolUse", ...about });
      const done = await work?.();
      await agent.hook({ hook_event_name: "PostToolUse", ...about, tool_response: { stdout: shown } });
      return done;
    },
    bash: async (line, options = {}) => {
      const ran = await agent.call("Bash", { command: line }, () =>
        start({ command: "/bin/sh", args: ["-c", line], ...options }),
      );
      return ran as Ran;
    },
    begin: async (id) => {
      agent.sessionId = id;
      await agent.hook({ hook_event_name: "SessionStart", source: "startup" });
    },
  };
  await agent.begin(sessionId);
  return agent;
}
