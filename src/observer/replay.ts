import { idFrom } from "../base/ids.js";
import { readProject } from "../memory/project-store.js";
import { findSession } from "./across/session-queries.js";
import type { AgentEvent, SessionType } from "./events/event.js";
import { inOrder } from "./finish-spools.js";
import { openDigest, type Digest } from "./notes/digest.js";
import { needsRedaction, redactNote } from "./notes/redact-note.js";
import { finishSession } from "./promotion/finish-session.js";
import type { LearnedReport, PromotionPorts } from "./promotion/promotion.js";
import { openScratchpad, type GrowingScratchpad } from "./scratchpad/scratchpad.js";

// Half of what a session may hold while it goes on: transcripts of several sessions are read at once, and a scratchpad takes
// about twice what it is estimated at.
const limitBytes = 24 * 1024 * 1024;

interface Replayed {
  digest: Digest;
  pads: Map<string | undefined, GrowingScratchpad>;
  isKnown: boolean;
}

/**
 * Learns from events of the past, session by session as each ends. What a session did is held in a bounded scratchpad,
 * whatever the length of its transcript. A session that was learned from before is read past.
 */
export async function* replayEvents(
  ports: PromotionPorts,
  events: AsyncIterable<AgentEvent>,
  { root, type }: { root: string; type: SessionType },
): AsyncGenerator<LearnedReport, void, undefined> {
  const sessions = new Map<string, Replayed>();
  for await (const event of events) {
    const { sessionId, agentId } = event;
    let session = sessions.get(sessionId);
    if (!session) sessions.set(sessionId, (session = await open(ports, sessionId, root)));
    if (!session.isKnown) await add(session, agentId, event);
    if (event.kind !== "end" || agentId !== undefined) continue;
    sessions.delete(sessionId);
    const report = await finish(ports, sessionId, session, { root, type });
    if (report) yield report;
  }
}

async function open({ from }: PromotionPorts, sessionId: string, root: string): Promise<Replayed> {
  const known = await readProject(from, undefined, (reader, project) => findSession(reader, project, sessionId));
  return { digest: openDigest({ root }), pads: new Map(), isKnown: known !== undefined };
}

async function add({ digest, pads }: Replayed, agentId: string | undefined, event: AgentEvent): Promise<void> {
  let pad = pads.get(agentId);
  if (!pad) pads.set(agentId, (pad = openScratchpad(agentId, { limitBytes })));
  for (const note of digest.digest(event)) pad.add(needsRedaction(note) ? await redactNote(note) : note);
}

async function finish(
  ports: PromotionPorts,
  sessionId: string,
  { pads, isKnown }: Replayed,
  { root, type }: { root: string; type: SessionType },
): Promise<LearnedReport | undefined> {
  if (isKnown) {
    const known = await readProject(ports.from, undefined, (reader, project) =>
      findSession(reader, project, sessionId),
    );
    if (!known) return undefined;
    return { sessionId, session: known.record, learned: [], waiting: [], known: 0, left: 0, isRepeated: true };
  }
  const read = { spoolId: idFrom("replay", sessionId), sessionId, root, pads: inOrder([...pads.values()]) };
  if (!read.pads.some(({ analytics }) => analytics.toolCalls > 0)) return undefined;
  return finishSession(ports, read, { type });
}
