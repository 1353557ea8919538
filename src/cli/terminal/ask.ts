import { openPage, type Page } from "./page.js";
import type { Shell } from "./shell.js";

/** Asks a person at a terminal. Every answer is undefined where the person cancels. */
export interface Asking {
  /** What is shown to the person is laid out for this. */
  page: Page;
  /** Where the person only presses Enter, the answer is no, unless something else is said. */
  yesNo(question: string, options?: { shows?: string; byDefault?: boolean }): Promise<boolean | undefined>;
  /** The chosen ids. Where the person only presses Enter, none. */
  which(question: string, choices: readonly Choice[], options?: { shows?: string }): Promise<string[] | undefined>;
}

export interface Choice {
  id: string;
  title: string;
  hint?: string;
}

/** Whether somebody is there who could answer, and wants to read questions. */
export function canAsk({ flags: { json, quiet } }: Pick<Shell, "flags">): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !quiet;
}

/**
 * The one way in which Tacit asks, on standard error: what the command answers stays alone on standard output. With menus
 * where the terminal can show them, else with plain questions. Whatever was not said yes to is a no.
 */
export async function openAsking(): Promise<Asking> {
  const { neutralise } = await import("../../index.js");
  const page = openPage({ stream: process.stderr, env: process.env, clean: neutralise, now: new Date() });
  if (canShowMenus(process.stderr.columns, process.env["TERM"])) return openMenus(page);
  return (await import("./ask-plainly.js")).askPlainly(page);
}

// Narrower, a menu is broken into lines of a few letters; some terminals say 0.
const leastColumns = 20;

function canShowMenus(columns: number | undefined, term: string | undefined): boolean {
  return (columns ?? 0) >= leastColumns && term !== "dumb";
}

async function openMenus(page: Page): Promise<Asking> {
  const { confirm, isCancel, multiselect } = await import("@clack/prompts");
  const output = process.stderr;
  return {
    page,
    yesNo: async (question, { shows, byDefault = false } = {}) => {
      if (shows !== undefined) output.write(`${shows}\n\n`);
      const answer = await confirm({ message: question, initialValue: byDefault, output });
      return isCancel(answer) ? undefined : answer;
    },
    which: async (question, choices, { shows } = {}) => {
      if (shows !== undefined) output.write(`${shows}\n\n`);
      const answer = await multiselect({
        message: `${question} (a chooses all)`,
        options: choices.map(({ id, title, hint }) => ({ value: id, label: title, ...(hint && { hint }) })),
        required: false,
        output,
      });
      return isCancel(answer) ? undefined : answer;
    },
  };
}
