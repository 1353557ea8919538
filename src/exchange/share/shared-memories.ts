import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { idFrom } from "../../base/ids/ids.js";
import { hashOf, isUnvouched } from "../../memory/record/record.js";
import { listByKeys, type KeyedMemory } from "../../memory/read/read.js";
import type { Memory } from "../../memory/memory.js";
import type { Project } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import { fileNameOf, renderMarkdown } from "../formats/markdown.js";
import { isDamaged } from "./suspect-files.js";
import type { MissingReason } from "./missing-files.js";
import type { FoundFile, FoundFiles } from "./shared-files.js";
import { hashOfText, sharedPath } from "./shared-folder.js";
import { hashOfPath, listSharedStates, listVersions, versionOf, type SharedState } from "./shared-state.js";
import { sharedByKey } from "./shared-by.js";
import type { LocalMemory, Side } from "./share-plan.js";
import type { Origin } from "./vouching.js";

/** The paths of the shared files in other work trees, hashed, by root: found before a transaction, which must not wait. */
export type Elsewhere = Map<string, Set<string>>;

export async function listElsewhere(states: SharedState[], root: string): Promise<Elsewhere> {
  const roots = new Set(states.map((state) => state.root).filter((other) => other !== root));
  const found: Elsewhere = new Map();
  for (const other of roots) {
    const folder = join(other, sharedPath);
    const names = existsSync(folder) ? await readdir(folder).catch(() => []) : [];
    found.set(other, new Set(names.map(hashOfPath)));
  }
  return found;
}

/** What a look at the disk gives, before any transaction. */
export interface DiskState extends FoundFiles {
  elsewhere: Elsewhere;
  /** Memories that are about to be made visible. */
  visible: ReadonlySet<string>;
  /** There is no folder, which means nothing: neither that everything was removed nor that it must stay away. */
  isNew: boolean;
  /** What git knows of the files that are gone, by the hash of their path. */
  missing: Map<string, MissingReason>;
  /** A person asked for it, or their program. */
  isByUser: boolean;
  /** Who removed files whose removal does not count here, by the hash of their path. */
  removers: ReadonlyMap<string, string>;
  /** Where the texts of new and changed files come from, by path. */
  origins: ReadonlyMap<string, Origin>;
  /** Texts that a person refused, by their hash. */
  refused: ReadonlySet<string>;
}

/** Every memory that is shared, was shared, or has a file, seen from all sides. In a stable order. */
export async function listSides(
  reader: Reader,
  project: Project,
  root: string,
  { files, problems, unreadIds, doubtful, elsewhere, visible, isNew, missing, removers }: DiskState,
  now: Date,
): Promise<Side[]> {
  const all = await listSharedStates(reader, project);
  const states = isNew ? all.filter((state) => state.root !== root) : all;
  const versions = await listVersions(reader, project);
  const known = new Map(states.filter((state) => state.root === root).map((state) => [state.memoryId, state]));
  const others = new Map<string, SharedState[]>();
  for (const state of states.filter((one) => one.root !== root)) {
    others.set(state.memoryId, [...(others.get(state.memoryId) ?? []), state]);
  }
  const foreign = await listForeign(reader, project, files);
  const filesById = new Map(
    files.map((file) => [foreign.has(file.fileId) ? idFrom(project.id, file.fileId) : file.fileId, file]),
  );
  const locals = await listLocals(reader, project, [...filesById.keys(), ...known.keys(), ...visible], now);
  const damagedIds = await listDamagedTexts(reader, [...locals.values()]);
  const hasLostIds = [...locals.keys()].some((id) => id.includes("\uFFFD"));
  const unreadable = new Set([...problems.keys()].map(hashOfPath));
  const occupied = new Set(files.map(({ path }) => hashOfPath(path)));
  const seen = new Map([...locals].map(([id, keyed]) => [id, visible.has(id) ? asVisible(keyed) : keyed]));
  const fileIdOf = (id: string) =>
    filesById.get(id)?.fileId ?? known.get(id)?.fileId ?? others.get(id)?.[0]?.fileId ?? id;
  const targets: Targets = new Map(
    [...seen].filter(([, { memory }]) => isForOthers(memory)).map(([id]) => [id, fileIdOf(id)]),
  );

  return [...new Set([...locals.keys(), ...filesById.keys(), ...known.keys()])].toSorted().map((id): Side => {
    const file = filesById.get(id);
    const state = known.get(id);
    const agreed = state ?? findAgreement(others.get(id) ?? [], file);
    const keyed = seen.get(id);
    const fileId = fileIdOf(id);
    const local = keyed && toLocal(keyed, fileId, targets);
    const ownName = keyed ? fileNameOf({ ...keyed.record, id: fileId }) : id;
    const places = [hashOfPath(file?.path ?? ownName), ...(state ? [state.pathHash] : [])];
    const damaged = places
      .flatMap((place) => doubtful.get(place) ?? [])
      .find((one) => local?.isShared && isDamaged(one, local.text));
    const why = state && !file && !damaged ? (missing.get(state.pathHash) ?? { how: "vanished" }) : undefined;
    const isElsewhere =
      why?.how === "on-another-branch" ||
      (others.get(id) ?? []).some((other) => elsewhere.get(other.root)?.has(other.pathHash));
    const path = file?.path ?? damaged?.path ?? ownName;
    const remover = why?.how === "removed" ? removers.get(state?.pathHash ?? "") : undefined;
    return {
      id,
      fileId,
      path,
      isElsewhere,
      isOutdated:
        isElsewhere && file !== undefined && file.hash !== agreed?.fileHash && versions.has(versionOf(id, file.hash)),
      // Damage is no change: neither is a damaged text written, nor a file removed because the id of its memory was damaged.
      isBlocked:
        damagedIds.has(id) ||
        (!local && hasLostIds) ||
        (!damaged && (places.some((place) => unreadable.has(place)) || unreadIds.has(fileId))),
      isDamaged: damaged !== undefined && !damagedIds.has(id),
      isVanished: !isElsewhere && why !== undefined && (remover !== undefined || !isRemoved(why, keyed)),
      isTaken: !file && occupied.has(hashOfPath(path)),
      isReplacedHere: isReplacedHere(keyed, seen),
      ...(remover !== undefined && { removedBy: remover }),
      ...(file && { file }),
      ...(state && { known: state }),
      ...(agreed && { agreed }),
      ...(local && { local }),
    };
  });
}

/** What took its place is not shared: it is personal, or withheld. */
function isReplacedHere(keyed: KeyedMemory | undefined, seen: ReadonlyMap<string, KeyedMemory>): boolean {
  const passed = new Set<string>();
  let next = keyed?.memory.supersededBy;
  while (next !== undefined && !passed.has(next)) {
    passed.add(next);
    const successor = seen.get(next)?.memory;
    if (successor && isForOthers(successor)) return false;
    next = successor?.supersededBy;
  }
  return passed.size > 0;
}

/** The memories whose text does not fit its hash any more. */
async function listDamagedTexts(reader: Reader, locals: KeyedMemory[]): Promise<Set<string>> {
  const rows = await reader.rows(
    "SELECT key, content_hash FROM memories WHERE key IN (SELECT value FROM json_each(:keys))",
    { keys: JSON.stringify(locals.map(({ key }) => key)) },
  );
  const hashes = new Map(rows.map((row) => [Number(row["key"]), row["content_hash"]]));
  return new Set(
    locals.filter(({ key, record }) => hashOf(record.content) !== hashes.get(key)).map(({ record }) => record.id),
  );
}

/** Somebody committed its removal, and not before its memory last changed: it may have been restored and shared again since. */
function isRemoved(why: MissingReason, keyed: KeyedMemory | undefined): boolean {
  if (why.how !== "removed") return false;
  // Git counts whole seconds.
  return !keyed || why.at.getTime() >= Math.floor(Date.parse(keyed.record.updatedAt) / 1000) * 1000;
}

/** Ids that belong to a memory of another project of this store, such as the one a fork was made from. */
async function listForeign(reader: Reader, project: Project, files: FoundFile[]): Promise<Set<string>> {
  const rows = await reader.rows(
    `SELECT id FROM memories
     WHERE id IN (SELECT value FROM json_each(:ids)) AND +project_number <> :project`,
    { ids: JSON.stringify(files.map(({ fileId }) => fileId)), project: project.number },
  );
  return new Set(rows.map((row) => String(row["id"])));
}

/** In a clone that is new here, the file may be as another clone had it. */
function findAgreement(elsewhere: SharedState[], file: FoundFile | undefined): SharedState | undefined {
  return elsewhere.find(({ fileHash }) => fileHash === file?.hash) ?? elsewhere[0];
}

/** The memories with these ids, and all that somebody made visible. */
async function listLocals(
  reader: Reader,
  project: Project,
  ids: string[],
  now: Date,
): Promise<Map<string, KeyedMemory>> {
  const rows = await reader.rows(
    `SELECT key FROM memories WHERE project_number = :project
       AND (visibility IN ('project', 'team', 'org') OR id IN (SELECT value FROM json_each(:ids)))`,
    { project: project.number, ids: JSON.stringify(ids) },
  );
  const keys = rows.map((row) => Number(row["key"]));
  return new Map((await listByKeys(reader, project, keys, now)).map((one) => [one.record.id, one]));
}

/** The shared memories that relations may lead to, with the ids of their files. */
export type Targets = ReadonlyMap<string, string>;

/** A memory as it would lie in git. A forgotten one is compared with the names it had. */
export function toLocal(keyed: KeyedMemory, fileId: string, targets: Targets): LocalMemory {
  const { releasedNames } = keyed.record;
  // What leads to a memory that is not shared means nothing to others.
  const relations = keyed.record.relations.flatMap((relation) => {
    if (relation.memory === undefined) return [relation];
    const target = targets.get(relation.memory);
    return target === undefined ? [] : [{ ...relation, memory: target }];
  });
  const names = releasedNames && {
    ...(releasedNames.name !== null && { name: releasedNames.name }),
    aliases: releasedNames.aliases,
  };
  // A path outside the project means something on this machine only, and tells about it.
  const relatedFiles = keyed.record.relatedFiles.filter((file) => !isOutside(file));
  const { [sharedByKey]: _whose, ...metadata } = keyed.record.metadata;
  const text = renderMarkdown({ ...keyed.record, ...names, metadata, relatedFiles, relations, id: fileId }, "shared");
  return { ...keyed, isShared: isForOthers(keyed.memory), text, hash: hashOfText(text) };
}

function asVisible(keyed: KeyedMemory): KeyedMemory {
  const visibility = "project";
  return { ...keyed, record: { ...keyed.record, visibility }, memory: { ...keyed.memory, visibility } };
}

export function isForOthers(memory: Memory): boolean {
  return isMeantForOthers(memory) && !isWithheld(memory);
}

export function isOutside(file: string): boolean {
  return isAbsolute(file) || /^[A-Za-z]:[\\/]/.test(file) || file.split(/[\\/]/).includes("..");
}

// Listed, so that a damaged value shares nothing.
const visibleToOthers = new Set<string>(["project", "team", "org"]);

/** Somebody made it visible, it is in force, and it is more than one session's. */
function isMeantForOthers({ visibility, status, scope, type }: Memory): boolean {
  return visibleToOthers.has(visibility) && status === "active" && scope !== "session" && type !== "conversation";
}

/** What the scanner found something in, or what nobody vouches for, stays here. */
export function isWithheld(memory: Memory): boolean {
  return memory.trustFlags.includes("secret-redacted") || isUnvouched(memory);
}

/** Memories that are meant for others and stay here all the same. */
export function listWithheld(sides: Side[]): Memory[] {
  return sides.flatMap(({ local }) =>
    local && isMeantForOthers(local.memory) && isWithheld(local.memory) ? [local.memory] : [],
  );
}
