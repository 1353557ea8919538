/** Those at which Claude Code hands on what a hook has to say. */
export type InjectionEvent = "SessionStart" | "UserPromptSubmit" | "PostToolUse";

// Claude Code cuts what a hook says at 10,000 characters, and would cut the end of the quotation.
const maxCharacters = 9000;

/**
 * What a hook of Claude Code prints so that its agent is told a text, and the person notes that the agent does not see;
 * undefined where there is neither.
 */
export function injectionAnswer(
  event: InjectionEvent,
  text: string,
  notes: readonly string[] = [],
): string | undefined {
  if (text === "" && notes.length === 0) return undefined;
  // Behind what Claude Code writes before it in the same line.
  const additionalContext = `\n${bounded(text)}`;
  return JSON.stringify({
    ...(text !== "" && { hookSpecificOutput: { hookEventName: event, additionalContext } }),
    ...(notes.length > 0 && { systemMessage: notes.join("\n") }),
  });
}

/** What it prints so that a prompt goes no further: the person reads the reason, and the agent nothing. */
export function blockingAnswer(reason: string): string {
  return JSON.stringify({ decision: "block", reason });
}

/** Leaves out lines before the last one, which closes the quotation. */
function bounded(text: string): string {
  if (text.length <= maxCharacters) return text;
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  let left = maxCharacters - last.length;
  const kept = lines.filter((line) => (left -= line.length + 1) >= 0);
  return [...kept, last].join("\n");
}
