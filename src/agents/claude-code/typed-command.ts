import { recordOf, textOf } from "../../hook/hook.js";
import type { TypedCommand } from "../agents.js";

/**
 * The command of Tacit's plug-in that a person typed to Claude Code, where its hook answers that by itself; undefined for
 * every other document. The hook gets the line as it was typed, before it becomes the command's text.
 *
 * @example
 * typedCommand({ hook_event_name: "UserPromptSubmit", prompt: "/tacit:remember Use pnpm." })
 * // { name: "remember", text: "Use pnpm.", line: "/tacit:remember Use pnpm." }
 */
export function typedCommand(document: unknown): TypedCommand | undefined {
  const hook = recordOf(document);
  // A sub-agent's prompt was written by an agent.
  if (hook["hook_event_name"] !== "UserPromptSubmit" || hook["agent_id"] !== undefined) return undefined;
  const [line = "", name, text = ""] = form.exec(textOf(hook["prompt"]) ?? "") ?? [];
  if (name === "memory-review") return { name, line };
  return name === "remember" && text.trim() !== "" ? { name, text: text.trim(), line } : undefined;
}

// Without `tacit:` it may be anybody's command.
const form = /^\s*\/tacit:(remember|memory-review)(?:\s+(\S[\s\S]*))?\s*$/;
