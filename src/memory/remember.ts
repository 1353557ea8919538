import { newId, shortId } from "../base/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Writer } from "../storage/storage.js";
import { toMemory } from "./to-memory.js";
import { keyRange, listByKeys, listSameText, type KeyedMemory } from "./memory-queries.js";
import { columnsOf } from "./memory-record.js";
import type { MemoryRecord, MemoryInput, RememberedMemory, TrustFlag } from "./memory.js";
import { memoryType } from "./memory-types.js";
import { addsNothing, isVouchedFor, mayMergeRecords, mergedFields } from "./merge-records.js";
import { forgetRows } from "./forget.js";
import { noteChanges } from "./history.js";
import { bindName, listLosers, type BindOptions } from "./names.js";
import { prepareMemories, type PreparedMemory } from "./prepare-memory.js";
import { listLeastWorth } from "./prune-queries.js";
import { refuseWhenDisabled, writeProject, type ProjectContext } from "../project/project-context.js";
import type { Project } from "../project/projects.js";
import { relate, unrelate } from "./relations.js";
import { linkSimilar, listSimilar } from "./similar.js";
import { indexMemory } from "./derived-indexes.js";
import { writeFields } from "./write-fields.js";

/**
 * Keeps memories, all of them or none, and answers in input order. The same text of the same type is merged into the
 * older memory, which gains the tags, files and session of the newer; `merged` tells the caller. What is said unverified adds
 * nothing to what is known, and becomes what somebody trusted says of it who says the same. Where the configuration
 * allows so many memories and no more, those least worth keeping are forgotten; `evicted` of the last one tells which.
 */
export async function remember(
  context: ProjectContext,
  inputs: MemoryInput[],
  options: RememberOptions = {},
): Promise<RememberedMemory[]> {
  if (!Array.isArray(inputs)) {
    throw new MemoryError("invalid-input", "rememberMany() takes a list.", "For one memory there is remember().");
  }
  if (inputs.length === 0) return [];
  await refuseWhenDisabled(context);
  const { maxEntries } = await context.settings();
  // Before the transaction: cleaning takes longer than writing, and others wait while we hold the lock.
  const prepared = await prepareMemories(context, inputs);
  await loadContradictions();
  const { doubts = [], unverified, ...binding } = options;
  const told = prepared.map((memory, index) => {
    const doubt = doubts[index];
    if (doubt !== undefined) return inDoubt(memory, doubt);
    return unverified === undefined ? memory : asUnverified(memory, unverified);
  });

  return writeProject(context, async (writer, project) =>
    keepMany(writer, project, told, context.now(), { ...binding, maxEntries }),
  );
}

/**
 * The same for what an agent says, whatever it says of itself: it is no person, and takes no name away from the memory that
 * holds it.
 */
export async function rememberAsAgent(
  context: ProjectContext,
  inputs: MemoryInput[],
  options: RememberOptions = {},
): Promise<RememberedMemory[]> {
  refuseRebinding(options);
  const said = Array.isArray(inputs)
    ? inputs.map((input) => (Object(input) === input ? { ...input, source: "agent_explicit" as const } : input))
    : inputs;
  return remember(context, said, options);
}

/** An agent takes no name away. */
export function refuseRebinding({ rebind }: BindOptions): void {
  if (rebind !== true) return;
  throw new MemoryError(
    "invalid-input",
    "An agent may not take a name away from the memory that holds it.",
    "Choose another name; a person can move it: tacit rename REF NAME --rebind",
  );
}

export interface RememberOptions extends BindOptions {
  /** For each input why it is not to be trusted yet, if so: it comes from outside the project, and waits for a person. */
  doubts?: (string | undefined)[];
  /** Why nobody can vouch for the others: they come back when asked for, and are told to nobody who did not ask. */
  unverified?: string;
}

/** A memory for which nobody can vouch: it answers whoever asks, and only a person changes that, or somebody who is trusted. */
export function asUnverified(memory: PreparedMemory, reason: string): PreparedMemory {
  const trustFlags = [...new Set<TrustFlag>([...memory.trustFlags, "unverified"])].toSorted();
  return { ...memory, trustFlags, review: { state: "pending", reason } };
}

// From the seed of the product.
const confidenceInDoubt = 0.7;

/**
 * A memory that comes from outside the project: it counts less, says so, and waits for a person. It gets no name: whoever
 * asks for a name wants what is true, and would be given what nobody has looked at.
 */
export function inDoubt(memory: PreparedMemory, reason: string): PreparedMemory {
  const names = namesOf(memory).map((name) => JSON.stringify(name));
  const replaced = memory.relations.flatMap(({ kind, memory: id }) => (kind === "supersedes" && id ? shortId(id) : []));
  const remarks = [
    reason,
    ...(names.length > 0 ? [`It was to be called ${names.join(", ")}, and is not.`] : []),
    ...(replaced.length > 0 ? [`Once accepted, it takes the place of ${replaced.join(", ")}.`] : []),
  ];
  return { ...memory, ...doubtfulFields(memory, remarks.join(" ")), name: null, aliases: [] };
}

/** The fields that change when it turns out that a memory comes from outside. */
export function doubtfulFields(
  { confidence, trustFlags }: Pick<MemoryRecord, "confidence" | "trustFlags">,
  reason: string,
): { confidence: number; trustFlags: TrustFlag[]; review: { state: "pending"; reason: string } } {
  return {
    confidence: Math.round(confidence * confidenceInDoubt * 1e6) / 1e6,
    trustFlags: [...new Set<TrustFlag>([...trustFlags, "tainted"])].toSorted(),
    review: { state: "pending", reason },
  };
}

/** Keeps prepared memories as part of a larger write, in their order; where there are too many now, some are forgotten. */
export async function keepMany(
  writer: Writer,
  project: Project,
  prepared: PreparedMemory[],
  now: Date,
  { maxEntries, ...options }: BindOptions & { maxEntries: number | null },
): Promise<RememberedMemory[]> {
  const kept: KeptMemory[] = [];
  for (const memory of prepared) kept.push(await keepAndClose(writer, project, memory, now, options));
  // What was merged into is read again; what was just written is known.
  const stale = kept.some(({ merged }) => merged) ? [...new Set(kept.map(({ key }) => key))] : [];
  const known = new Map((await listByKeys(writer, project, stale, now)).map(({ key, memory }) => [key, memory]));
  const answers = kept.map(({ key, merged, memory, takenFrom, contradicted }): RememberedMemory => ({
    ...(known.get(key) ?? memory),
    merged,
    ...(takenFrom && { takenFrom }),
    ...(contradicted && { contradicted }),
  }));
  const coming = kept.map(({ key }) => key);
  const tooMany = maxEntries === null ? [] : await listLeastWorth(writer, project, maxEntries, now, { coming });
  const evicted = await forgetRows(writer, project, tooMany, now, "evicted");
  if (evicted.length > 0) Object.assign(answers.at(-1) as RememberedMemory, { evicted });
  return answers;
}

/** A memory as it stands in the store after it was remembered. */
interface KeptMemory extends KeyedMemory {
  merged: boolean;
  takenFrom?: string[];
  contradicted?: { id: string; why: string }[];
}

let rules: ContradictionRules | undefined;
type ContradictionRules = typeof import("./contradictions/list-contradicted.js") &
  typeof import("./contradictions/close-contradicted.js");

/**
 * What finds and closes contradictions. Its lists of words take some milliseconds to load, which whoever only reads need not
 * spend; to be called before the transaction that keeps memories, since others wait while that lasts.
 */
export async function loadContradictions(): Promise<ContradictionRules> {
  rules ??= {
    ...(await import("./contradictions/list-contradicted.js")),
    ...(await import("./contradictions/close-contradicted.js")),
  };
  return rules;
}

/** Keeps one memory and, where it is new, closes what it contradicts. */
async function keepAndClose(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<KeptMemory> {
  // Before the index has changes of its own to look through.
  const { listContradicted, closeRows } = rules ?? (await loadContradictions());
  const found = await listContradicted(writer, project, memory, now);
  const kept = await keepNoted(writer, project, memory, now, options);
  const olds = kept.merged ? [] : found.map(({ keyed, contradiction: { why } }) => ({ keyed, why }));
  if (olds.length === 0) return kept;
  const closed = await closeRows(writer, project, kept, olds, now);
  return { ...kept, ...closed, contradicted: olds.map(({ keyed, why }) => ({ id: keyed.record.id, why })) };
}

/** Keeps one memory as a step of history: where it merges, or takes a name from another, that one changes. */
async function keepNoted(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<KeptMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  const losers = await listLosers(writer, project, namesOf(memory), older?.key, options);
  if (!older && losers.length === 0) return keepNew(writer, project, memory, now, options);
  const keys = [...(older ? [older.key] : []), ...losers.map(({ key }) => key)];
  return noteChanges(writer, project, { verb: older ? "merged" : "renamed", keys, now }, async (created) => {
    const kept = await keep(writer, project, memory, now, options);
    if (!kept.merged) created(kept.key);
    return losers.length > 0 ? { ...kept, takenFrom: losers.map(({ id }) => id) } : kept;
  });
}

/** Stores one prepared memory, or merges it into the one that already says so. */
export async function keep(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions = {},
): Promise<KeptMemory> {
  const older = await findSameMemory(writer, project, memory, now);
  if (!older) return keepNew(writer, project, memory, now, options);
  return { ...(await merge(writer, project, older, memory, now, options)), merged: true };
}

/**
 * The memory that says the same already. A look before the write, not a constraint, because what may be merged depends
 * on the time; the transaction is IMMEDIATE, so nobody can come between.
 */
export async function findSameMemory(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  except?: number,
): Promise<KeyedMemory | undefined> {
  if (memoryType(memory.type).everyOneCounts) return undefined;
  const same = await listSameText(writer, project, memory, now);
  if (same.length === 0) return undefined;
  const next = newRecord(memory, now);
  // Where exactly one of both ends, one would lose that it does, or that it does not.
  return same.find(({ key, record: old, memory: { status } }) => {
    const endAlike = (old.expiresAt === undefined) === (next.expiresAt === undefined);
    // What waits would keep waiting, and what somebody now says outright must not.
    const waitAlike = status !== "waiting" || next.review.state === "pending";
    return key !== except && endAlike && waitAlike && mayMergeRecords(old, next);
  });
}

export function namesOf({ name, aliases }: PreparedMemory): string[] {
  return name === null ? aliases : [name, ...aliases];
}

/** Stores a memory that is new, under a given id where it has one already. */
export async function keepNew(
  writer: Writer,
  project: Project,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions & { id?: string } = {},
): Promise<KeptMemory> {
  // Before the index has changes of its own to look through.
  const similar = await listSimilar(writer, project, memory);
  const record = { ...newRecord(memory, now), ...(options.id !== undefined && { id: options.id }) };
  const key = await insert(writer, project, record, memory.contentHash);
  await indexMemory(writer, key, project.number, memory);
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name", options);
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of memory.relations) await relate(writer, project, key, relation);
  const links = await linkSimilar(writer, project, key, similar);
  const whole = { ...record, relations: [...memory.relations, ...links] };
  return { key, merged: false, record: whole, memory: toMemory(whole, {}, project, now) };
}

/** The older memory stays and gains what the newer adds. One that a person flagged as wrong stays flagged. */
async function merge(
  writer: Writer,
  project: Project,
  older: KeyedMemory,
  memory: PreparedMemory,
  now: Date,
  options: BindOptions,
): Promise<KeyedMemory> {
  const { key, record: old } = older;
  const next = newRecord(memory, now);
  if (addsNothing(old, next)) return older;
  if (isVouchedFor(old, next)) {
    for (const relation of old.relations) if (!relation.automatic) await unrelate(writer, key, relation);
  }
  if (memory.name !== null) await bindName(writer, project, key, memory.name, "name", options);
  for (const alias of memory.aliases) await bindName(writer, project, key, alias, "alias", options);
  for (const relation of memory.relations) await relate(writer, project, key, relation);
  return writeFields(writer, project, key, mergedFields(old, next), now);
}

/** What is stored of a memory that is new. */
function newRecord(memory: PreparedMemory, now: Date): MemoryRecord {
  const time = now.toISOString();
  const given = {
    name: memory.name,
    data: memory.data,
    sessionId: memory.sessionId,
    agent: memory.agent,
    commit: memory.commit,
    branch: memory.branch,
    halfLifeDays: memory.halfLifeDays,
    expiresAt: memory.expiresAt,
    workUnit: memory.workUnit,
    methodology: memory.methodology,
    chunk: memory.chunk,
  };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Partial<MemoryRecord>),
    id: newId(now),
    type: memory.type,
    content: memory.content,
    aliases: memory.aliases.filter((alias) => alias !== memory.name).toSorted(),
    metadata: memory.metadata,
    tags: memory.tags,
    relatedFiles: memory.relatedFiles,
    relatedModules: memory.relatedModules,
    confidence: memory.confidence,
    scope: memory.scope,
    visibility: memory.visibility,
    source: memory.source,
    provenanceSessionIds: memory.provenanceSessionIds ?? (memory.sessionId === null ? [] : [memory.sessionId]),
    graphNodes: memory.graphNodes,
    relations: memory.relations,
    validFrom: memory.createdAt,
    review: memory.review,
    trustFlags: memory.trustFlags,
    userVerified: false,
    pinned: memory.pinned,
    citationText: memory.citationText,
    accessCount: 0,
    usesSinceCorrection: 0,
    createdAt: memory.createdAt,
    storedAt: time,
    updatedAt: time,
  };
}

/** Writes the row, under the next key of the project, and tells the key. */
async function insert(writer: Writer, project: Project, record: MemoryRecord, contentHash: string): Promise<number> {
  const row = columnsOf(record);
  const columns = Object.keys(row);
  const [written] = await writer.rows(
    `INSERT INTO memories (key, project_number, content_hash, ${columns.join(", ")})
     SELECT ifnull(max(key), :first) + 1, :project, :hash, ${columns.map((column) => `:${column}`).join(", ")}
     FROM memories WHERE key BETWEEN :first AND :last
     RETURNING key`,
    { ...row, ...keyRange(project), project: project.number, hash: contentHash },
  );
  return Number(written?.["key"]);
}
