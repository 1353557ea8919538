import { callOf, inputOf, recordOf, textOf, type Moment } from "../../hooks.js";

// Claude Code cuts what a hook says at 10,000 characters; contents of files would fill that at once.
const prefetch = "names";

/**
 * The moment that a hook of Claude Code runs at, where its agent can be told something then; else undefined. What a tool did
 * is told by its input, a `cat` or `rg` in a shell too: newer versions have no tool of their own for searching.
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
      return { ...session, point: "session-start", ...(continues && { continues }) };
    }
    case "UserPromptSubmit": {
      const prompt = textOf(hook["prompt"]);
      return prompt === undefined ? undefined : { ...session, point: "prompt", prompt, prefetch };
    }
    case "PostToolUse": {
      const directory = textOf(hook["cwd"]);
      const asked = { tool: textOf(hook["tool_name"]) ?? "unknown", input: inputOf(hook["tool_input"]) };
      const { does, files = [], search } = callOf(asked, { root, ...(directory !== undefined && { directory }) });
      if (does === "read" && files.length > 0) return { ...session, point: "file-read", files };
      return {
        ...session,
        point: "step",
        ...(does === "edit" && files.length > 0 && { touched: files }),
        ...(search && { searches: [search.pattern] }),
      };
    }
    default:
      return undefined;
  }
}

const goesOn = new Map<unknown, "compacted" | "resumed">([
  ["compact", "compacted"],
  ["resume", "resumed"],
]);
