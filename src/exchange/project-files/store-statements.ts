import { changeMemories, type MemoryContext, type MemoryWriter } from "../../memory/change/change.js";
import { idFrom } from "../../base/ids/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { hashOf, isUnverified } from "../../memory/record/record.js";
import { forgetRow, restoreRow } from "../../memory/retention/retention.js";
import { noteChanges } from "../../memory/history/history.js";
import { listByKeys, listByReference, listSameText, type KeyedMemory } from "../../memory/read/read.js";
import type { MemoryRecord, Memory, MemoryInput, TrustFlag } from "../../memory/memory.js";
import { prepareMemories, type PreparedMemory } from "../../memory/prepare/prepare.js";
import { areRulesAccepted, type Project } from "../../project/project.js";
import { insertMemory } from "../../memory/remember/remember.js";
import { writeFields } from "../../memory/write/write.js";
import type { Reader } from "../../storage/storage.js";

/** Something that a file of the project says: a fact on a subject, or a rule. */
export interface Statement {
  /** The file, a blank, and what of it this is; see `fileOf`. */
  key: string;
  memory: PreparedMemory;
  /** Once a person has invited it, it may be told: Tacit worded it, or the person has read it. */
  mayBeTold: boolean;
  /** Whoever wrote the file worded it: told no longer when the folder is no longer trusted. */
  isQuoted: boolean;
}

export interface StoreStatementsOptions {
  /** Which of those that are known already these are to be in step with. */
  isOneOfThem: (key: string) => boolean;
  /** Files that are there and could not be read: what they said before may still hold. */
  unread: readonly string[];
  /** Also keep what was not kept before. */
  takesNew: boolean;
  /** A person no longer trusts the folder: what others worded is told to nobody any more. */
  withdrawn: boolean;
}

/**
 * What became of one: `updated` says something else now, `left` is a person's now. Without a memory where it was not kept.
 * One of which only changed who may be told it is `unchanged`.
 */
export interface StoredStatements {
  became: "added" | "updated" | "unchanged" | "left" | "new";
  memory?: Memory;
}

// Others wait for the lock meanwhile: 0.4 s at 4 ms to keep one, or to forget one (2026-11).
const atOnce = 100;

/**
 * Brings the memories of what files of a project say into step with what they say now. What changed is written over, with
 * its history; what no file says any more is forgotten; what is the same stays. What a person edited, flagged, replaced,
 * pinned or forgot stays theirs. In an accepted folder all of it may be told; else see `Statement.mayBeTold`.
 */
export async function storeStatements(
  context: MemoryContext,
  statements: readonly Statement[],
  options: StoreStatementsOptions,
): Promise<{ kept: StoredStatements[]; forgotten: string[] }> {
  // First, so that what has moved to another file is not taken for known there.
  const forgotten = await forgetOthers(context, new Set(statements.map(({ key }) => key)), options);
  const kept: StoredStatements[] = [];
  for (let at = 0; at < statements.length; at += atOnce) {
    kept.push(...(await keepPortion(context, statements.slice(at, at + atOnce), options)));
  }
  return { kept, forgotten };
}

/** Forgets what no file says any more, and tells the keys. */
async function forgetOthers(
  context: MemoryContext,
  said: ReadonlySet<string>,
  { isOneOfThem, unread }: StoreStatementsOptions,
): Promise<string[]> {
  const forgotten: string[] = [];
  for (;;) {
    const portion = await changeMemories(context, async (writer, project) => {
      const known = await listKnown(writer, project, context.now());
      const gone = [...known].filter(
        ([key, { record }]) =>
          isOneOfThem(key) &&
          !said.has(key) &&
          !unread.includes(fileOf(key)) &&
          record.forgottenAt === undefined &&
          isOurs(record) &&
          !record.pinned,
      );
      for (const [, old] of gone.slice(0, atOnce)) await letGo(writer, project, old, context.now());
      return gone.slice(0, atOnce).map(([key]) => key);
    });
    forgotten.push(...portion);
    if (portion.length < atOnce) return forgotten;
  }
}

async function keepPortion(
  context: MemoryContext,
  statements: readonly Statement[],
  { takesNew, withdrawn }: StoreStatementsOptions,
): Promise<StoredStatements[]> {
  const folder = await context.folder();
  return changeMemories(context, async (writer, project) => {
    const now = context.now();
    const accepted = await areRulesAccepted(writer, project, folder);
    const known = await listKnown(writer, project, now);
    const kept: StoredStatements[] = [];
    for (const { key, memory, mayBeTold, isQuoted } of statements) {
      const old = known.get(key);
      const isTrusted = accepted || mayBeTold;
      const trust = { isTrusted, takesNew, mayDoubt: withdrawn && isQuoted };
      kept.push(
        await (old
          ? settle(writer, project, old, memory, trust, now)
          : add(writer, project, { key, memory, ...trust }, now)),
      );
    }
    return kept;
  });
}

/** Input by input, under their keys: cleaned, and marked as what they are. What cannot be kept is left out. */
export async function prepareStatements<T extends { input: MemoryInput }>(
  context: MemoryContext,
  said: readonly T[],
  keyOf: (one: T, memory: PreparedMemory) => string,
): Promise<(T & { key: string; memory: PreparedMemory })[]> {
  const prepared = new Map<string, T & { key: string; memory: PreparedMemory }>();
  for (const one of said) {
    try {
      const [memory] = (await prepareMemories(context, [one.input])) as [PreparedMemory];
      const key = keyOf(one, memory);
      // As it was written, so that a person's edit is known by it.
      const metadata = { project_fact: key, project_text: memory.contentHash };
      if (!prepared.has(key)) prepared.set(key, { ...one, key, memory: { ...memory, metadata } });
    } catch (error) {
      // Such as a text of which nothing is left without its private parts.
      if (!(error instanceof MemoryError)) throw error;
    }
  }
  return [...prepared.values()];
}

/** Those that are known, by their keys. By ids that follow from the project's own: what only says that it is one is none. */
export async function listKnown(reader: Reader, project: Project, now: Date): Promise<Map<string, KeyedMemory>> {
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project AND metadata LIKE '%"project_fact"%' ORDER BY key`,
    { project: project.number },
  );
  const keys = rows.map((row) => Number(row["key"]));
  const known = new Map<string, KeyedMemory>();
  for (const keyed of await listByKeys(reader, project, keys, now)) {
    const { id, metadata } = keyed.record;
    const key = metadata["project_fact"];
    if (typeof key === "string" && id === idOf(project, key)) known.set(key, keyed);
  }
  return known;
}

export function fileOf(key: string): string {
  return key.slice(0, key.lastIndexOf(" "));
}

/** What stands in the place of a statement that has no memory of its own: the same said by somebody else. */
export async function findStandIn(
  reader: Reader,
  project: Project,
  { key, memory }: Pick<Statement, "key" | "memory">,
  now: Date,
): Promise<Memory | undefined> {
  const [same] = await listSameText(reader, project, memory, now);
  // One that became a person's, by saying the same, may have been edited since.
  const [taken] = same ? [same] : await listByReference(reader, project, idOf(project, key), now);
  return taken?.memory;
}

function idOf(project: Project, key: string): string {
  return idFrom("project-fact", project.id, key);
}

interface Trust {
  isTrusted: boolean;
  takesNew: boolean;
  mayDoubt: boolean;
}

async function add(
  writer: MemoryWriter,
  project: Project,
  { key, memory, isTrusted, takesNew }: Pick<Statement, "key" | "memory"> & Trust,
  now: Date,
): Promise<StoredStatements> {
  const standIn = await findStandIn(writer, project, { key, memory }, now);
  if (standIn) return { became: "unchanged", memory: standIn };
  if (!takesNew) return { became: "new" };
  const told = { ...memory, trustFlags: flagsOf(memory.trustFlags, isTrusted) };
  return {
    became: "added",
    memory: (await insertMemory(writer, project, told, now, { id: idOf(project, key) })).memory,
  };
}

async function settle(
  writer: MemoryWriter,
  project: Project,
  old: KeyedMemory,
  memory: PreparedMemory,
  { isTrusted, takesNew, mayDoubt }: Trust,
  now: Date,
): Promise<StoredStatements> {
  const { key, record } = old;
  const wasGone = record.metadata["project_gone"] === true;
  if (record.forgottenAt === undefined ? !isOurs(record) : !wasGone) return { became: "left", memory: old.memory };
  if (wasGone && !takesNew) return { became: "new" };
  const isSame = hashOf(record.content) === memory.contentHash;
  const isLifted = isTrusted && isUnverified(record);
  const isDoubted = mayDoubt && !isTrusted && !isUnverified(record) && !record.userVerified;
  if (isSame && !wasGone && !isLifted && !isDoubted) return { became: "unchanged", memory: old.memory };
  const { content, citationText, metadata, relatedFiles } = memory;
  const fields = {
    metadata,
    trustFlags: flagsOf(isSame ? record.trustFlags : memory.trustFlags, isTrusted),
    // Whoever verified it has verified another text.
    ...(!isSame && { content, citationText, relatedFiles, userVerified: false }),
  };
  const changed = await noteChanges(
    writer,
    project,
    { verb: wasGone ? "restored" : "edited", keys: [key], now },
    async () => {
      if (wasGone) await restoreRow(writer, project, old, now);
      return writeFields(writer, project, key, fields, now);
    },
  );
  return { became: wasGone ? "added" : isSame ? "unchanged" : "updated", memory: changed.memory };
}

/** As it was learned: not edited, not flagged, and in force. */
function isOurs({ content, metadata, validUntil, review }: MemoryRecord): boolean {
  return hashOf(content) === metadata["project_text"] && validUntil === undefined && review.state !== "flagged";
}

function flagsOf(flags: readonly TrustFlag[], isTrusted: boolean): TrustFlag[] {
  const others = flags.filter((flag) => flag !== "unverified");
  return isTrusted ? others : [...others, "unverified" as const].toSorted();
}

/** Marked, so that it comes back when a file says so again, which what a person forgot does not. */
async function letGo(writer: MemoryWriter, project: Project, { key, record }: KeyedMemory, now: Date): Promise<void> {
  await noteChanges(writer, project, { verb: "forgotten", keys: [key], now }, async () => {
    await writeFields(writer, project, key, { metadata: { ...record.metadata, project_gone: true } }, now);
    await forgetRow(writer, project, key, now);
  });
}
