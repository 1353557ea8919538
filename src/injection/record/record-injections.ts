import type { Project } from "../../project/project.js";
import { toCount } from "../../observer/cross-session/cross-session.js";
import { plainLine } from "../../base/input/input.js";
import type { CompletedSession } from "../../observer/promotion/promotion.js";
import type { Writer } from "../../storage/storage.js";
import {
  addInjections,
  listRecordedMemories,
  listUsedBefore,
  noteSummedUp,
  type StoredInjection,
} from "./injection-queries.js";
import { savedTokens } from "./saved-tokens.js";
import { useOf } from "./use-of.js";

/**
 * Keeps everything that the agents of a session were told, with what became of it; part of the write that finishes the
 * session. A memory that was told several times counts as used the first time that it was, and saves tokens once a session.
 * What was told in one part of a session and used in a later one, after it was resumed, is not seen.
 */
export async function recordInjections(
  writer: Writer,
  project: Project,
  { spoolId, sessionId, pads }: CompletedSession,
): Promise<void> {
  const summedUp = pads.filter(({ compacted }) => compacted.length > 0).map(({ agentId }) => agentId);
  if (summedUp.length > 0) await noteSummedUp(writer, project, { spoolId, sessionId }, summedUp);
  const told = pads.flatMap((pad) => pad.injected.map((note) => ({ pad, note })));
  if (told.length === 0) return;
  const ids = told.flatMap(({ note }) => note.memories.map(({ id }) => id));
  const memories = await listRecordedMemories(writer, ids, sessionId);
  const isCounted = await listUsedBefore(writer, project, sessionId);

  const injections = told.map(({ pad, note }, place): StoredInjection => ({
    place,
    ...(pad.agentId !== undefined && { agentId: pad.agentId }),
    at: timeOf(note.at),
    point: note.point,
    ...(note.trigger !== undefined && { trigger: plainLine(note.trigger, 40) }),
    files: toCount(note.files ?? 0),
    tokens: toCount(note.tokens),
    isInMind: note.order > (pad.compacted.at(-1)?.order ?? -1),
    memories: note.memories.map(({ id, tokens }) => {
      const memory = memories.get(id);
      const used = memory && !isCounted.has(id) ? useOf(note, memory, pad) : undefined;
      if (used) isCounted.add(id);
      return {
        id,
        tokens: toCount(tokens),
        ...(used && { used }),
        savedTokens: memory && used ? savedTokens(memory) : 0,
      };
    }),
  }));
  await addInjections(writer, project, { spoolId, sessionId }, injections);
}

/** A time that no calendar has would not be stored. */
function timeOf(ms: number): string {
  return new Date(Math.min(Math.max(ms, 0), 8.64e15)).toISOString();
}
