import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { openSpoolPlace, spoolFolder } from "../../src/observer/spool/spool-place.js";
import { built } from "./child-process.js";

const main = fileURLToPath(built("cli/main.js"));

/**
 * What a hook of Claude Code, a process of its own, prints for a document; it must end well and print nothing else. Where it
 * is started as for a person, what the transcript says is taken in.
 */
export async function runHook(
  place: { root: string; db: string },
  document: unknown,
  options: { isOfPerson?: boolean } = {},
): Promise<string> {
  return runHookText(place, JSON.stringify(document), options);
}

/** The same for whatever stands on its input. */
export async function runHookText(
  { root, db }: { root: string; db: string },
  input: string,
  { isOfPerson = false } = {},
): Promise<string> {
  const { CLAUDE_PROJECT_DIR: _unset, ...inherited } = process.env;
  const env = { ...inherited, ...(isOfPerson && { CLAUDE_PROJECT_DIR: root }) };
  const child = spawn(process.execPath, [main, "hook", "claude-code", "--db", db], { cwd: root, env });
  const ended = new Promise((done) => child.once("close", done));
  child.stdin.on("error", () => {}).end(input);
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect({ code: await ended, complained }).toEqual({ code: 0, complained: "" });
  return printed;
}

/** What the agent is told by what a hook printed. */
export function toldBy(printed: string): string {
  return answerOf(printed).hookSpecificOutput?.additionalContext ?? "";
}

/** What the person is shown by it. */
export function shownBy(printed: string): string {
  return answerOf(printed).systemMessage ?? "";
}

function answerOf(printed: string): { hookSpecificOutput?: { additionalContext: string }; systemMessage?: string } {
  return printed === "" ? {} : JSON.parse(printed);
}

/** Waits until a session that is over was learned from, which a process does that no hook waits for. */
export async function learned({ root, db }: { root: string; db: string }, sessionId: string): Promise<void> {
  const place = openSpoolPlace({ home: process.env["TACIT_HOME"] as string, db, root });
  if (!place) throw new Error(`Nothing is noted for ${db}.`);
  const folder = spoolFolder(place, sessionId);
  const left = () => readdirSync(dirname(folder)).filter((name) => name.startsWith(basename(folder)));
  await expect.poll(left, { timeout: 20_000, interval: 50 }).toEqual([]);
}
