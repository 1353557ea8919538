import { createHash } from "node:crypto";
import type { AgentEvent, SessionType } from "../observer.js";
import { countOf, inputOf, recordOf, textOf } from "./loose-value.js";
import { seenCommits } from "./seen-commits.js";
import { answerFailed, answerText } from "./tool-answer.js";

/**
 * What a hook of Claude Code is told on its standard input, as events; none for what tells nothing. Never throws. It loads
 * next to nothing: a hook's process has 60 ms for everything.
 *
 * Sessions that go on after they were compacted do not start again. With `type` they start as sessions of that kind.
 */
export function fromHook(input: unknown, { type }: { type?: SessionType } = {}): AgentEvent[] {
  const hook = recordOf(input);
  const sessionId = textOf(hook["session_id"]);
  if (sessionId === undefined) return [];
  const agentId = textOf(hook["agent_id"]);
  const session = { sessionId };
  const agent = { sessionId, ...(agentId !== undefined && { agentId }) };
  switch (hook["hook_event_name"]) {
    case "SessionStart": {
      if (hook["source"] === "compact") return [];
      const kind = { ...(type !== undefined && { type }) };
      return [{ ...session, kind: "start", agent: "claude-code", ...whereOf(hook), ...kind, ...transcriptOf(hook) }];
    }
    case "UserPromptSubmit": {
      const text = textOf(hook["prompt"]);
      return text === undefined ? [] : [{ ...agent, kind: "prompt", text }];
    }
    case "PreToolUse": {
      const given = inputOf(hook["tool_input"]);
      return [{ ...agent, kind: "call", callId: callIdOf(hook), tool: toolOf(hook), input: given, ...whereOf(hook) }];
    }
    case "PostToolUse":
      return results(hook, agent, hook["tool_response"], answerFailed(hook["tool_response"]));
    case "PostToolUseFailure":
      return results(hook, agent, hook["error"] ?? hook["error_message"] ?? hook["tool_response"], true);
    case "PreCompact":
      return [{ ...agent, kind: "compacted", ...transcriptOf(hook) }];
    case "SubagentStart":
    case "SubagentStop": {
      const state = hook["hook_event_name"] === "SubagentStart" ? "started" : "ended";
      const said = state === "ended" ? reasoning(hook, agent) : [];
      if (agentId === undefined) return said;
      return [...said, { ...session, kind: "subagent", state, childId: agentId }];
    }
    case "Stop":
      return [...reasoning(hook, agent), { ...agent, kind: "step" }];
    case "SessionEnd": {
      const reason = textOf(hook["reason"]);
      const why = { ...(reason !== undefined && { reason }) };
      return [{ ...session, kind: "end", outcome: "unknown", ...why, ...transcriptOf(hook) }];
    }
    default:
      return [];
  }
}

interface Whose {
  sessionId: string;
  agentId?: string;
}

function results(hook: Record<string, unknown>, whose: Whose, answer: unknown, isError: boolean): AgentEvent[] {
  const text = answerText(answer);
  const durationMs = countOf(hook["duration_ms"]) ?? countOf(recordOf(answer)["durationMs"]);
  const input = inputOf(hook["tool_input"]);
  const commits = isError ? [] : seenCommits(input, text);
  return [
    {
      ...whose,
      kind: "result",
      callId: callIdOf(hook),
      tool: toolOf(hook),
      // A hook is a process of its own, and this one has not seen the call.
      ...(Object.keys(input).length > 0 && { input }),
      text,
      ...(isError && { isError }),
      ...(durationMs !== undefined && { durationMs }),
      ...whereOf(hook),
    },
    ...commits.map((commit): AgentEvent => ({ ...whose, kind: "commit", ...commit })),
  ];
}

/** What the agent said last; hooks tell no more of its thinking. */
function reasoning(hook: Record<string, unknown>, whose: Whose): AgentEvent[] {
  const text = textOf(hook["last_assistant_message"]);
  return text === undefined ? [] : [{ ...whose, kind: "reasoning", text }];
}

/** Where the agent stands: a `cd` of an earlier command lasts. */
function whereOf(hook: Record<string, unknown>): { directory?: string } {
  const directory = textOf(hook["cwd"]);
  return directory === undefined ? {} : { directory };
}

/** Where Claude Code keeps what is said; of a sub-agent it is the file of its session. */
function transcriptOf(hook: Record<string, unknown>): { transcript?: string } {
  const transcript = textOf(hook["transcript_path"]);
  return transcript === undefined ? {} : { transcript };
}

function toolOf(hook: Record<string, unknown>): string {
  return textOf(hook["tool_name"]) ?? "unknown";
}

/** Older versions give no id: then the tool and its input make one, which is the same before and after. */
function callIdOf(hook: Record<string, unknown>): string {
  const given = textOf(hook["tool_use_id"]);
  if (given !== undefined) return given;
  return `hash-${createHash("sha1")
    .update(`${toolOf(hook)}\0${stable(hook["tool_input"])}`)
    .digest("hex")
    .slice(0, 20)}`;
}

function stable(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "";
  } catch {
    return "";
  }
}
