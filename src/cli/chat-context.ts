import type { Answer } from "./answer.js";
import { cleaned } from "./chat-session.js";
import { oneLine } from "./render-memory.js";
import { indented } from "./render-turns.js";
import type { Shell } from "./shell.js";
import { textArgument } from "./text-argument.js";

/** Sets a value of the day, or shows it; `--quiet` prints it alone. Without a value the exit code is 1. */
export async function context(
  shell: Shell,
  key: string,
  typed: string | undefined,
  { session }: { session?: string },
): Promise<Answer> {
  const options = session === undefined ? {} : { sessionId: session };
  if (typed !== undefined) {
    const value = await textArgument(typed, shell);
    const kept = await shell.withMemory((memory) => memory.setContext(key, value, options));
    return {
      document: { key, value: kept.content, id: kept.id, expiresAt: kept.expiresAt },
      ids: [kept.id],
      text: (page) => `Set ${oneLine(key, page)} until the end of the day.`,
    };
  }
  const value = await shell.withMemory((memory) => memory.getContext(key, options));
  return {
    document: { key, value: value ?? null },
    ids: value === undefined ? [] : await cleaned([value]),
    ok: value !== undefined,
    text: (page) =>
      value === undefined ? `Nothing is set for ${oneLine(key, page)} today.` : indented(value, page).join("\n"),
  };
}
