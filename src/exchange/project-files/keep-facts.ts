import { idFrom } from "../../base/ids.js";
import { MemoryError } from "../../base/memory-error.js";
import { isUnverified } from "../../memory/decay.js";
import { forgetRow } from "../../memory/forget.js";
import { noteChanges } from "../../memory/history.js";
import { listByKeys, listSameText, type KeyedMemory } from "../../memory/memory-queries.js";
import type { MemoryRecord } from "../../memory/memory-record.js";
import type { Memory, TrustFlag } from "../../memory/memory.js";
import { hashOf, prepareMemories, type PreparedMemory } from "../../memory/prepare-memory.js";
import { writeProject, type ProjectStore } from "../../memory/project-store.js";
import { isAccepted, type Project } from "../../memory/projects.js";
import { keepNew } from "../../memory/remember.js";
import { restoreRow } from "../../memory/restore.js";
import { writeFields } from "../../memory/write-fields.js";
import type { Reader, Writer } from "../../storage/storage.js";
import type { FoundFacts } from "./list-facts.js";
import type { LearnedFacts, ProjectFact } from "./project-files.js";

export interface KeepFactsOptions {
  /** A person wants this folder to be learned. */
  invited: boolean;
  /** A person no longer trusts the folder: what others worded is told to nobody any more. */
  withdrawn?: boolean;
}

/**
 * Brings the memories of what a project says of itself into step with what its files say now: one for each file and subject.
 * What changed is written over, with its history; what no file says any more is forgotten; what is the same stays. What a
 * person edited, flagged, replaced, pinned or forgot stays theirs.
 *
 * Who may be told: what lies in a work tree may come from a stranger, and an agent that is told something unasked takes it
 * for true. With an invitation, on a terminal or by `--yes`, a person wants this folder learned, but has read none of these
 * sentences: so only what Tacit words itself, around values that fit no sentence, may be told then. The words of others
 * answer whoever asks, marked as unverified, until the folder is accepted as a whole or one is verified.
 */
export async function keepFacts(
  from: ProjectStore,
  { facts, unread }: FoundFacts,
  { invited, withdrawn = false }: KeepFactsOptions,
): Promise<Omit<LearnedFacts, "found">> {
  const folder = await from.folder();
  const prepared = await prepareAll(from, facts);
  return writeProject(from, async (writer, project) => {
    const now = from.now();
    const accepted = await isAccepted(writer, project, folder);
    const known = await listKnown(writer, project, now);
    const report = { memories: [] as Memory[], added: 0, updated: 0, unchanged: 0, forgotten: 0, left: 0 };
    for (const { fact, memory } of prepared) {
      const old = known.get(keyOf(fact));
      const isTrusted = accepted || (invited && !fact.isQuoted);
      const kept = old
        ? await settle(writer, project, old, memory, { isTrusted, mayDoubt: withdrawn && fact.isQuoted === true }, now)
        : await add(writer, project, { key: keyOf(fact), memory, isTrusted }, now);
      report[kept.became] += 1;
      if (kept.memory?.status === "active") report.memories.push(kept.memory);
    }
    const said = new Set(facts.map(keyOf));
    for (const [key, old] of known) {
      const [file = ""] = key.split(" ");
      if (said.has(key) || unread.includes(file) || old.record.forgottenAt !== undefined) continue;
      if (!isOurs(old.record) || old.record.pinned) continue;
      await letGo(writer, project, old, now);
      report.forgotten += 1;
    }
    return report;
  });
}

/** Whether anything was learned from the files of this project. */
export async function hasFacts(reader: Reader, project: Project, now: Date): Promise<boolean> {
  return (await listKnown(reader, project, now)).size > 0;
}

interface PreparedFact {
  fact: ProjectFact;
  memory: PreparedMemory;
}

/** One that cannot be kept, such as a text of which nothing is left without its private parts, is left out. */
async function prepareAll(from: ProjectStore, facts: readonly ProjectFact[]): Promise<PreparedFact[]> {
  const prepared: PreparedFact[] = [];
  for (const fact of facts) {
    const { subject, content, file, isQuoted } = fact;
    const input = {
      type: isQuoted ? "context" : "fact",
      content,
      relatedFiles: [file],
      tags: ["project", subject],
      source: "commit_auto" as const,
      confidence: isQuoted ? 0.8 : 0.9,
      // What it says, where all of them begin alike.
      ...(isQuoted && { citationText: content.replace(/^.*?"/, "") }),
    };
    try {
      const [memory] = (await prepareMemories(from, [input])) as [PreparedMemory];
      // As it was written, so that a person's edit is known by it.
      const metadata = { project_fact: keyOf(fact), project_text: memory.contentHash };
      prepared.push({ fact, memory: { ...memory, metadata } });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
    }
  }
  return prepared;
}

function keyOf({ file, subject }: ProjectFact): string {
  return `${file} ${subject}`;
}

/** By ids that follow from the project's own: what arrives from elsewhere and only says that it is one of these is none. */
async function listKnown(reader: Reader, project: Project, now: Date): Promise<Map<string, KeyedMemory>> {
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

function idOf(project: Project, key: string): string {
  return idFrom("project-fact", project.id, key);
}

interface Kept {
  became: "added" | "updated" | "unchanged" | "left";
  memory?: Memory;
}

async function add(
  writer: Writer,
  project: Project,
  { key, memory, isTrusted }: { key: string; memory: PreparedMemory; isTrusted: boolean },
  now: Date,
): Promise<Kept> {
  // Somebody has said the very same already.
  const [same] = await listSameText(writer, project, memory, now);
  if (same) return { became: "unchanged", memory: same.memory };
  const told = { ...memory, trustFlags: flagsOf(memory.trustFlags, isTrusted) };
  return { became: "added", memory: (await keepNew(writer, project, told, now, { id: idOf(project, key) })).memory };
}

async function settle(
  writer: Writer,
  project: Project,
  old: KeyedMemory,
  memory: PreparedMemory,
  { isTrusted, mayDoubt }: { isTrusted: boolean; mayDoubt: boolean },
  now: Date,
): Promise<Kept> {
  const { key, record } = old;
  const wasGone = record.metadata["project_gone"] === true;
  if (record.forgottenAt === undefined ? !isOurs(record) : !wasGone) return { became: "left", memory: old.memory };
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
  return { became: wasGone ? "added" : "updated", memory: changed.memory };
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
async function letGo(writer: Writer, project: Project, { key, record }: KeyedMemory, now: Date): Promise<void> {
  await noteChanges(writer, project, { verb: "forgotten", keys: [key], now }, async () => {
    await writeFields(writer, project, key, { metadata: { ...record.metadata, project_gone: true } }, now);
    await forgetRow(writer, project, key, now);
  });
}
