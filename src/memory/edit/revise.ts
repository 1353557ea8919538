import type { Json } from "../../base/base.js";
import { shortId } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { checkChanges } from "../prepare/check-input.js";
import { findMemory, getMemory } from "../read/get-memory.js";
import { noteChanges } from "../history/note-changes.js";
import { memoryType, stampedHalfLife } from "../type-registry/memory-types.js";
import type { Memory, MemoryChanges, MemoryInput, NamedMemory, TrustFlag } from "../memory.js";
import { bindName, listNameLosers, type BindOptions } from "../write/names.js";
import { prepareMemories, type PreparedMemory } from "../prepare/prepare-memory.js";
import { changeMemory } from "../write/change-memory.js";
import { readProject, type ProjectContext } from "../../project/project.js";
import type { MemoryContext } from "../change/memory-context.js";
import { refuseRebinding } from "../remember/remember-memories.js";
import { closeWhatItContradicts, loadContradictions } from "../remember/store-memories.js";
import { writeFields, type FieldValues } from "../write/write-fields.js";

export interface ReviseOptions extends BindOptions {
  /** Rewrite the text of an archive, which otherwise stays as it was written. */
  force?: boolean;
  /** Only while the memory stands as it was read: where it has changed since, `memory-changed`, and nothing is done. */
  ifUnchanged?: Pick<Memory, "content" | "updatedAt">;
}

/** What is known of whoever changes a memory. */
interface Judged {
  /** Why they are not to be trusted: then nothing is changed. */
  doubt?: string | undefined;
  /** Why nobody can vouch for them. */
  unverified?: string | undefined;
  /** A person gives the text in their own words. */
  isByPerson?: boolean;
}

/**
 * Changes a memory in place. Its id, creation time and history of sessions stay. What an agent changes that no hooks watch
 * becomes `unverified`; that a person has verified the memory counts no more.
 */
export async function revise(
  context: MemoryContext,
  reference: string,
  changes: MemoryChanges,
  { doubt, unverified, isByPerson = false, ifUnchanged, ...options }: ReviseOptions & Judged = {},
): Promise<NamedMemory> {
  checkChanges(changes);
  const asAgent = context.actor.kind === "agent";
  if (asAgent) refuseRebinding(options);
  if (doubt !== undefined) throw doubted(reference, doubt);
  const next = await prepareChanges(context, reference, changes);
  if (changes.content !== undefined) await loadContradictions();

  return changeMemory(context, reference, async (writer, project) => {
    const now = context.now();
    const { key, memory: old } = await getMemory(writer, project, reference, now);
    if (ifUnchanged && (old.content !== ifUnchanged.content || old.updatedAt !== ifUnchanged.updatedAt)) {
      throw changedMeanwhile(old);
    }
    const own: FieldValues = isByPerson ? { source: "user_taught" } : {};
    const revised = { ...changedFields(old, changes, next, options), ...own };
    const fields = asAgent ? { ...revised, ...agentFields(old, revised, unverified) } : revised;
    const losers = await listNameLosers(writer, project, next.name === null ? [] : [next.name], key, options);
    const keys = [key, ...losers.map((loser) => loser.key)];
    const edited = await noteChanges(writer, project, { verb: "edited", keys, now }, async () => {
      if (changes.name !== undefined && changes.name !== old.name) {
        await writer.run("DELETE FROM memory_names WHERE memory_key = :key AND is_alias = 0", { key });
        if (next.name !== null) await bindName(writer, project, key, next.name, "name", options);
      }
      return writeFields(writer, project, key, fields, now);
    });
    const isRestated = edited.record.content !== old.content;
    const memory = isRestated ? await closeWhatItContradicts(writer, project, edited, now) : edited.memory;
    return { ...memory, takenFrom: losers.map(({ id }) => id) };
  });
}

/** What is trusted is not rewritten by a session that has read from outside: it would fall silent, or speak for them. */
function doubted(reference: string, doubt: string): MemoryError {
  return new MemoryError(
    "session-tainted",
    `${reference} stays as it is. ${doubt}`,
    `To propose another text, which waits for a person: tacit supersede ${reference} "text" --session ID`,
  );
}

function changedMeanwhile({ id }: Memory): MemoryError {
  return new MemoryError(
    "memory-changed",
    `${shortId(id)} has changed since it was read, and stays as it is now.`,
    "Read it again, and make the change anew.",
  );
}

/** What an agent's change says of the memory besides. A person had looked at the text as it was before, and only at that. */
function agentFields(old: Memory, revised: FieldValues, unverified: string | undefined): FieldValues {
  const flags = (revised.trustFlags ?? old.trustFlags) as TrustFlag[];
  const still = flags.filter((flag) => !old.userVerified || (flag !== "tainted" && flag !== "unverified"));
  const fields: FieldValues = { source: "agent_explicit", userVerified: false, trustFlags: still };
  if (unverified === undefined) return fields;
  fields.trustFlags = [...new Set<TrustFlag>([...still, "unverified"])].toSorted();
  // What a person has called wrong stays so.
  if (old.review.state !== "flagged") fields.review = { state: "pending", reason: unverified };
  return fields;
}

/**
 * The values of changes, cleaned as a whole memory would be, so that no way in is less careful than another. Before any
 * transaction, because cleaning would make others wait for the lock.
 */
export async function prepareChanges(
  context: ProjectContext,
  reference: string,
  changes: MemoryChanges,
): Promise<PreparedMemory> {
  const known = await readProject(context, undefined, async (reader, project) =>
    findMemory(reader, project, reference, context.now()),
  );
  const unchanged = { content: "unchanged", ...(known && { type: known.memory.type }) };
  const [prepared] = await prepareMemories(context, [{ ...unchanged, ...present(changes) }]);
  return prepared as PreparedMemory;
}

/** An archive stands for what was said; it is named, tagged and removed, but its text is not written anew by accident. */
function refuseToRewrite(old: Memory, { content, type }: MemoryChanges): void {
  if (old.type !== "archive" || (content === undefined && (type ?? "archive") === "archive")) return;
  throw new MemoryError(
    "archive-kept",
    `${shortId(old.id)} is an archive, and its text stays as it was written.`,
    `To rewrite it all the same: tacit edit ${shortId(old.id)} … --force`,
  );
}

/** The changes that set something; what is to be taken away has nothing to clean. */
function present(changes: MemoryChanges): Partial<MemoryInput> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null && value !== undefined));
}

/** The fields that change, with their new values. Refused for the text of an archive, unless it is forced. */
export function changedFields(
  old: Memory,
  changes: MemoryChanges,
  next: PreparedMemory,
  { force = false }: ReviseOptions = {},
): FieldValues {
  if (!force) refuseToRewrite(old, changes);
  const fields: FieldValues = {};
  if (changes.content !== undefined) {
    fields.content = next.content;
    fields.citationText = next.citationText;
  }
  if (changes.type !== undefined) {
    fields.type = next.type;
    Object.assign(fields, halfLifeOfType(old, next));
  }
  if (changes.data !== undefined) fields.data = next.data ?? undefined;
  if (changes.tags !== undefined) fields.tags = next.tags;
  if (changes.relatedFiles !== undefined) {
    fields.relatedFiles = next.relatedFiles;
    // Patterns and decisions among the files are nodes.
    if (next.graphNodes.length > 0) fields.graphNodes = [...new Set([...old.graphNodes, ...next.graphNodes])];
  }
  if (changes.relatedModules !== undefined) fields.relatedModules = next.relatedModules;
  if (changes.scope !== undefined) fields.scope = next.scope;
  if (changes.visibility !== undefined) fields.visibility = next.visibility;
  if (changes.sessionId !== undefined) fields.sessionId = next.sessionId ?? undefined;
  if (changes.metadata !== undefined) fields.metadata = next.metadata;
  if (changes.confidence !== undefined) fields.confidence = next.confidence;
  if (changes.expiresAt !== undefined) {
    fields.expiresAt = changes.expiresAt === null ? undefined : (next.expiresAt as Json);
  }
  if (changes.pinned !== undefined) fields.pinned = next.pinned;
  const flags = [...new Set([...stillTrue(changes, next, old), ...next.trustFlags])].toSorted();
  if (flags.join() !== old.trustFlags.join()) fields.trustFlags = flags;
  return fields;
}

/** What a custom type stamps comes and goes with it; a half-life that somebody gave the memory itself stays. */
function halfLifeOfType(old: Memory, next: PreparedMemory): FieldValues {
  const hasItsOwn = old.halfLifeDays !== memoryType(old.type).halfLifeDays;
  if (hasItsOwn || stampedHalfLife(old.type) === stampedHalfLife(next.type)) return {};
  return { halfLifeDays: stampedHalfLife(next.type) };
}

/** Whoever wrote the text anew, without the secret that was in it, has nothing to hide any more. */
function stillTrue({ content }: MemoryChanges, next: PreparedMemory, old: Memory): TrustFlag[] {
  if (content === undefined) return old.trustFlags;
  const rest = JSON.stringify([
    next.content,
    old.metadata,
    old.data ?? null,
    old.tags,
    old.relatedFiles,
    old.name ?? "",
  ]);
  return old.trustFlags.filter((flag) => flag !== "secret-redacted" || rest.includes("[redacted:"));
}
