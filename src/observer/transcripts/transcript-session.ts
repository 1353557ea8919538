import type { AgentEvent } from "../observer.js";
import { forgetOlderHalf } from "../adapters/forget-older-half.js";
import { nameOf, textOf } from "../adapters/loose-value.js";

/** What must be known of a session's earlier lines to read the next one. Everything in it is bounded. */
export interface TranscriptSession {
  id: string;
  /** When its last line was written. */
  at: number | undefined;
  /** Where the agent of its last line stands. */
  directory: string | undefined;
  /** Whether the main agent was seen. */
  hasStarted: boolean;
  /** The agent that it began with, where it did not begin with the main one. */
  firstAgent: string | undefined;
  wasInterrupted: boolean;
  /** By agent, the main one's being "": the message that its last lines are parts of. */
  steps: Map<string, OpenStep>;
  children: Map<string, "started" | "ended">;
  /** Calls without a result yet. */
  calls: Map<string, OpenCall>;
  /** Lines, messages, calls and results that were told; a transcript may have them twice. */
  told: Map<string, true>;
  /** From a sub-agent's line to the first of its lines, where lines do not name the agent. */
  chains: Map<string, string>;
}

interface OpenStep {
  messageId: string;
  inputTokens?: number;
  outputTokens?: number;
}

interface OpenCall {
  tool: string;
  at: number | undefined;
  /** Only where it may make a commit. */
  command?: string;
}

interface Whose {
  sessionId: string;
  at?: number;
  agentId?: string;
}

export function openSession(id: string): TranscriptSession {
  return {
    id,
    at: undefined,
    directory: undefined,
    hasStarted: false,
    firstAgent: undefined,
    wasInterrupted: false,
    steps: new Map(),
    children: new Map(),
    calls: new Map(),
    told: new Map(),
    chains: new Map(),
  };
}

/** Whose line it is; undefined for the main agent's. To be asked of every line, since lines hang together. */
export function agentOf(session: TranscriptSession, line: Record<string, unknown>): string | undefined {
  const time = typeof line["timestamp"] === "string" ? Date.parse(line["timestamp"]) : Number.NaN;
  if (Number.isFinite(time)) session.at = time;
  session.directory = textOf(line["cwd"]) ?? session.directory;
  if (line["isSidechain"] !== true) return undefined;
  const given = nameOf(line["agentId"]);
  if (given !== undefined) return given;
  const own = nameOf(line["uuid"]);
  const first = session.chains.get(nameOf(line["parentUuid"]) ?? "") ?? own ?? "sidechain";
  if (own !== undefined) hold(session.chains, own, first);
  return first;
}

/** What every event has. Without an agent: the main one's. */
export function whoseOf({ id, at }: TranscriptSession, agentId?: string): Whose {
  return { sessionId: id, ...(at !== undefined && { at }), ...(agentId !== undefined && { agentId }) };
}

/** Where it stands, as calls and results tell it: a `cd` of an earlier command lasts. */
export function whereOf({ directory }: TranscriptSession): { directory?: string } {
  return directory === undefined ? {} : { directory };
}

/** What must be told before these events, where they are the first of a session or of an agent. */
export function beginning(
  session: TranscriptSession,
  line: Record<string, unknown>,
  events: readonly AgentEvent[],
): AgentEvent[] {
  const agentId = events[0]?.agentId;
  const prompt = events.find((event) => event.kind === "prompt");
  const task = prompt && { task: prompt.text };
  const begun: AgentEvent[] = [];
  if (!session.hasStarted && (agentId === undefined || session.firstAgent === undefined)) {
    const directory = textOf(line["cwd"]);
    const start = { kind: "start", agent: "claude-code", ...(directory !== undefined && { directory }) } as const;
    begun.push({ ...whoseOf(session, agentId), ...start, ...task });
    if (agentId === undefined) session.hasStarted = true;
    else session.firstAgent = agentId;
  }
  if (agentId !== undefined && session.hasStarted && !session.children.has(agentId)) {
    hold(session.children, agentId, "started");
    begun.push({ ...whoseOf(session), kind: "subagent", state: "started", childId: agentId, ...task });
  }
  return begun;
}

/** What is told when nothing more comes of a session. None where nothing was told of it. */
export function ending(session: TranscriptSession): AgentEvent[] {
  if (!session.hasStarted && session.firstAgent === undefined) return [];
  const steps = [...session.steps.keys()].flatMap((agent) => endStep(session, agent === "" ? undefined : agent));
  const children = [...session.children].flatMap(([childId, state]): AgentEvent[] =>
    state === "started" ? [{ ...whoseOf(session), kind: "subagent", state: "ended", childId }] : [],
  );
  const last = whoseOf(session, session.hasStarted ? undefined : session.firstAgent);
  return [...steps, ...children, { ...last, kind: "end", outcome: session.wasInterrupted ? "abandoned" : "unknown" }];
}

/**
 * Notes a part of a message, and gives the step before where this is a new message. A message comes in several lines,
 * every one with the tokens so far; the last has them all.
 */
export function continueStep(session: TranscriptSession, agentId: string | undefined, part: OpenStep): AgentEvent[] {
  const open = session.steps.get(agentId ?? "");
  const before = open && open.messageId !== part.messageId ? endStep(session, agentId) : [];
  const soFar = session.steps.get(agentId ?? "");
  const inputTokens = greater(soFar?.inputTokens, part.inputTokens);
  const outputTokens = greater(soFar?.outputTokens, part.outputTokens);
  hold(session.steps, agentId ?? "", {
    messageId: part.messageId,
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  });
  return before;
}

export function endStep(session: TranscriptSession, agentId: string | undefined): AgentEvent[] {
  const open = session.steps.get(agentId ?? "");
  session.steps.delete(agentId ?? "");
  if (!open || !isNews(session, "step", open.messageId)) return [];
  const { messageId: _, ...tokens } = open;
  return [{ ...whoseOf(session, agentId), kind: "step", ...tokens }];
}

/** Whether this was not told yet. */
export function isNews(session: TranscriptSession, kind: string, id: string): boolean {
  const what = `${kind} ${id.slice(0, 100)}`;
  if (session.told.has(what)) return false;
  hold(session.told, what, true);
  return true;
}

// What is told twice lies close together: 5,000 marks of some 100 characters.
const maxHeld = 5000;

/** Puts it into the map, and lets go of the older half where there is too much. */
export function hold<T>(map: Map<string, T>, key: string, value: T, most = maxHeld): void {
  map.set(key, value);
  if (map.size > most) forgetOlderHalf(map);
}

function greater(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}
