import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtFile } from "../../base/built-file.js";
import type { Page } from "../terminal/page.js";
import { quoteArgument } from "../terminal/quote-argument.js";
import { fold, widthOf } from "../terminal/text-width.js";

const command = fileURLToPath(builtFile("cli/main.js"));

export interface StepReport {
  title: string;
  commands: { command: string; exitCode: number; output: string }[];
  checks: { promise: string; holds: boolean }[];
}

/** Where the steps of the tour are played: it runs the real command line and shows what comes of it. */
export interface Stage {
  begin(number: string, title: string): void;
  /** A sentence to the reader. */
  say(text: string): void;
  /** Runs a command in front of the reader and gives what it printed. */
  tacit(...args: string[]): Promise<string>;
  /** Runs a command behind the scenes and gives its JSON document. */
  // oxlint-disable-next-line typescript/no-explicit-any -- documents of many shapes, each read by its step
  document(...args: string[]): Promise<any>;
  /** Runs a command as an agent's hook does, with a document on standard input, and gives what it printed. */
  hook(told: Record<string, unknown>, ...args: string[]): Promise<string>;
  /** Shows a text as it is, the way output is shown. */
  show(text: string): void;
  /** Tells whether a promise held. */
  check(promise: string, holds: boolean): void;
  /** How often a text stands in the raw files of the store. Only between commands: no process has them open then. */
  countInFiles(text: string): number;
  /** The path of a file in the temporary home. */
  file(name: string): string;
  /** The commands that follow run in this folder; without one, where the tour was started. */
  enter(folder?: string): void;
  /** Ends every command that still runs. */
  stop(): void;
  readonly report: StepReport[];
}

export function openStage(home: string, page: Page, print: (line: string) => void): Stage {
  const report: StepReport[] = [];
  const lineWidth = Math.min(page.width, 100);
  const running = new Set<ChildProcess>();
  let stopped = false;
  let cwd = process.cwd();
  const env = {
    ...process.env,
    TACIT_HOME: home,
    // It shows Tacit as it comes, whatever is switched off elsewhere.
    TACIT_EMBEDDING: undefined,
    // An agent that runs the tour says so with this, and its hooks would be taken for those of its own project.
    CLAUDE_PROJECT_DIR: undefined,
    // Connecting an agent is shown with one whose files are the tour's own.
    CODEX_HOME: join(home, "codex"),
    FORCE_COLOR: page.paint("bold", "x") === "x" ? "0" : "1",
    COLUMNS: String(lineWidth - 2),
  };
  const run = (args: string[], input?: string): Promise<{ exitCode: number; output: string }> =>
    new Promise((resolve, reject) => {
      if (stopped) throw new Error("the tour was stopped");
      const reads = input === undefined ? "ignore" : "pipe";
      const child = spawn(process.execPath, [command, ...args], { cwd, env, stdio: [reads, "pipe", "pipe"] });
      child.stdin?.on("error", () => {}).end(input);
      const chunks: Buffer[] = [];
      running.add(child);
      child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
      child.on("error", reject);
      child.on("close", (code) => {
        running.delete(child);
        resolve({ exitCode: code ?? 1, output: Buffer.concat(chunks).toString("utf8").trimEnd() });
      });
    });

  const show = (text: string) => print(text.replaceAll(/^(?=.)/gm, "  "));

  return {
    report,
    begin(number, title) {
      report.push({ title, commands: [], checks: [] });
      print(`\n${page.paint("bold", `${number}  ${title}`)}`);
    },
    say: (text) => print(fold(text, lineWidth).join("\n")),
    async tacit(...args) {
      const words = ["tacit", ...withTheirFlags(args.map(quoteArgument))];
      print(`\n  ${page.paint("green", "$")} ${page.paint("bold", typed(words, lineWidth))}`);
      const { exitCode, output } = await run(args);
      report.at(-1)?.commands.push({ command: words.join(" "), exitCode, output });
      if (output !== "") show(output);
      return output;
    },
    async document(...args) {
      const { exitCode, output } = await run([...args, "--json"]);
      if (exitCode !== 0) throw new Error(`tacit ${args.join(" ")}: ${output}`);
      return JSON.parse(output) as unknown;
    },
    async hook(told, ...args) {
      const { exitCode, output } = await run(args, JSON.stringify(told));
      report.at(-1)?.commands.push({ command: ["tacit", ...args].join(" "), exitCode, output });
      return output;
    },
    show,
    check(promise, holds) {
      report.at(-1)?.checks.push({ promise, holds });
      print(`\n  ${holds ? page.paint("green", "✓") : page.paint("red", "✗ not so:")} ${promise}`);
    },
    countInFiles: (text) =>
      readdirSync(home, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString("latin1").split(text).length - 1)
        .reduce((sum, count) => sum + count, 0),
    file: (name) => join(home, name),
    enter: (folder) => {
      cwd = folder ?? process.cwd();
    },
    stop() {
      stopped = true;
      for (const child of running) child.kill("SIGKILL");
    },
  };
}

/** A long command goes on in the next line, the way a shell takes it. */
function typed(words: string[], width: number): string {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && widthOf(`${last} ${word}`) < width - 8) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join(" \\\n      ");
}

/** A flag and its value in one piece, so that a line never breaks between them. */
function withTheirFlags(words: string[]): string[] {
  const pieces: string[] = [];
  for (const word of words) {
    const last = pieces.at(-1);
    if (last !== undefined && /^--[\w-]+$/.test(last) && !word.startsWith("--")) pieces.push(`${pieces.pop()} ${word}`);
    else pieces.push(word);
  }
  return pieces;
}
