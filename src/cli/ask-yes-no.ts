import type { Shell } from "./shell.js";

/** Asks a person at a terminal. Undefined where nobody is there who could answer. */
export async function askYesNo(question: string, shell: Shell): Promise<boolean | undefined> {
  const { json, quiet } = shell.flags;
  if (!process.stdin.isTTY || !process.stderr.isTTY || json || quiet) return undefined;
  const { createInterface } = await import("node:readline/promises");
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}
