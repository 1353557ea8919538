import type { Shell } from "./shell.js";

/** Asks a person at a terminal. Every answer is undefined where the person cancels. */
export interface Asking {
  yesNo(question: string): Promise<boolean | undefined>;
  /** The chosen ids, none included. */
  which(question: string, choices: readonly Choice[]): Promise<string[] | undefined>;
}

interface Choice {
  id: string;
  title: string;
  hint?: string;
}

/** Whether somebody is there who could answer, and wants to read questions. */
export function canAsk({ flags: { json, quiet } }: Pick<Shell, "flags">): boolean {
  return process.stdin.isTTY && process.stderr.isTTY && !json && !quiet;
}

/** With prompts on standard error: what the command answers stays alone on standard output. */
export async function openAsking(): Promise<Asking> {
  const { confirm, isCancel, multiselect } = await import("@clack/prompts");
  const output = process.stderr;
  return {
    yesNo: async (question) => {
      const answer = await confirm({ message: question, output });
      return isCancel(answer) ? undefined : answer;
    },
    which: async (question, choices) => {
      const answer = await multiselect({
        message: question,
        options: choices.map(({ id, title, hint }) => ({ value: id, label: title, ...(hint && { hint }) })),
        initialValues: choices.map(({ id }) => id),
        required: false,
        output,
      });
      return isCancel(answer) ? undefined : answer;
    },
  };
}
