import type { Caller } from "../base/actor.js";
import type { Memory, MemoryInput, RememberedMemory } from "../memory/memory.js";
import type { ObserveOptions } from "./observe-once.js";
import { isStartNoted } from "./spool-status.js";

/** What it takes of an open memory. */
export interface TypedInto {
  as(actor: Caller): Omit<TypedInto, "as" | "sessions">;
  remember(input: MemoryInput): Promise<RememberedMemory>;
  verify(reference: string): Promise<Memory>;
  review: { accept(reference: string): Promise<Memory> };
  sessions: { list(): Promise<{ sessionId: string }[]> };
}

export interface Typed {
  content: string;
  /** The session that the hook names. */
  sessionId: string;
  /** The hook itself comes of a call of a tool. */
  isByAgent: boolean;
}

export interface RememberedTyped {
  memory: Memory;
  /** False where an agent may have said it: it is trusted as the word of one. */
  isByPerson: boolean;
  /** It was known before. */
  merged: boolean;
}

/**
 * Remembers what was typed to an agent for its memory. A person's word is trusted whatever the session has read; but a hook
 * that says nothing else may be anybody's, so it counts as that only in a session of which it is known how it began.
 */
export async function rememberTyped(
  memory: TypedInto,
  typed: Typed,
  options: ObserveOptions,
): Promise<RememberedTyped> {
  const { content, sessionId, isByAgent } = typed;
  const isByPerson = !isByAgent && (await isKnown(memory, sessionId, options));
  if (!isByPerson) {
    // Without the session that it names: an agent may name any. What all that go on here have read counts.
    const stated = await memory.as({ kind: "agent" }).remember({ content });
    return { memory: stated, isByPerson, merged: stated.merged };
  }
  const person = memory.as({ kind: "person" });
  const { id, status, merged } = await person.remember({ content, source: "user_taught" });
  return { memory: await (status === "waiting" ? person.review.accept(id) : person.verify(id)), isByPerson, merged };
}

async function isKnown(memory: TypedInto, sessionId: string, options: ObserveOptions): Promise<boolean> {
  if (isStartNoted(sessionId, options)) return true;
  // One that paused for long was learned from in the meantime.
  return (await memory.sessions.list()).some((session) => session.sessionId === sessionId);
}
