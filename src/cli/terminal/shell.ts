import type { TacitMemory } from "../../index.js";
import type { Answer } from "./answer.js";
import type { GlobalFlags } from "./global-flags.js";
import { openPage } from "./page.js";
import { noteTrustedAnswer } from "../../base/files/files.js";
import { disarmJson, printsUntrusted, quoteForAgent, showsUntrusted } from "./quote-for-agent.js";
import { setOnly } from "./set-only.js";

/** What every command gets: the global flags, the memory that they name, and the way to answer. */
export interface Shell {
  readonly flags: GlobalFlags;
  /** Opens the memory for the work. */
  withMemory<T>(work: (memory: TacitMemory) => Promise<T>): Promise<T>;
  /** Closes what was opened; after the answer, because uses are counted then and nobody should wait for that. */
  close(): Promise<void>;
  /** Prints an answer in the form that the flags ask for, and when it is out, does what comes afterwards. */
  print(answer: Answer): Promise<void>;
  /** Tells a person at a terminal what is going on; programs hear nothing. */
  notice(text: string): void;
  /** The same for work that takes long: one line that changes. An empty text takes it away. */
  progress(text: string): void;
}

export function openShell(flags: GlobalFlags): Shell {
  const opened: TacitMemory[] = [];
  const isWatched = () => process.stderr.isTTY && !flags.json && !flags.quiet;
  return {
    flags,
    async withMemory(work) {
      const { openMemory } = await import("../../index.js");
      const memory = await openMemory({
        actor: { kind: "person" },
        ...setOnly({ db: flags.db, project: flags.project }),
      });
      opened.push(memory);
      return work(memory);
    },
    async close() {
      for (const memory of opened.splice(0)) await memory.close();
    },
    async print(answer) {
      if (answer.ok === false) process.exitCode = 1;
      const isForAgent = opened.some(({ actor }) => actor.kind === "agent");
      const printed = isForAgent ? await renderForAgent(answer, flags) : await render(answer, flags);
      // Before it is out: the agent's hooks ask as soon as the command has ended.
      if (isForAgent && !showsUntrusted(answer) && !printsUntrusted(printed)) noteTrustedAnswer(printed);
      await write(printed);
      await answer.afterwards?.();
    },
    notice(text) {
      if (isWatched()) process.stderr.write(`${text}\n`);
    },
    progress(text) {
      if (isWatched()) process.stderr.write(`\r\u001b[K${text}`);
    },
  };
}

async function render(answer: Answer, { json, quiet }: GlobalFlags): Promise<string> {
  if (json) return `${toJson(answer.document)}\n`;
  return quiet ? (answer.ids ?? []).map((id) => `${id}\n`).join("") : `${await renderText(answer)}\n`;
}

async function renderForAgent(answer: Answer, flags: GlobalFlags): Promise<string> {
  if (flags.json) return disarmJson(await render(answer, flags));
  return flags.quiet ? render(answer, flags) : `${await quoteForAgent(await renderText(answer), answer)}\n`;
}

/** Resolves when the text is out. What goes wrong with the stream is told where the stream is watched (run-command-line.ts). */
async function write(text: string): Promise<void> {
  await new Promise<void>((written) => {
    process.stdout.write(text, () => written());
  });
}

/** JSON leaves some control characters as they are, and a terminal obeys those too. */
function toJson(document: unknown): string {
  const json = JSON.stringify(document, null, process.stdout.isTTY ? 2 : undefined);
  return json.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const unsafe = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

async function renderText(answer: Answer): Promise<string> {
  const { neutralise } = await import("../../index.js");
  return answer.text(openPage({ stream: process.stdout, env: process.env, clean: neutralise, now: new Date() }));
}
