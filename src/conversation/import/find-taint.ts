import { readProject, type ProjectContext } from "../../project/project.js";
import { readAnswerMarks } from "../../base/files/files.js";
import { findSession, listWritten } from "../../observer/cross-session/cross-session.js";
import type { AgentEvent } from "../../observer/observer.js";
import { openDigest, type Digest } from "../../observer/notes/notes.js";
import {
  type GrowingScratchpad,
  mainFirst,
  openScratchpad,
  type Scratchpad,
} from "../../observer/scratchpad/scratchpad.js";
import { possibleUntrustedSourceIn } from "../../observer/spool/spool.js";
import { listTrackedFiles, openTaint } from "../../observer/trust/trust.js";
import { findTree } from "./find-tree.js";

// As when a transcript is replayed: what a session did is held in bounded scratchpads, whatever its length.
const limitBytes = 24 * 1024 * 1024;
const gitMs = 2000;

/**
 * From when on the main agent of each session had something from outside in mind, in milliseconds since 1970; sessions in
 * which there was nothing are not in it.
 */
export async function findTaint(
  context: ProjectContext,
  events: AsyncIterable<AgentEvent>,
): Promise<Map<string, number>> {
  const sessions = new Map<string, Watched>();
  const { root: here } = await context.folder();
  for await (const event of events) {
    let session = sessions.get(event.sessionId);
    if (!session) sessions.set(event.sessionId, (session = open(await rootOf(event, here))));
    watch(session, event);
  }
  const since = new Map<string, number>();
  for (const [sessionId, session] of sessions) {
    const at = await taintedSince(context, sessionId, session);
    if (at !== undefined) since.set(sessionId, at);
  }
  return since;
}

interface Watched {
  root: string;
  digest: Digest;
  pads: Map<string | undefined, GrowingScratchpad>;
  /** When something that may come from outside was first seen, whoever of its agents saw it. */
  firstAt?: number;
}

function open(root: string): Watched {
  return { root, digest: openDigest({ root }), pads: new Map() };
}

/** Another work tree of the same repository is no place outside. */
async function rootOf(event: AgentEvent, here: string): Promise<string> {
  const directory = event.kind === "start" ? event.directory : undefined;
  return (directory === undefined ? undefined : await findTree(directory, here)) ?? here;
}

function watch(session: Watched, event: AgentEvent): void {
  const { pads, digest } = session;
  let pad = pads.get(event.agentId);
  if (!pad) pads.set(event.agentId, (pad = openScratchpad(event.agentId, { limitBytes })));
  for (const note of digest.digest(event)) {
    if (possibleUntrustedSourceIn(note)) session.firstAt = Math.min(session.firstAt ?? note.at, note.at);
    pad.add(note);
  }
}

async function taintedSince(context: ProjectContext, sessionId: string, session: Watched): Promise<number | undefined> {
  const { root, firstAt } = session;
  const pads = mainFirst([...session.pads.values()]);
  const main = pads.find(({ agentId }) => agentId === undefined);
  // Where a scratchpad was too small for all of it, what is gone may have been from outside.
  if (pads.some(({ analytics }) => analytics.evicted > 0)) return firstAt;
  const [tracked, ownFiles, before] = await Promise.all([
    listTrackedFiles(root, undefined, { timeoutMs: gitMs }),
    readProject(context, new Map<string, "clean" | "tainted">(), listWritten),
    readProject(context, undefined, (reader, project) => findSession(reader, project, sessionId)),
  ]);
  const since = main && openTaint({ pads, root, tracked, ownFiles, ownAnswers: readAnswerMarks() }).since(main);
  if (since) return firstFrom(main, since.order);
  // Whoever watched it saw something that the transcript does not tell, and not when.
  return before?.record.outside ? Number.NEGATIVE_INFINITY : undefined;
}

/** The earliest time of all that an agent did from there on: clocks may go back. */
function firstFrom(pad: Scratchpad, order: number): number {
  const { actions, sayings, subagents, remembered, units, qa, commits, prompts, steps, start, end } = pad;
  const ends = [start, end].filter((note) => note !== undefined);
  const lists = [actions, sayings, subagents, remembered, units, qa, commits, prompts, steps, ends];
  let first = Infinity;
  for (const list of lists) for (const one of list) if (one.order >= order) first = Math.min(first, one.at);
  return first;
}
