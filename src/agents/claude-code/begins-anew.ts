import { recordOf } from "../../hook/hook.js";

/**
 * Whether a hook tells that a person begins anew with `/clear` or `/new`, which Claude Code holds for the same: the session
 * ends, and it waits for the hooks before the next one starts. Measured with Claude Code 2.1.325.
 */
export function beginsAnew(document: unknown): boolean {
  const hook = recordOf(document);
  return hook["hook_event_name"] === "SessionEnd" && hook["reason"] === "clear";
}
