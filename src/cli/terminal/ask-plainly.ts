import { createInterface } from "node:readline/promises";
import type { Asking, Choice } from "./ask.js";
import type { Page } from "./page.js";
import { oneLine } from "./one-line.js";
import { fold } from "./text-width.js";

/** One line a question, for terminals that show no menus. */
export function askPlainly(page: Page, read: typeof readAnswer = readAnswer): Asking {
  const quote = (answer: string) => `'${fold(oneLine(answer, page), longestQuoted, 1).join("")}'`;
  return {
    page,
    yesNo: async (question, { shows, byDefault = false } = {}) => {
      const line = `${question} [${byDefault ? "Y/n" : "y/N"}] `;
      let asked = `${shown(shows)}${line}`;
      for (;;) {
        const answer = await read(asked);
        if (answer === undefined) return undefined;
        if (answer === "") return byDefault;
        if (isYes(answer) || isNo(answer)) return isYes(answer);
        asked = `${quote(answer)} is neither yes nor no. ${line}`;
      }
    },
    which: async (question, choices, { shows } = {}) => {
      const list = choices.map(({ title, hint }, at) => `  ${at + 1} ${title}${hint ? ` (${hint})` : ""}\n`).join("");
      let asked = `${shown(shows)}${question}\n${list}Numbers, all, or none [none] `;
      for (;;) {
        const answer = await read(asked);
        if (answer === undefined) return undefined;
        const chosen = choose(answer, choices);
        if (chosen) return chosen;
        asked = `${quote(answer)} names none of them. Numbers from 1 to ${choices.length}, all, or none [none] `;
      }
    },
  };
}

const longestQuoted = 40;

function isYes(answer: string): boolean {
  return /^y(es)?$/i.test(answer);
}

function isNo(answer: string): boolean {
  return /^no?$/i.test(answer);
}

function shown(text: string | undefined): string {
  return text === undefined ? "" : `${text}\n\n`;
}

/** By numbers, or all or none of them, which yes and no say as well. Undefined where it is no answer. */
export function choose(answer: string, choices: readonly Choice[]): string[] | undefined {
  const words = answer
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  const [word = "none", ...more] = words;
  if (more.length === 0 && (word === "all" || isYes(word))) return choices.map(({ id }) => id);
  if (more.length === 0 && (word === "none" || isNo(word))) return [];
  const chosen = words.map((each) => (/^\d+$/.test(each) ? choices[Number(each) - 1]?.id : undefined));
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
