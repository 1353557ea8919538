import type { Shell } from "./shell.js";

/** Asks a person at a terminal. Undefined where nobody is there who could answer, or who wants to. */
export async function askYesNo(question: string, shell: Shell): Promise<boolean | undefined> {
  const { json, quiet } = shell.flags;
  if (!process.stdin.isTTY || !process.stderr.isTTY || json || quiet) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Without a listener of its own, Ctrl-C is thrown as an error, as Ctrl-D is; both mean that there is no answer.
  terminal.once("SIGINT", () => {
    process.exitCode = 130;
    terminal.close();
  });
  const left = new Promise<undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
  });
  try {
    const answer = await Promise.race([terminal.question(`${question} [y/N] `).catch(() => undefined), left]);
    if (answer === undefined) process.stderr.write("\n");
    return answer === undefined ? undefined : /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
