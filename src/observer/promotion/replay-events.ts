import { idFrom } from "../../base/ids/ids.js";
import { openIgnoring } from "../../project/ignore/ignore.js";
import { readProject, writeProject } from "../../project/project.js";
import { findSession, type SessionRecord } from "../cross-session/session-queries.js";
import type { AgentEvent, SessionType, UntrustedSource } from "../observer.js";
import { openDigest, type Digest } from "../notes/digest.js";
import { needsRedaction, redactNote } from "../notes/redact-note.js";
import { finishSession } from "./finish-session.js";
import type { LearnedReport, PromotionPorts } from "./promotion-ports.js";
import { mainFirst } from "../scratchpad/main-first.js";
import { openScratchpad, type GrowingScratchpad } from "../scratchpad/open-scratchpad.js";

// Half of what a session may hold while it goes on: transcripts of several sessions are read at once, and a scratchpad takes
// about twice what it is estimated at.
const limitBytes = 24 * 1024 * 1024;

interface Replayed {
  digest: Digest;
  pads: Map<string | undefined, GrowingScratchpad>;
  root: string;
  /** What was learned from it before. */
  known?: SessionRecord;
  /** Of one that was learned from before: how its agents began. */
  starts: Map<string | undefined, AgentEvent>;
  /** The time of its last event that is taken in. */
  lastAt?: number;
}

export interface ReplayOptions {
  /** The work tree of a session. */
  rootOf: (sessionId: string) => string;
  type: SessionType;
  /** Sessions that are left out, since they are learned from when they are over. */
  running?: ReadonlySet<string>;
  /** What all of them rest on, where whoever tells of them is not to be trusted. */
  outside?: UntrustedSource | undefined;
}

/**
 * Learns from events of the past, session by session as each ends. What a session did is held in a bounded scratchpad,
 * whatever the length of its transcript. Of a session that was learned from before only what came later is new.
 */
export async function* replayEvents(
  ports: PromotionPorts,
  events: AsyncIterable<AgentEvent>,
  { rootOf, type, running, outside }: ReplayOptions,
): AsyncGenerator<LearnedReport, void, undefined> {
  const sessions = new Map<string, Replayed>();
  for await (const event of events) {
    const { sessionId, agentId } = event;
    if (running?.has(sessionId)) continue;
    let session = sessions.get(sessionId);
    if (!session) sessions.set(sessionId, (session = await open(ports, sessionId, rootOf(sessionId))));
    if (!session.known) await add(session, agentId, event);
    else await addLater(session, session.known, event);
    if (event.kind !== "end" || agentId !== undefined) continue;
    sessions.delete(sessionId);
    const report = await finish(ports, sessionId, session, { type, outside });
    if (report) yield report;
  }
}

async function open({ context }: PromotionPorts, sessionId: string, root: string): Promise<Replayed> {
  const known = await readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId));
  return {
    digest: openDigest({ root, ignoring: openIgnoring({ root, ignore: (await context.settings()).ignore }) }),
    pads: new Map(),
    root,
    ...(known && { known: known.record }),
    starts: new Map(),
  };
}

async function add({ digest, pads }: Replayed, agentId: string | undefined, event: AgentEvent): Promise<void> {
  let pad = pads.get(agentId);
  if (!pad) pads.set(agentId, (pad = openScratchpad(agentId, { limitBytes })));
  for (const note of digest.digest(event)) pad.add(needsRedaction(note) ? await redactNote(note) : note);
}

/** A session may have gone on since. What was there before is passed over; what is still under way is not for us. */
async function addLater(session: Replayed, { endedAt, outcome }: SessionRecord, event: AgentEvent): Promise<void> {
  const { agentId, at = Number.NEGATIVE_INFINITY } = event;
  if (event.kind === "start") session.starts.set(agentId, event);
  if (outcome === "running" || !(at > Date.parse(endedAt))) return;
  const start = session.pads.has(agentId) || event.kind === "start" ? undefined : session.starts.get(agentId);
  if (start) await add(session, agentId, { ...start, at });
  await add(session, agentId, event);
  session.lastAt = Math.max(session.lastAt ?? at, at);
}

async function finish(
  ports: PromotionPorts,
  sessionId: string,
  { pads, known, root, lastAt }: Replayed,
  { type, outside }: Pick<ReplayOptions, "type" | "outside">,
): Promise<LearnedReport | undefined> {
  const read = { sessionId, root, pads: mainFirst([...pads.values()]), ...(outside && { outside }) };
  if (!read.pads.some(({ analytics }) => analytics.toolCalls > 0)) {
    return known && { sessionId, session: known, learned: [], waiting: [], known: 0, left: 0, isRepeated: true };
  }
  const part = lastAt === undefined ? [] : [String(lastAt)];
  const spoolId = idFrom("replay", await findProjectId(ports), sessionId, ...part);
  return finishSession(ports, { ...read, spoolId }, { type: known?.type ?? type, isPast: true });
}

/** The same transcript may be replayed into several projects of a store, into each once. */
async function findProjectId({ context }: PromotionPorts): Promise<string> {
  const id = await readProject<string | undefined>(context, undefined, async (_, project) => project.id);
  return id ?? writeProject(context, async (_, project) => project.id);
}
