import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Note } from "../observer.js";
import { nameOfProcess } from "../processes/process-identity.js";
import { beganAt, type AgentAbove } from "../processes/processes.js";
import { fileOf, mainFile } from "./append-notes.js";
import { partsAmong } from "./part-names.js";
import { listSpoolFiles, parseLine, readPart } from "./read-spool.js";
import { spoolFolder, spoolsFolder } from "./spool-place.js";

// Of 4 MB of notes a hook looks at the last turn, once: a fiftieth of the time that reading all of it at each question took (2026-11).
// From the end of a file of notes: what is looked at first, which has the turn that goes on, and what is looked at in all.
const firstBytes = 16 * 1024;
const maxBytes = 4 * 1024 * 1024;
const transcriptBytes = 1024 * 1024;
// A session's first note says where the agent's transcript is.
const headBytes = 16 * 1024;
// The system counts the beginning of a process in hundredths of a second, and so the time since it began to count.
const slackMs = 50;
// Hooks of one moment are noted in any order.
const lateMs = 2000;
// A hook asks several times about the same processes; one that stays asks about others each time.
const maxJudged = 16;
const judged = new Map<string, boolean>();

type Above = Pick<AgentAbove, "between" | "sessions"> & Partial<Pick<AgentAbove, "isOrphan">>;

/**
 * True where what this process comes from began while a call of the agent was open that may run commands: then a command of the agent
 * is behind it. Hooks begin outside of such calls, or beside one that another of its agents has open. What a call has started stays
 * its own, also when it is over. Every process in between counts: a server that runs commands has begun long before the call. Also
 * true where nobody can tell, since the notes are gone that would say so.
 */
export function beganInCall({ between, sessions, isOrphan = false }: Above, now = Date.now()): boolean {
  // A hook's parent is its agent, which lives.
  if (isOrphan) return true;
  const began = between.map((one) => beganAt(one, now)).filter((at) => at !== undefined);
  if (began.length < between.length || began.length === 0) return true;
  const key = JSON.stringify([
    between.map(nameOfProcess),
    sessions.map((one) => [one.file, spoolFolder(one, one.sessionId)]),
  ]);
  const known = judged.get(key) ?? sessions.some((session) => isOfSession(session, began));
  if (judged.size >= maxJudged) judged.clear();
  judged.set(key, known);
  return known;
}

function isOfSession(session: AboveSession, began: readonly number[]): boolean {
  const { takenInAt, overAt, since = session.at } = session;
  // Whether it began in a call stood in notes that are gone.
  if (takenInAt !== undefined && began.some((at) => at <= takenInAt + slackMs)) return true;
  const folders = partsAmong(namesIn(spoolsFolder(session.home)), session, session.sessionId);
  if (folders.length === 0) {
    // What a session that is over had called is known no more, and who began in it has no business with its hooks.
    if (overAt !== undefined) return true;
    // Of one that nobody took in there are notes, but for the moment before the first.
    return takenInAt === undefined && began.some((at) => at > since);
  }
  const earliest = Math.min(...began);
  return folders.some((folder) => {
    const files = listSpoolFiles(namesIn(folder));
    const over = files.length > 1 ? filesOver(folder, earliest) : new Set();
    return files.some((file) => {
      if (over.has(file)) return false;
      const { notes, isCut } = notesSince(join(folder, file), earliest);
      return isCut || isWithin(began, notes, join(folder, file));
    });
  });
}

type AboveSession = AgentAbove["sessions"][number];

function isWithin(began: readonly number[], notes: readonly Note[], path: string): boolean {
  const open = new Map<string, number>();
  const unanswered: string[] = [];
  const covers = (from: number, until: number) => began.some((at) => at >= from - slackMs && at <= until);
  for (const note of notes) {
    if (note.kind === "call" && mayRunCommands(note) && !open.has(note.call)) open.set(note.call, note.at);
    else if (note.kind === "result") {
      if (covers(open.get(note.call) ?? Infinity, note.at)) return true;
      open.delete(note.call);
    } else if (endsTurn(note)) {
      // Its turn is over, and what it had asked for was broken off or never begun.
      unanswered.push(...[...open].filter(([, at]) => covers(at, note.at)).map(([call]) => call));
      open.clear();
    }
  }
  unanswered.push(...[...open].filter(([, at]) => covers(at, Infinity)).map(([call]) => call));
  if (unanswered.length === 0) return false;
  // A person who refuses a call, or breaks it off, is not told to hooks by every version; the agent's own transcript has it.
  const start = notesIn(partOf(path, 0, headBytes)).find(
    (note) => note.kind === "start" && note.transcript !== undefined,
  );
  const transcript = start?.kind === "start" ? start.transcript : undefined;
  const answered =
    transcript === undefined ? "" : partOf(transcript, -transcriptBytes, transcriptBytes).toString("utf8");
  return unanswered.some((call) => !answered.includes(`"tool_use_id":${JSON.stringify(call)}`));
}

function endsTurn({ kind }: Note): boolean {
  return kind === "step" || kind === "prompt" || kind === "end";
}

function mayRunCommands({ does, command }: Extract<Note, { kind: "call" }>): boolean {
  return command !== undefined || does === "run" || does === "other";
}

/**
 * The notes of a file that say what was open at a time or later: from the last turn on that was over by then. Read from the end, where
 * that turn mostly is. `isCut` where more was noted since then than anybody looks at.
 */
function notesSince(path: string, time: number): { notes: Note[]; isCut: boolean } {
  for (let bytes = firstBytes; ; bytes *= 4) {
    const part = partOf(path, -bytes, bytes);
    const isWhole = part.length < bytes;
    const notes = notesIn(isWhole ? part : part.subarray(part.indexOf(0x0a) + 1));
    const turn = notes.findLastIndex((note) => endsTurn(note) && note.at < time - slackMs);
    if (isWhole || turn >= 0) return { notes: notes.slice(Math.max(0, turn)), isCut: false };
    if (bytes >= maxBytes) return { notes, isCut: true };
  }
}

/** The files of sub-agents that had ended before a time: their turns have no end of their own, and a session may have hundreds. */
function filesOver(folder: string, time: number): Set<string> {
  const states = new Map<string, { state: string; at: number }>();
  for (const note of notesIn(partOf(join(folder, mainFile), -maxBytes, maxBytes), /"kind":"subagent"/)) {
    if (note.kind === "subagent") states.set(fileOf(note.child), note);
  }
  const over = [...states].filter(([file, { state, at }]) => {
    if (state !== "ended" || at >= time - slackMs) return false;
    const written = statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    return written < at + lateMs;
  });
  return new Set(over.map(([file]) => file));
}

function notesIn(part: Buffer, kinds = /"kind":"(?:start|call|result|step|prompt|end)"/): Note[] {
  const lines = part.toString("utf8").split("\n");
  const told = lines.filter((line) => kinds.test(line));
  return told.map(parseLine).filter((note): note is Note => typeof Object(note).at === "number");
}

function partOf(path: string, from: number, bytes: number): Buffer {
  try {
    return readPart(path, from, bytes);
  } catch {
    return Buffer.alloc(0);
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
