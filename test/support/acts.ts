import type { Command, ErrorSeen } from "../../src/observer/observer.js";
import type { Action, Scratchpad } from "../../src/observer/scratchpad/session-view.js";
import type { Draft, History, PastSighting, Sighting, Signal } from "../../src/observer/signals/signal.js";
import { aroundOf, padOf, type Told } from "./pad-of.js";

/** What an agent did, for `padOf`. */
export function read(file: string, more: Partial<Action> = {}): Partial<Action> {
  return { tool: "Read", does: "read", files: [file], bytes: 900, ...more };
}

export function edited(file: string, before = "a", after = "b", more: Partial<Action> = {}): Partial<Action> {
  const edit = { pairs: [[before, after] as [string, string]], lines: 1 };
  return { tool: "Edit", does: "edit", files: [file], edit, bytes: 60, ...more };
}

export function searched(
  pattern: string,
  found: number,
  more: { where?: string; line?: string } = {},
): Partial<Action> {
  const search = { pattern, by: "text" as const, ...(more.where !== undefined && { where: more.where }) };
  const command = more.line === undefined ? {} : { command: commandOf(more.line, "look") };
  return {
    tool: more.line === undefined ? "Grep" : "Bash",
    does: "search",
    search,
    found,
    bytes: 40 * found,
    ...command,
  };
}

export function ran(line: string, more: Partial<Action> & { purpose?: Command["purpose"] } = {}): Partial<Action> {
  const { purpose = /test/.test(line) ? "test" : "other", ...rest } = more;
  return { tool: "Bash", does: "run", command: commandOf(line, purpose), bytes: 200, ...rest };
}

/** A command that fails with an error of a known shape, or with nothing but its exit code. */
export function failed(line: string, message = "", more: Parameters<typeof ran>[1] = {}): Partial<Action> {
  const kind = message === "" ? "exit 1" : message.slice(0, message.indexOf(":"));
  const fingerprint = message.replace(/\d+|'[^']*'/g, "#") || `${line} fails`;
  const error: ErrorSeen = { fingerprint, message, kind };
  return ran(line, { failed: true, error, ...more });
}

function commandOf(line: string, purpose: Command["purpose"]): Command {
  return { line, name: line.split(/\s+(?:-|\||\d?>)/)[0] ?? line, purpose };
}

/** What a signal sees in one agent's session. */
export function seenIn(signal: Signal, told: Told | Partial<Action>[], others: Scratchpad[] = []): Sighting[] {
  const pad = padOf(Array.isArray(told) ? { actions: told } : told);
  return signal.detect(pad, aroundOf(pad, others));
}

/** The memory that a signal makes of sessions, of the first subject that all of them show. */
export function learned(
  signal: Signal,
  sessions: (Told | Partial<Action>[])[],
  history: Partial<History> = {},
): Draft | undefined {
  const seen = sessions.map((told) => seenIn(signal, told));
  const subject = seen[0]?.find((one) =>
    seen.every((all) => all.some((other) => other.subject === one.subject)),
  )?.subject;
  if (subject === undefined) return undefined;
  const past = seen.map((all, index): PastSighting => {
    const { data, evidence } = all.find((one) => one.subject === subject) as Sighting;
    return { sessionId: `session-${index}`, at: `2026-11-0${index + 1}T09:00:00.000Z`, data, evidence };
  });
  const known: History = {
    sessions: past.length,
    sessionsOfFile: () => past.length,
    sessionsOfModule: () => past.length,
  };
  return signal.compose(subject, past, { ...known, ...history });
}
