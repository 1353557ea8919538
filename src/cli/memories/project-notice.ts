import type { TacitMemory } from "../../index.js";
import type { Page } from "../terminal/page.js";
import { oneLine } from "../terminal/one-line.js";
import type { Shell } from "../terminal/shell.js";

/** What the user should know or decide about the project. Asked after the answer, which must not wait for it. */
export async function findProjectNotice(memory: TacitMemory, { flags }: Shell): Promise<string | undefined> {
  // Ids alone leave no room for it, and a project that was named is not in doubt.
  if (flags.quiet || flags.project !== undefined) return undefined;
  const notices = await memory.store.notices();
  return notices.length === 0 ? undefined : notices.join("\n");
}

/** The answer with the notice below, if there is one. */
export function withNotice(answer: string, notice: string | undefined, page: Page): string {
  if (notice === undefined) return answer;
  const lines = notice.split("\n").map((line) => page.paint("yellow", oneLine(line, page)));
  return [answer, "", ...lines].join("\n");
}
