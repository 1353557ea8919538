import { recordOf, textOf, type Moment } from "../../hook/hook.js";
import { toolMoment } from "../tool-moment.js";

// Claude Code cuts what a hook says at 10,000 characters; contents of files would fill that at once.
const prefetch = "names";
// Into every session, and again after a compaction.
const reads = ["CLAUDE.md", ".claude/CLAUDE.md"];

/**
 * The moment that a hook of Claude Code runs at, where its agent can be told something then; else undefined. Newer versions
 * have no tool of their own for searching, only the shell.
 */
export function hookMoment(document: unknown, root: string): Moment | undefined {
  const hook = recordOf(document);
  const sessionId = textOf(hook["session_id"]);
  if (sessionId === undefined) return undefined;
  const agentId = textOf(hook["agent_id"]);
  const session = { sessionId, ...(agentId !== undefined && { agentId }) };
  switch (hook["hook_event_name"]) {
    case "SessionStart": {
      const continues = goesOn.get(hook["source"]);
      return { ...session, point: "session-start", reads, ...(continues && { continues }) };
    }
    case "UserPromptSubmit": {
      const prompt = textOf(hook["prompt"]);
      return prompt === undefined ? undefined : { ...session, point: "prompt", prompt, prefetch, reads };
    }
    case "PostToolUse": {
      const directory = textOf(hook["cwd"]);
      const called = { ...session, tool: textOf(hook["tool_name"]) ?? "unknown", args: hook["tool_input"] };
      return toolMoment(called, { root, ...(directory !== undefined && { directory }) });
    }
    default:
      return undefined;
  }
}

const goesOn = new Map<unknown, "compacted" | "resumed">([
  ["compact", "compacted"],
  ["resume", "resumed"],
]);
