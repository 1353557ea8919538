import { changeMemories, type MemoryContext } from "../../memory/change/change.js";
import { MemoryError } from "../../base/memory-error.js";
import { contextId, isContextKey, isUnverified } from "../../memory/record/record.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByReference } from "../../memory/read/read.js";
import type { Memory, MemoryInput } from "../../memory/memory.js";
import { defaultExpiry, prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { readProject, refuseWhenDisabled } from "../../project/project.js";
import { asTainted, asUnverified, insertMemory } from "../../memory/remember/remember.js";
import { writeFields } from "../../memory/write/write.js";
import { checkSession } from "../turns/check-session.js";

export interface ContextOptions {
  /** Only within this session. Default: for whoever works on the project. */
  sessionId?: string;
}

export interface SetContextOptions extends ContextOptions {
  /** Why it is not to be trusted, if so: it waits for a person, and takes the place of nothing. */
  doubt?: string | undefined;
  /** Why nobody can vouch for it, if so. */
  unverified?: string | undefined;
  /** More to keep with it. */
  metadata?: NonNullable<MemoryInput["metadata"]> | undefined;
}

/** What was set. */
export interface StoredContext extends Memory {
  /** The id of the value that stays under the key, where this one is only kept beside it. */
  beside?: string;
}

/**
 * Sets a value of the day under a key: until the end of the user's day, or until it is set again. There is one memory for a
 * key, so that whoever reads gets the newest; what it said before is in its history. What nobody vouches for takes the place
 * only of what nobody vouches for either: else it is kept beside it.
 */
export async function setContext(
  context: MemoryContext,
  key: string,
  value: string,
  { sessionId, doubt, unverified, metadata }: SetContextOptions = {},
): Promise<StoredContext> {
  checkKey(key);
  if (sessionId !== undefined) await checkSession(sessionId);
  await refuseWhenDisabled(context);
  const input: MemoryInput = {
    type: "context",
    scope: "session",
    content: value,
    metadata: { ...metadata, context_key: key },
    ...(sessionId !== undefined && { sessionId }),
  };
  const [given] = (await prepareMemories(context, [input])) as [PreparedMemory];
  const prepared = unverified === undefined ? given : asUnverified(given, unverified);
  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    if (doubt !== undefined) return (await insertMemory(writer, project, asTainted(given, doubt), now)).memory;
    const id = contextId(project, key, sessionId);
    const [known] = await listByReference(writer, project, id, now);
    if (!known) return (await insertMemory(writer, project, prepared, now, { id })).memory;
    if (unverified !== undefined && known.memory.status === "active" && !isUnverified(known.record)) {
      if (known.record.content === prepared.content) return known.memory;
      return { ...(await insertMemory(writer, project, prepared, now)).memory, beside: id };
    }
    const { content, citationText, trustFlags, review } = prepared;
    const fields = {
      content,
      citationText,
      trustFlags,
      metadata: prepared.metadata,
      userVerified: false,
      expiresAt: defaultExpiry("context", "session", now) as string,
      // Set again after it was forgotten, superseded or flagged, it is what somebody says now.
      forgottenAt: undefined,
      forgottenReason: undefined,
      validUntil: undefined,
      supersededBy: undefined,
      review: { ...review },
    };
    const changed = await noteChanges(writer, project, { verb: "edited", keys: [known.key], now }, () =>
      writeFields(writer, project, known.key, fields, now),
    );
    return changed.memory;
  });
}

/** The value that was set today; undefined where there is none, or its day is over. */
export async function getContext(
  context: MemoryContext,
  key: string,
  { sessionId }: ContextOptions = {},
): Promise<string | undefined> {
  checkKey(key);
  if (sessionId !== undefined) await checkSession(sessionId);
  return readProject(context, undefined, async (reader, project) => {
    const [known] = await listByReference(reader, project, contextId(project, key, sessionId), context.now());
    return known?.memory.status === "active" ? known.memory.content : undefined;
  });
}

function checkKey(key: unknown): void {
  if (isContextKey(key)) return;
  throw new MemoryError(
    "invalid-input",
    "The key of a context is a text of at most 200 characters.",
    'For example setContext("current_task", "…").',
  );
}
