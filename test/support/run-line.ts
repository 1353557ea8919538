import { Command } from "commander";
import type { Answer } from "../../src/cli/terminal/answer.js";
import { openPage } from "../../src/cli/terminal/page.js";
import type { Shell } from "../../src/cli/terminal/shell.js";
import { neutralise, type TacitMemory } from "../../src/index.js";

/** What came of a command line: its answer, and what a person at a terminal was told on the way. */
export interface RunLine {
  answer: Answer;
  told: string[];
}

/** Runs a line of one command against a memory, in this process. What comes afterwards is left to the test. */
export async function runLine(
  memory: TacitMemory,
  add: (program: Command, shell: Shell) => void,
  line: string[],
  flags: Partial<Shell["flags"]> = {},
): Promise<RunLine> {
  const answers: Answer[] = [];
  const told: string[] = [];
  const shell: Shell = {
    flags: { json: false, quiet: false, ...flags },
    withMemory: async (work) => work(memory),
    close: async () => {},
    print: async (answer) => void answers.push(answer),
    notice: (text) => void told.push(text),
    progress: (text) => void told.push(text),
  };
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  add(program, shell);
  await program.parseAsync(line, { from: "user" });
  return { answer: answers[0] as Answer, told };
}

/** What a person reads, without colours. */
export function textOf(answer: Answer, { now = new Date(), columns = 0 } = {}): string {
  const stream = columns === 0 ? {} : { isTTY: true, columns };
  return answer.text(openPage({ stream, env: { NO_COLOR: "1" }, clean: neutralise, now }));
}
