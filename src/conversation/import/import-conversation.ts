import { callerOf } from "../../base/actor.js";
import { forImport, type MemoryContext } from "../../memory/change/change.js";
import { ignoringOf } from "../../project/ignore/ignore.js";
import { refuseWhenDisabled } from "../../project/project.js";
import { openTranscriptReport, readTranscript, type TranscriptReport } from "../../observer/transcripts/transcripts.js";
import type { AgentEvent } from "../../observer/observer.js";
import { openSessions } from "./chat-sessions.js";
import { openChatTaint } from "./chat-taint.js";
import { findTaint } from "./find-taint.js";
import { findTree } from "./find-tree.js";
import { importRefused } from "./import-refused.js";
import { storeTurns, type ImportedSession } from "./store-turns.js";
import type { SessionTurn } from "./keyed-turn.js";
import { openSource, type Source } from "./open-source.js";
import { readChatBeginning, readChatLines } from "./read-chat-lines.js";
import { recogniseConversation } from "./recognise-conversation.js";
import { turnsOf, type TurnsOptions } from "./turns-of-events.js";

export interface ImportConversationOptions {
  /** Of a transcript this session alone, wherever it began; of a chat in lines the session of those that name none. */
  sessionId?: string;
  /** Tells what would be added, and adds nothing. */
  dryRun?: boolean;
}

export interface ImportedConversation {
  kind: "transcript" | "chat-lines";
  /** In the order in which they were met. */
  sessions: ImportedSession[];
  /** What was left out, by reason: lines, counted from 1, or whole sessions where it says so. */
  skipped: { reason: string; count: number; firstLine: number; unit?: "session" }[];
}

/**
 * Takes in what was said elsewhere: a transcript of Claude Code, or a chat in JSON Lines of any usual shape. Which of both it is
 * shows in its lines; what is neither is refused. Turns that are there already are passed over, so that a file which has grown
 * adds what is new. Of lines one that is wrong refuses all of them; a transcript is read as far as it goes, without sessions
 * that began in another project.
 *
 * What the agent said after it had read something from outside is tainted, and so is what its tools answered.
 *
 * @example
 * await importConversation({ from }, "chat.jsonl", { sessionId: "planning" });
 */
export async function importConversation(
  { context }: { context: MemoryContext },
  given: string | AsyncIterable<Uint8Array>,
  options: ImportConversationOptions = {},
): Promise<ImportedConversation> {
  await refuseWhenDisabled(context);
  const importing = forImport(context, given);
  const source = await openSource(given);
  if ((await recogniseConversation(source)) === "chat-lines") return takeChatLines(importing, source, options);
  const { met, ...taken } = await takeTranscript(importing, source, options);
  const isLeftOut = taken.skipped.some(({ unit }) => unit === "session");
  if (taken.sessions.length === 0 && !isLeftOut) throw nothingIn(source, met, options.sessionId);
  return taken;
}

/** The same of what is known to be a transcript, also where nothing is said in it. */
export async function importTranscript(
  { context }: { context: MemoryContext },
  path: string,
  options: ImportConversationOptions & TurnsOptions,
): Promise<ImportedConversation> {
  const { met: _, ...taken } = await takeTranscript(context, await openSource(path), options);
  return taken;
}

function nothingIn({ name }: Source, met: ReadonlySet<string>, sessionId: string | undefined): Error {
  if (sessionId !== undefined) {
    const others = [...met].slice(0, 5).join(", ");
    const hint = others === "" ? "Leave out the session." : `It tells of ${others}.`;
    return importRefused(name, `nothing was said in the session ${JSON.stringify(sessionId)} there.`, hint);
  }
  const hint = "What a sub-agent says is not kept; name the transcript of the session that sent it.";
  return importRefused(name, "neither a person nor the main agent says anything in it.", hint);
}

async function takeTranscript(
  context: MemoryContext,
  source: Source,
  { sessionId: only, dryRun = false, isOver = false }: ImportConversationOptions & TurnsOptions,
): Promise<ImportedConversation & { met: ReadonlySet<string> }> {
  const report = openTranscriptReport();
  const since = await findTaint(context, readTranscript(withAgents(source), openTranscriptReport()));
  const met = new Set<string>();
  const { root } = await context.folder();
  const events = readTranscript(source.open(), report);
  // Whoever names a session means it, wherever it began.
  const turns =
    only === undefined
      ? turnsOf(ofProject(events, root, report), { isOver })
      : ofSession(turnsOf(events, { isOver }), only, met);
  const sessions = await storeTurns(context, asSaidBy(context, tainted(turns, since)), { dryRun });
  return { kind: "transcript", sessions, skipped: report.skipped, met };
}

/** Those of the sub-agents first: they end before their session does. */
async function* withAgents(source: Source): AsyncGenerator<Uint8Array, void, undefined> {
  yield* source.beside();
  yield* source.open();
}

async function* ofSession(
  turns: AsyncIterable<SessionTurn>,
  sessionId: string,
  met: Set<string>,
): AsyncGenerator<SessionTurn, void, undefined> {
  for await (const one of turns) {
    met.add(one.sessionId);
    if (one.sessionId === sessionId) yield one;
  }
}

/** Without the sessions that began in another project, which the report tells. */
async function* ofProject(
  events: AsyncIterable<AgentEvent>,
  root: string,
  report: TranscriptReport,
): AsyncGenerator<AgentEvent, void, undefined> {
  const isOwn = new Map<string, boolean>();
  for await (const event of events) {
    const { sessionId } = event;
    if (!isOwn.has(sessionId)) {
      const directory = event.kind === "start" ? event.directory : undefined;
      isOwn.set(sessionId, directory === undefined || (await findTree(directory, root)) !== undefined);
      if (!isOwn.get(sessionId)) leaveOut(report, `of another project: ${directory}`);
    }
    if (isOwn.get(sessionId)) yield event;
  }
}

function leaveOut({ skipped, lines }: TranscriptReport, reason: string): void {
  const known = skipped.find((one) => one.reason === reason);
  if (known) known.count += 1;
  else skipped.push({ reason, count: 1, firstLine: lines, unit: "session" });
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

/** What an agent brings as the words of a person, that agent says. */
async function* asSaidBy(
  { actor }: MemoryContext,
  turns: AsyncIterable<SessionTurn>,
): AsyncGenerator<SessionTurn, void, undefined> {
  const isByAgent = callerOf(actor).kind === "agent";
  for await (const one of turns) yield isByAgent ? { ...one, turn: { ...one.turn, isTainted: true } } : one;
}

async function takeChatLines(
  context: MemoryContext,
  source: Source,
  { sessionId, dryRun = false }: ImportConversationOptions,
): Promise<ImportedConversation> {
  const { name, path } = source;
  const isPiped = sessionId === undefined && path === undefined;
  const place = {
    ...(sessionId !== undefined && { sessionId }),
    ...(path !== undefined && { path }),
    ...(isPiped && { beginning: await readChatBeginning(source.open(), name) }),
  };
  const silent: number[] = [];
  // All of it before the first is kept: an error in the last line keeps nothing.
  const onSilent = (line: number) => silent.push(line);
  const checked = readChatLines(source.open(), { name, sessionOf: openSessions(place), onSilent });
  while ((await checked.next()).done !== true);
  const judged = openChatTaint((await context.folder()).root, await ignoringOf(context));
  const turns = readChatLines(source.open(), { name, sessionOf: openSessions(place), judged });
  const sessions = await storeTurns(context, asSaidBy(context, turns), { dryRun });
  const [firstLine = 0] = silent;
  const reason = "nothing was said";
  return {
    kind: "chat-lines",
    sessions,
    skipped: silent.length === 0 ? [] : [{ reason, count: silent.length, firstLine }],
  };
}
