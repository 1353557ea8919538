import type { AgentEvent } from "../observer.js";
import { nameOf, recordOf } from "../adapters/loose-value.js";
import { splitLines, type RawLine } from "./split-lines.js";
import { lineEvents } from "./transcript-line.js";
import { agentOf, beginning, ending, openSession, type TranscriptSession } from "./transcript-session.js";

/** What was read of a transcript, and what was not. Filled while reading. */
export interface TranscriptReport {
  lines: number;
  events: number;
  /** By reason; lines are counted from 1. Lines are left out, or whole sessions where it says so. */
  skipped: { reason: string; count: number; firstLine: number; unit?: "session" }[];
  bytes: number;
}

export function openTranscriptReport(): TranscriptReport {
  return { lines: 0, events: 0, skipped: [], bytes: 0 };
}

/**
 * A transcript of Claude Code as events, in flat memory however long it is. Every session in it has a `start` before its
 * events and an `end` after them all. What cannot be read is passed over and told in the report; an error of the source is
 * thrown only where nothing was read yet.
 *
 * The file of a sub-agent has only that agent's lines: its start and end then carry the agent's id.
 *
 * @example
 * const report = openTranscriptReport();
 * for await (const event of readTranscript(createReadStream(file), report)) observe(event);
 */
export async function* readTranscript(
  source: AsyncIterable<Uint8Array>,
  report: TranscriptReport,
): AsyncGenerator<AgentEvent, void, void> {
  const transcript: Transcript = { report, sessions: new Map(), last: undefined };
  const count = (bytes: number) => {
    report.bytes += bytes;
  };
  for await (const raw of splitLines(asFarAsItGoes(source, report), longestLine, count)) {
    report.lines += 1;
    const line = parse(raw);
    if (line === "") continue;
    const events = typeof line === "string" ? skip(report, line) : eventsOf(line, transcript);
    report.events += events.length;
    yield* events;
  }
  for (const session of transcript.sessions.values()) {
    const events = ending(session);
    report.events += events.length;
    yield* events;
  }
}

interface Transcript {
  report: TranscriptReport;
  /** The one that said something last is the last one. */
  sessions: Map<string, TranscriptSession>;
  last: string | undefined;
}

// The longest lines are pictures and files of some MB, which tell nothing; 8 MB are about 60 MB while they are parsed.
const longestLine = 8_000_000;
// One file has the session and those that it resumed.
const maxSessions = 20;
const maxReasons = 30;

async function* asFarAsItGoes(
  source: AsyncIterable<Uint8Array>,
  report: TranscriptReport,
): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* source;
  } catch (error) {
    if (report.bytes === 0) throw error;
    skip(report, "could not be read any further", report.lines + 1);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The line, or the reason why it is none; an empty one for a line with nothing in it. */
function parse({ bytes, isCut }: RawLine): Record<string, unknown> | string {
  if (!bytes) return `longer than ${longestLine / 1_000_000} MB`;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    return isCut ? "cut off" : "not UTF-8";
  }
  if (text.trim() === "") return "";
  try {
    const line: unknown = JSON.parse(text);
    return typeof recordOf(line)["type"] === "string" ? recordOf(line) : "without a type";
  } catch {
    return isCut ? "cut off" : "not JSON";
  }
}

function skip(report: TranscriptReport, why: string, firstLine = report.lines): [] {
  const { skipped } = report;
  const find = (reason: string) => skipped.find((one) => one.reason === reason);
  const reason = find(why) || skipped.length < maxReasons ? why : "for other reasons";
  const known = find(reason);
  if (known) known.count += 1;
  else skipped.push({ reason, count: 1, firstLine });
  return [];
}

function eventsOf(line: Record<string, unknown>, transcript: Transcript): AgentEvent[] {
  const { report } = transcript;
  const sessionId = nameOf(line["sessionId"]) ?? transcript.last;
  const type = String(line["type"]);
  if (!tellingTypes.has(type) && !silentTypes.has(type)) {
    return skip(report, `of the unknown type ${JSON.stringify(type.slice(0, 40))}`);
  }
  if (sessionId === undefined) return silentTypes.has(type) ? [] : skip(report, "without a session");
  const { session, ended } = sessionOf(sessionId, transcript);
  const agentId = agentOf(session, line);
  if (silentTypes.has(type)) return ended;
  const events = lineEvents(line, session, agentId);
  if (typeof events === "string") {
    skip(report, events);
    return ended;
  }
  return events.length === 0 ? ended : [...ended, ...beginning(session, line, events), ...events];
}

/** The session; and the end of the one that was silent longest, where there are too many to hold. */
function sessionOf(id: string, transcript: Transcript): { session: TranscriptSession; ended: AgentEvent[] } {
  const { sessions, last } = transcript;
  const session = sessions.get(id) ?? openSession(id);
  if (last !== id) {
    sessions.delete(id);
    sessions.set(id, session);
    transcript.last = id;
  }
  const [oldest] = sessions.size > maxSessions ? sessions.values() : [];
  if (!oldest) return { session, ended: [] };
  sessions.delete(oldest.id);
  return { session, ended: ending(oldest) };
}

const tellingTypes = new Set(["user", "assistant", "attachment"]);

// What Claude Code writes for itself: 1.0 to 2.1.
const silentTypes = new Set([
  "agent-name",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "cost-state",
  "tools-used",
  "agent-color",
  "agent-setting",
  "ai-title",
  "attribution-snapshot",
  "content-replacement",
  "custom-title",
  "file-history-snapshot",
  "last-prompt",
  "mode",
  "permission-mode",
  "pr-link",
  "progress",
  "queue-operation",
  "speculation-accept",
  "summary",
  "system",
  "tag",
  "task-summary",
  "worktree-state",
]);
