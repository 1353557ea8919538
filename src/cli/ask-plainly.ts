import { createInterface } from "node:readline/promises";
import type { Asking, Choice } from "./ask.js";
import type { Page } from "./page.js";

/** One line a question, for terminals that show no menus. */
export function askPlainly(page: Page): Asking {
  return {
    page,
    yesNo: async (question, { shows, byDefault = false } = {}) => {
      const answer = await readAnswer(`${shown(shows)}${question} [${byDefault ? "Y/n" : "y/N"}] `);
      if (answer === undefined || answer === "") return answer === "" ? byDefault : undefined;
      return /^y(es)?$/i.test(answer);
    },
    which: async (question, choices, { shows } = {}) => {
      const list = choices.map(({ title, hint }, at) => `  ${at + 1} ${title}${hint ? ` (${hint})` : ""}\n`).join("");
      let asked = `${shown(shows)}${question}\n${list}Numbers, all, or none [none] `;
      for (;;) {
        const answer = await readAnswer(asked);
        if (answer === undefined) return undefined;
        const chosen = choose(answer, choices);
        if (chosen) return chosen;
        asked = `Numbers from 1 to ${choices.length}, all, or none [none] `;
      }
    },
  };
}

function shown(text: string | undefined): string {
  return text === undefined ? "" : `${text}\n\n`;
}

/** Undefined where it is no answer. */
export function choose(answer: string, choices: readonly Choice[]): string[] | undefined {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (words.length === 1 && words[0] === "all") return choices.map(({ id }) => id);
  if (words.length === 0 || (words.length === 1 && words[0] === "none")) return [];
  const chosen = words.map((word) => (/^\d+$/.test(word) ? choices[Number(word) - 1]?.id : undefined));
  return chosen.every((id) => id !== undefined) ? [...new Set(chosen)] : undefined;
}

/** Undefined where the person leaves, by Ctrl-C or Ctrl-D. */
async function readAnswer(question: string): Promise<string | undefined> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  // Without a listener of its own, Ctrl-C is thrown as an error, as Ctrl-D is; both mean that there is no answer.
  terminal.once("SIGINT", () => terminal.close());
  const left = new Promise<undefined>((resolve) => {
    terminal.once("close", () => resolve(undefined));
  });
  try {
    const answer = await Promise.race([terminal.question(question).catch(() => undefined), left]);
    if (answer === undefined) process.stderr.write("\n");
    return answer?.trim();
  } finally {
    terminal.close();
  }
}
