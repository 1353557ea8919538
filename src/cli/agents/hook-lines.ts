import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { resolve } from "node:path";
import { beginsAnew } from "../../agents/claude-code/begins-anew.js";
import { injectionAnswer } from "../../agents/claude-code/hook-answer.js";
import { hookMoment } from "../../agents/claude-code/hook-moment.js";
import { isByAgent } from "../../agents/claude-code/tool-call.js";
import { typedCommand } from "../../agents/claude-code/typed-command.js";
import { complain as complainOf, folderOf, readDocument } from "./agent-input.js";
import { homeFolder } from "../../base/files/files.js";
import { noteAgentSeen } from "../../install/last-seen/agents-seen.js";
import { takeGlobalFlags } from "../terminal/global-flags.js";

export interface HookLine {
  agent: string;
  db?: string;
  project?: string;
}

// An agent waits for its hooks, so that it is told something soon or not at all. Counted from the beginning of the process.
const patienceMs = 900;
// What is left for telling where starting and noting took nearly all of that.
const leastMs = 100;
// What is noted must not be lost: with twelve hooks at once on two cores a process is over a second old before it has read
// what it is told, with twenty up to five, and one that gave up then left a session that seemed to have read nothing from
// outside (2026-11). The plug-in lets Claude Code wait 10 s.
const notingMs = 8000;
// What a person waits for with a prompt; the rest is for starting, noting and printing.
const promptMs = 500;
// Who begins anew waits until what was said is kept, as far as a person does not mind; it goes on behind their back.
const beforeNewMs = 1000;
const lookEveryMs = 25;

/**
 * Runs a line that says `hook` and asks for no help, before anything of the command line is loaded: an agent waits for it
 * at every tool call. False: it is another line.
 */
export async function tryHook(args: string[]): Promise<boolean> {
  const { flags, rest, problem } = takeGlobalFlags(args);
  const [command, agent = "", ...words] = rest;
  if (command !== "hook" || [agent, ...words].some((word) => word === "--help" || word === "-h")) return false;
  const { db, project } = flags;
  // Without the store that was meant, nothing is noted or told: the usual one is not for it.
  if (problem) complain(problem.message);
  else await hookLines({ agent, ...(db !== undefined && { db }), ...(project !== undefined && { project }) });
  return true;
}

/**
 * Answers one hook of an agent: notes what it tells on standard input, and prints what the agent is to be told. Never
 * throws, leaves the exit code at 0, and prints one document or nothing. Ends the process: after 900 ms it tells nothing
 * more, and after 8 s it gives up noting too.
 */
export async function hookLines({ agent, ...place }: HookLine): Promise<void> {
  process.on("uncaughtException", complain);
  endAfter(notingMs);
  try {
    // Somebody wrote it into a configuration by hand, and would never notice.
    if (agent !== "claude-code") writeSync(2, "tacit hook: the agent is claude-code.\n");
    if (agent !== "claude-code") process.exit(0);
    const { document, hasEnded } = await readDocument(timeLeft(patienceMs - leastMs));
    const answer = await answerOf(document, place, { isInTime: hasEnded });
    if (answer !== undefined) writeSync(1, `${answer}\n`);
    // Whoever tries the line by hand is no agent.
    if (document !== undefined) noteAgentSeen(agent);
  } catch (error) {
    complain(error);
  }
  // A database that is still being closed is no reason to keep the agent waiting.
  process.exit(0);
}

function endAfter(ms: number): void {
  setTimeout(() => process.exit(0), timeLeft(ms)).unref();
}

function timeLeft(ms: number): number {
  return Math.max(leastMs, ms - performance.now());
}

/** What the hook prints, if anything. What goes wrong with noting does not keep the agent from being told. */
async function answerOf(
  document: unknown,
  place: { db?: string; project?: string },
  { isInTime }: { isInTime: boolean },
): Promise<string | undefined> {
  const { observeOnce, readEvents } = await import("../../hook/observe-once.js");
  const { isOfCall, markHookProcess } = await import("../../hook/spool-status.js");
  markHookProcess();
  const directory = process.env["CLAUDE_PROJECT_DIR"] || folderOf(document) || process.cwd();
  const options = { ...place, directory, isOneEvent: true };
  const events = await readEvents("claude-code", document, { isByAgent: () => isByAgent() || isOfCall(options) });
  const observed = await observeOnce(events, options).catch(complain);
  if (observed?.isFinishingDue) await finishElsewhere(observed.root, place);
  if (observed && beginsAnew(document)) await takenIn(sessionOf(document), options);
  const command = typedCommand(document);
  if (command) {
    const { answerTyped } = await import("./answer-typed.js");
    return answerTyped(command, sessionOf(document), { ...place, directory });
  }
  const moment = hookMoment(document, observed?.root ?? options.directory);
  if (moment === undefined || !isInTime) return undefined;
  endAfter(patienceMs);
  const { injectOnce } = await import("../../hook/inject-once.js");
  const deadline = moment.point === "prompt" ? { deadlineMs: promptMs } : {};
  const { text, notes, problem } = await injectOnce(moment, { ...options, ...deadline });
  if (problem !== undefined) complain(problem);
  return injectionAnswer(tellingEvents[moment.point], text, notes);
}

function sessionOf(document: unknown): string {
  const { session_id: id } = document as { session_id?: unknown };
  return typeof id === "string" ? id : "";
}

const tellingEvents = {
  "session-start": "SessionStart",
  prompt: "UserPromptSubmit",
  "file-read": "PostToolUse",
  step: "PostToolUse",
} as const;

async function takenIn(sessionId: string, where: { db?: string; project?: string; directory: string }): Promise<void> {
  const { isImported: isTakenIn } = await import("../../hook/spool-status.js");
  const until = performance.now() + beforeNewMs;
  while (!isTakenIn(sessionId, where) && performance.now() < until) {
    await new Promise((later) => setTimeout(later, lookEveryMs));
  }
}

/** Learning takes longer than an agent waits, so that a process of its own does it, which outlives this one. */
async function finishElsewhere(root: string, { db, project }: { db?: string; project?: string }): Promise<void> {
  const { isFinisherNeeded } = await import("../../hook/spool-status.js");
  const where = { ...(db !== undefined && { db }), ...(project !== undefined && { project }), directory: root };
  if (!isFinisherNeeded(where)) return;
  const flags = [
    ...(db === undefined ? [] : [`--db=${fromAnywhere(db)}`]),
    ...(project === undefined ? [] : [`--project=${project}`]),
  ];
  const child = spawn(process.execPath, [process.argv[1] ?? "", "observe", "--finish", ...flags], {
    cwd: root,
    env: { ...process.env, ...(process.env["TACIT_HOME"] && { TACIT_HOME: homeFolder() }) },
    detached: true,
    stdio: "ignore",
    windowsHide: true,
  });
  child.on("error", complain).unref();
}

/** A store's file by its whole path, since another process looks from another folder; an address as it is. */
function fromAnywhere(db: string): string {
  return db === ":memory:" || /^[a-z][a-z+.-]+:/i.test(db) ? db : resolve(db);
}

function complain(error: unknown): void {
  complainOf("hook", error);
}
