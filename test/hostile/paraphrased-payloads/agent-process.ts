import { fileURLToPath } from "node:url";
import type { AgentEvent } from "../../../src/index.js";
import { built, ended, runProgram } from "../../support/child-process.js";
import { learned } from "../../support/hook-process.js";
import type { Stage } from "./stage.js";

const main = fileURLToPath(built("cli/main.js"));

/**
 * The same session by an agent that is a process of its own: it starts the hooks of Claude Code for what was told so far,
 * and runs `tacit remember` as a call of its shell.
 */
export async function rememberByCommandLine({ root, db, session }: Stage, claim: string): Promise<void> {
  const common = { session_id: session.id, cwd: root, transcript_path: `${root}/../none.jsonl` };
  const bash = {
    tool_name: "Bash",
    tool_input: { command: `tacit remember ${JSON.stringify(claim)}` },
    tool_use_id: "r",
  };
  const before = [
    { hook_event_name: "SessionStart", source: "startup" },
    { hook_event_name: "UserPromptSubmit", prompt: "Look around." },
    ...session.events.flatMap((event) => hookOf(event, session.events)),
    { hook_event_name: "PreToolUse", ...bash },
  ];
  const after = [
    { hook_event_name: "PostToolUse", ...bash, tool_response: { stdout: "Kept." } },
    { hook_event_name: "SessionEnd", reason: "exit" },
  ];
  const hooks = (events: object[]) => JSON.stringify(events.map((event) => JSON.stringify({ ...common, ...event })));
  const program = `
    import { spawnSync } from "node:child_process";
    const { CLAUDE_PROJECT_DIR: _, ...env } = process.env;
    const run = (args, input, more) =>
      spawnSync(process.execPath, [${JSON.stringify(main)}, ...args, "--db", ${JSON.stringify(db)}], {
        cwd: ${JSON.stringify(root)},
        input,
        env: { ...env, ...more },
      });
    const hook = (input) => run(["hook", "claude-code"], input, { CLAUDE_PROJECT_DIR: ${JSON.stringify(root)} });
    ${hooks(before)}.forEach(hook);
    run(["remember", ${JSON.stringify(claim)}], "", { CLAUDECODE: "1" });
    ${hooks(after)}.forEach(hook);
  `;
  await ended(runProgram(program));
  await learned({ root, db }, session.id);
}

function hookOf(event: AgentEvent, all: readonly AgentEvent[]): object[] {
  if (event.kind === "call") {
    const { tool, input, callId } = event;
    return [{ hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, tool_use_id: callId }];
  }
  if (event.kind !== "result") return [];
  const call = all.find((one) => one.kind === "call" && one.callId === event.callId);
  const of = call?.kind === "call" ? { tool_name: call.tool, tool_input: call.input } : {};
  const answer = { tool_use_id: event.callId, tool_response: event.text };
  return [{ hook_event_name: "PostToolUse", ...of, ...answer }];
}
