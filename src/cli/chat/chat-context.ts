import type { TacitMemory } from "../../index.js";
import type { Answer } from "../terminal/answer.js";
import { cleaned, refuseBlankSession } from "./chat-session.js";
import { oneLine } from "../terminal/one-line.js";
import { indented } from "./render-turns.js";
import type { Shell } from "../terminal/shell.js";
import { textArgument } from "../terminal/text-argument.js";

/**
 * Sets a value of the day, or shows it, marked where nobody vouches for it; `--quiet` prints it alone. Without a value the
 * exit code is 1.
 */
export async function context(
  shell: Shell,
  key: string,
  typed: string | undefined,
  { session }: { session?: string },
): Promise<Answer> {
  if (session !== undefined) await refuseBlankSession(session);
  const options = session === undefined ? {} : { sessionId: session };
  if (typed !== undefined) {
    const value = await textArgument(typed, shell);
    const kept = await shell.withMemory((memory) => memory.conversations.setContext(key, value, options));
    return {
      document: { key, value: kept.content, id: kept.id, expiresAt: kept.expiresAt },
      ids: [kept.id],
      text: (page) => `Set ${oneLine(key, page)} until the end of the day.`,
    };
  }
  const { value, isUnverified } = await shell.withMemory(async (memory) => {
    const set = await memory.conversations.getContext(key, options);
    return { value: set, isUnverified: set !== undefined && (await isDoubtful(memory, key, set, session)) };
  });
  return {
    document: { key, value: value ?? null, ...(value !== undefined && { isUnverified }) },
    ids: value === undefined ? [] : await cleaned([value]),
    ok: value !== undefined,
    text: (page) =>
      value === undefined
        ? `Nothing is set for ${oneLine(key, page)} today.`
        : [...(isUnverified ? [page.paint("yellow", unverified)] : []), ...indented(value, page)].join("\n"),
  };
}

const unverified = "(unverified: an agent said so that nobody watched, or it was imported)";

/** Whether nobody vouches for what is set under a key. What somebody does is never a value beside it that says the same. */
async function isDoubtful(
  memory: TacitMemory,
  key: string,
  value: string,
  session: string | undefined,
): Promise<boolean> {
  const contexts = await memory.list({ type: "context", metadata: { context_key: key } });
  return contexts
    .filter(({ content, sessionId }) => content === value && sessionId === session)
    .some(({ trustFlags, userVerified }) => trustFlags.includes("unverified") && !userVerified);
}
