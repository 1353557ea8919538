import { refuseWhenDisabled, type ProjectStore } from "../../memory/project-store.js";
import {
  openTranscriptReport,
  readTranscript,
  type TranscriptReport,
} from "../../observer/adapters/claude-code-transcript.js";
import { splitLines } from "../../observer/adapters/split-lines.js";
import { findTaint } from "./find-taint.js";
import { importRefused } from "./import-refused.js";
import { keepTurns, type ImportedSession } from "./keep-turns.js";
import type { SessionTurn } from "./keyed-turn.js";
import { openSource, type Source } from "./open-source.js";
import { readChatLines } from "./read-chat-lines.js";
import { turnsOf, type TurnsOptions } from "./turns-of-events.js";

export interface ImportConversationOptions {
  /** Of a transcript this session alone; of role/content lines the session of those that name none. */
  sessionId?: string;
  /** Tells what would be added, and adds nothing. */
  dryRun?: boolean;
}

export interface ImportedConversation {
  kind: "transcript" | "chat-lines";
  /** In the order in which they were met. */
  sessions: ImportedSession[];
  /** What was left out, by reason; lines are counted from 1. */
  skipped: { reason: string; count: number; firstLine: number }[];
}

/**
 * Takes in what was said elsewhere: a transcript of Claude Code, or role/content JSON Lines. Which of both it is shows in its
 * beginning. Turns that are there already are passed over, so that a file which has grown adds what is new. Of lines one that
 * is wrong refuses all of them; a transcript is read as far as it goes.
 *
 * What the agent said after it had read something from outside is tainted.
 *
 * @example
 * await importConversation({ from }, "chat.jsonl", { sessionId: "planning" });
 */
export async function importConversation(
  { from }: { from: ProjectStore },
  given: string | AsyncIterable<Uint8Array>,
  options: ImportConversationOptions = {},
): Promise<ImportedConversation> {
  await refuseWhenDisabled(from);
  const source = await openSource(given);
  return (await recognise(source)) === "transcript"
    ? takeTranscript(from, source, options)
    : takeChatLines(from, source, options);
}

/** The same of what is known to be a transcript, or is passed over; also of sessions that go on. */
export async function importTranscript(
  { from }: { from: ProjectStore },
  path: string,
  options: ImportConversationOptions & TurnsOptions,
): Promise<ImportedConversation> {
  return takeTranscript(from, await openSource(path), options);
}

// The first lines of a transcript may be cut, or say nothing.
const linesLookedAt = 50;
const longestLine = 8_000_000;

async function recognise(source: Source): Promise<ImportedConversation["kind"]> {
  let lines = 0;
  let isEmpty = true;
  for await (const { bytes } of splitLines(source.open(), longestLine, () => undefined)) {
    const text = bytes === undefined ? "" : new TextDecoder().decode(bytes).trim();
    isEmpty &&= bytes !== undefined && text === "";
    const { role, type } = fieldsOf(text);
    if (typeof role === "string") return "chat-lines";
    if (typeof type === "string") return "transcript";
    if (++lines === linesLookedAt) break;
  }
  if (isEmpty) throw importRefused(source.name, "there is nothing in it.", "Name a file with one message a line.");
  // Its first line says what is wrong.
  return "chat-lines";
}

function fieldsOf(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

async function takeTranscript(
  from: ProjectStore,
  source: Source,
  { sessionId: only, dryRun = false, isOpen = false }: ImportConversationOptions & TurnsOptions,
): Promise<ImportedConversation> {
  const report = openTranscriptReport();
  const since = await findTaint(from, readTranscript(withAgents(source), openTranscriptReport()));
  const turns = turnsOf(readTranscript(source.open(), report), { isOpen });
  const sessions = await keepTurns(from, tainted(only === undefined ? turns : ofSession(turns, only), since), {
    dryRun,
  });
  return { kind: "transcript", sessions, skipped: skippedOf(report) };
}

/** Those of the sub-agents first: they end before their session does. */
async function* withAgents(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  yield* source.beside();
  yield* source.open();
}

async function* ofSession(
  turns: AsyncIterable<SessionTurn>,
  sessionId: string,
): AsyncGenerator<SessionTurn, void, undefined> {
  for await (const one of turns) if (one.sessionId === sessionId) yield one;
}

/** What a person says is theirs, whatever their agent has read. */
async function* tainted(
  turns: AsyncIterable<SessionTurn>,
  since: ReadonlyMap<string, number>,
): AsyncGenerator<SessionTurn, void, undefined> {
  const reached = new Set<string>();
  for await (const { sessionId, turn } of turns) {
    const at = since.get(sessionId);
    const time = turn.timestamp === undefined ? Infinity : Date.parse(turn.timestamp);
    if (at !== undefined && time >= at) reached.add(sessionId);
    yield { sessionId, turn: turn.role === "user" || !reached.has(sessionId) ? turn : { ...turn, isTainted: true } };
  }
}

function skippedOf({ skipped }: TranscriptReport): ImportedConversation["skipped"] {
  return skipped.map(({ reason, count, firstLine }) => ({ reason, count, firstLine }));
}

async function takeChatLines(
  from: ProjectStore,
  source: Source,
  { sessionId, dryRun = false }: ImportConversationOptions,
): Promise<ImportedConversation> {
  const { name } = source;
  const given = { name, ...(sessionId !== undefined && { sessionId }) };
  const silent: number[] = [];
  // All of it before the first is kept: an error in the last line keeps nothing.
  const checked = readChatLines(source.open(), { ...given, onSilent: (line) => silent.push(line) });
  while ((await checked.next()).done !== true);
  const sessions = await keepTurns(from, readChatLines(source.open(), given), { dryRun });
  const [firstLine = 0] = silent;
  const reason = "nothing was said";
  return {
    kind: "chat-lines",
    sessions,
    skipped: silent.length === 0 ? [] : [{ reason, count: silent.length, firstLine }],
  };
}
