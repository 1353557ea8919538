// The outside of Tacit: its built library, its command line, and the programs beside this file that use them.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@libsql/client/sqlite3";
import { onTestFinished } from "vitest";
import type * as Tacit from "../../src/index.js";
import { isFull } from "./scale.js";

const dist = new URL("../../dist/", import.meta.url);
const libraryUrl = new URL("index.js", dist).href;
// Single modules, which the package has in bundles only.
const modulesUrl = new URL("../../build/", import.meta.url).href;
const command = fileURLToPath(new URL("cli/main.js", dist));

/** What a program said, a line. */
export interface Said {
  [key: string]: unknown;
}

export interface RunningProgram {
  /** Every line that arrived whole; half a line was never said. */
  readonly lines: Said[];
  /** Resolves when a line arrived for which the question is true, and rejects when the program ends without. */
  heard(question: (line: Said) => boolean): Promise<Said>;
  tell(): void;
  kill(): void;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>;
}

export interface ProgramOptions {
  /** Called for each line as it arrives. */
  onLine?: (line: Said) => void;
  /** A shell script that gets the command line as "$@", to run it under a limit. */
  under?: string;
}

export interface CommandRun {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The built library, as a program that installed Tacit would import it. */
export async function library(): Promise<typeof Tacit> {
  return (await import(libraryUrl)) as typeof Tacit;
}

/** Starts one of the `.mjs` files beside this one. It is killed when the test ends. */
export function startProgram(file: string, settings: object, options: ProgramOptions = {}): RunningProgram {
  const program = fileURLToPath(new URL(file, import.meta.url));
  const line = [process.execPath, program, JSON.stringify({ library: libraryUrl, modules: modulesUrl, ...settings })];
  const [executable = "", ...args] =
    options.under === undefined ? line : ["bash", "-c", options.under, "bash", ...line];
  const child = spawn(executable, args, { cwd: tmpdir(), stdio: "pipe" });
  onTestFinished(() => void child.kill("SIGKILL"));
  // Telling a program that was killed is no error of the test.
  child.stdin.on("error", () => undefined);

  const lines: Said[] = [];
  const listeners = new Set<(line: Said) => void>();
  if (options.onLine) listeners.add(options.onLine);
  eachLine(child, (text) => {
    const said = JSON.parse(text) as Said;
    lines.push(said);
    for (const listener of listeners) listener(said);
  });
  const ended = ending(child);
  return {
    lines,
    ended,
    heard: async (question) => {
      const before = lines.find((said) => question(said));
      if (before) return before;
      let listener: (said: Said) => void = () => undefined;
      const later = new Promise<Said>((resolve) => {
        listener = (said) => {
          if (question(said)) resolve(said);
        };
        listeners.add(listener);
      });
      const never = ended.then(({ code, signal, stderr }): never => {
        throw new Error(`${file} ended (${code ?? signal}) before it said that. ${stderr}`);
      });
      return Promise.race([later, never]).finally(() => listeners.delete(listener));
    },
    tell: () => void child.stdin.write("go\n"),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Runs a program to its end and gives what it said. */
export async function runProgram(file: string, settings: object, options: ProgramOptions = {}): Promise<Said[]> {
  const program = startProgram(file, settings, options);
  const { code, signal, stderr } = await program.ended;
  if (code !== 0) throw new Error(`${file} ended with ${code ?? signal}. ${stderr}`);
  return program.lines;
}

/**
 * Calls verbs of the library in another process, the last of them `close`, and gives what each gave or threw. Outside of `npm run torture`
 * one process does this for all who ask, one after the other: starting it takes longer than most of what is asked.
 */
export async function callVerbs(
  settings: { calls: unknown[][] } & Record<string, unknown>,
  options: ProgramOptions = {},
): Promise<Said[]> {
  if (isFull || settings.calls.at(-1)?.[0] !== "close" || options.under !== undefined)
    return runProgram("verbs.mjs", settings, options);
  const answer = lastAnswer.then(async () => askResident(settings));
  lastAnswer = answer.catch(() => undefined);
  return answer;
}

let lastAnswer: Promise<unknown> = Promise.resolve();
let resident: ChildProcess | undefined;

async function askResident(settings: object): Promise<Said[]> {
  resident ??= startResident();
  const child = resident;
  const lines: Said[] = [];
  return new Promise((resolve, reject) => {
    const left = (code: number | null) => reject(new Error(`verbs.mjs ended with ${code}.`));
    child.once("exit", left);
    onLine = (said) => {
      if (said["done"] !== true) lines.push(said);
      else {
        child.off("exit", left);
        resolve(lines);
      }
    };
    child.stdin?.write(`${JSON.stringify({ ...settings, home: process.env["TACIT_HOME"] })}\n`);
  });
}

let onLine: (said: Said) => void = () => undefined;

/** Ends by itself when this process does, which does not wait for it. */
function startResident(): ChildProcess {
  const program = fileURLToPath(new URL("verbs.mjs", import.meta.url));
  const line = ["--expose-gc", program, JSON.stringify({ library: libraryUrl, modules: modulesUrl, stays: true })];
  const child = spawn(process.execPath, line, { cwd: tmpdir(), stdio: ["pipe", "pipe", "inherit"] });
  child.once("exit", () => (resident = undefined));
  eachLine(child, (text) => onLine(JSON.parse(text) as Said));
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as Socket).unref();
  return child;
}

/** Runs the command line. */
export async function tacit(args: string[], input = ""): Promise<CommandRun> {
  const child = spawn(process.execPath, [command, ...args], {
    cwd: tmpdir(),
    stdio: "pipe",
    env: { ...process.env, NO_COLOR: "1" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
  child.stdin.on("error", () => undefined).end(input);
  const { code, stderr } = await ending(child);
  return { code, stdout, stderr };
}

/** Asks a database directly, past Tacit. */
export async function askDatabase(db: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ url: pathToFileURL(db).href, timeout: 10_000 });
  try {
    return (await client.execute(sql)).rows.map((row) => ({ ...row }));
  } finally {
    client.close();
  }
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tacit-torture-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function wait(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}

function eachLine(child: ChildProcess, take: (line: string) => void): void {
  let unfinished = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    const pieces = `${unfinished}${part}`.split("\n");
    unfinished = pieces.pop() ?? "";
    for (const piece of pieces) take(piece);
  });
}

/** After `close`, not `exit`: what a killed process had said may still be in the pipe. */
async function ending(
  child: ChildProcess,
): Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }> {
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (stderr += part));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, stderr }));
  });
}

/** Another process that holds the store open, a read, the write lock or the whole file, until it is released. */
export async function hold(db: string, holds: "open" | "read" | "write" | "exclusive"): Promise<RunningProgram> {
  const holder = startProgram("holder.mjs", { db, holds });
  await holder.heard((line) => line["held"] === true);
  return holder;
}

export async function release(holder: RunningProgram): Promise<void> {
  holder.tell();
  await holder.ended;
}
