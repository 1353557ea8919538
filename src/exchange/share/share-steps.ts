import type { MemoryWriter } from "../../memory/change/change.js";
import { listByKeys } from "../../memory/read/read.js";
import { type Project, type ProjectContext, readProject } from "../../project/project.js";
import type { Reader } from "../../storage/storage.js";
import type { SharedChanges, SharedWaiting, ShareReport } from "../exchange.js";
import { explainMissing } from "./missing-files.js";
import { findFiles } from "./shared-files.js";
import {
  hashOfText,
  listSharedNames,
  removeSharedFile,
  sharedPath,
  syncSharedFolder,
  writeSharedFile,
} from "./shared-folder.js";
import {
  isForOthers,
  listElsewhere,
  listSides,
  listWithheld,
  toLocal,
  type DiskState,
  type Targets,
} from "./shared-memories.js";
import { forgetStates, hashOfPath, listSharedStates, writeSharedStates, type SharedState } from "./shared-state.js";
import { filesMissing, holdBack, planStep, type Choice, type Step } from "./share-plan.js";
import { proposeFiles } from "./proposals.js";
import { dropReviews, listReviews, listTrustedAuthors } from "./shared-reviews.js";
import { findOrigins, mayRemove, nameOf, type Vouching } from "./vouching.js";
import { importSharedFiles, type ImportedFiles } from "./import-shared-files.js";

/** Looks at the disk, before any transaction. `visible` are memories that are about to be made visible. */
export async function readDisk(
  context: ProjectContext,
  root: string,
  { visible = [], gitMs, isByUser = false }: { visible?: Iterable<string>; gitMs: number; isByUser?: boolean },
): Promise<DiskState> {
  const states = await readProject(context, [], listSharedStates);
  const vouching: Vouching = {
    isByUser,
    trusted: await readProject(context, new Set(), listTrustedAuthors),
    reviews: await readProject(context, [], listReviews),
  };
  const found = await findFiles(context, root, states);
  const names = await listSharedNames(root);
  const there = new Set(names?.map(hashOfPath));
  const ids = new Set([...found.files.map(({ fileId }) => fileId), ...found.unreadIds]);
  const gone = states.filter(
    (state) => names && state.root === root && !there.has(state.pathHash) && !ids.has(state.fileId),
  );
  const hashes = gone.map(({ pathHash }) => pathHash);
  const missing = await explainMissing(root, hashes, { timeoutMs: gitMs });
  const { origins, authors } = await findOrigins(root, found.files, vouching, gitMs);
  const remover = async (commit: string, hash: string) =>
    (await authors()).removedBy(commit, (path) => hashOfPath(path.slice(sharedPath.length + 1)) === hash);
  const removers = new Map<string, string>();
  for (const [hash, why] of missing) {
    const author = why.how === "removed" ? await remover(why.commit, hash) : undefined;
    if (why.how === "removed" && !mayRemove(author, vouching)) removers.set(hash, author ? nameOf(author) : "somebody");
  }
  return {
    ...found,
    missing,
    isByUser,
    removers,
    origins,
    refused: new Set(vouching.reviews.flatMap((one) => (one.answer === "refused" ? [one.fileHash] : []))),
    elsewhere: await listElsewhere(states, root),
    visible: new Set(visible),
    isNew: names === undefined,
  };
}

/** What was chosen for a memory where somebody has to choose. */
export type Chosen = (id: string) => Choice;

/** What would be done. */
export async function planAhead(
  context: ProjectContext,
  root: string,
  look: DiskState,
  chosen: Chosen,
): Promise<Step[]> {
  return readProject(context, [], (reader, project) => plan(reader, project, root, look, chosen, context.now()));
}

async function plan(
  reader: Reader,
  project: Project,
  root: string,
  look: DiskState,
  chosen: Chosen,
  now: Date,
): Promise<Step[]> {
  const sides = await listSides(reader, project, root, look, now);
  return sides.map((side) => {
    const choice = chosen(side.id);
    // Whoever was shown both texts and chose the file's has looked at it.
    const isChosen = look.isByUser && choice.prefer === "files" && planStep(side, {}).do === "ask";
    return holdBack(planStep(side, choice), look, isChosen);
  });
}

/** Takes in what the files have to say: all of it, or as much as nobody has to wait for. */
export async function importSteps(
  writer: MemoryWriter,
  project: Project,
  root: string,
  look: DiskState,
  chosen: Chosen,
  now: Date,
  most = Infinity,
): Promise<ImportedFiles & { steps: Step[]; isWhole: boolean }> {
  const planned = await plan(writer, project, root, look, chosen, now);
  const later = new Set(planned.filter(isImport).slice(most));
  const steps = planned.filter((step) => !later.has(step));
  const taken = await importSharedFiles(writer, project, steps, look.origins, now);
  const proposed = await proposeFiles(writer, project, root, steps, now, most);
  const imported = steps.flatMap(({ do: what, side }) =>
    (what === "add" || what === "update") && side.file && !taken.refused.has(side.id) ? [side.file.hash] : [],
  );
  await dropReviews(writer, project, imported, "approved");
  await noteAgreement(writer, project, root, steps, (step) => isImport(step) || step.do === "nothing", taken, now);
  const gone = steps.flatMap(({ do: what, side }) => (what === "forget" ? [side.id] : []));
  await forgetStates(writer, project, gone);
  return { ...taken, steps, isWhole: later.size === 0 && proposed.isWhole };
}

export function isImport(step: Step): boolean {
  return step.do === "add" || step.do === "update" || step.do === "forget";
}

/** Tells the files what the store has to say. It is on disk before the store notes that both agree. */
export async function writeSteps(root: string, steps: Step[]): Promise<void> {
  for (const step of steps) {
    if (step.do === "write") await writeSharedFile(root, step.side.path, step.side.local.text);
    if (step.do === "remove") await removeSharedFile(root, step.side.path);
  }
  if (steps.some((step) => step.do === "write" || step.do === "remove")) syncSharedFolder(root);
}

/** Notes how files and memories look now that these steps are done; about the others it stays as it was. */
export async function noteAgreement(
  writer: MemoryWriter,
  project: Project,
  root: string,
  steps: Step[],
  isDone: (step: Step) => boolean,
  { keys, refused }: Pick<ImportedFiles, "keys" | "refused">,
  now: Date,
): Promise<void> {
  const states = new Map(
    (await listSharedStates(writer, project))
      .filter((state) => state.root === root)
      .map((state) => [state.memoryId, state]),
  );
  const keyOf = ({ side }: Step) => keys.get(side.id) ?? side.local?.key;
  const present = steps.flatMap((step) => keyOf(step) ?? []);
  const after = new Map((await listByKeys(writer, project, present, now)).map((one) => [one.key, one]));
  const fileIds = new Map(steps.map(({ side }) => [side.id, side.fileId]));
  const targets: Targets = new Map(
    [...after.values()]
      .filter(({ memory }) => isForOthers(memory))
      .map(({ record }) => [record.id, fileIds.get(record.id) ?? record.id]),
  );
  for (const step of steps) {
    const { id, fileId, path, file, known, isBlocked, isElsewhere } = step.side;
    if (
      !isDone(step) ||
      step.do === "ask" ||
      step.do === "ask-missing" ||
      step.do === "propose" ||
      isBlocked ||
      refused.has(id)
    )
      continue;
    // Another branch is checked out here, and what was agreed upon still holds.
    if (step.do === "nothing" && !file && known && isElsewhere) continue;
    states.delete(id);
    const keyed = after.get(keyOf(step) ?? -1);
    const fileHash = step.do === "write" ? hashOfText(step.side.local.text) : file?.hash;
    if (step.do === "remove" || step.do === "forget" || fileHash === undefined || !keyed) continue;
    const state: SharedState = {
      root,
      pathHash: hashOfPath(path),
      memoryId: id,
      fileId,
      fileHash,
      memoryHash: toLocal(keyed, fileId, targets).hash,
    };
    states.set(id, state);
  }
  await writeSharedStates(writer, project, root, [...states.values()]);
}

function waitingOf({ side: { path }, origin: { sharedBy, reason } }: Extract<Step, { do: "propose" }>): SharedWaiting {
  return { file: `${sharedPath}/${path}`, reason, ...(sharedBy !== undefined && { sharedBy }) };
}

/** What was done, or would be. Files that are only read, and not written, stay damaged: `isRepaired` is false then. */
export function reportOf(
  steps: Step[],
  { problems, refused }: DiskState,
  { taken, isRepaired }: { taken?: Pick<ImportedFiles, "refused">; isRepaired: boolean },
): ShareReport {
  const sides = (what: Step["do"]) =>
    steps.filter((step) => step.do === what && !taken?.refused.has(step.side.id)).map(({ side }) => side);
  const paths = (what: Step["do"]) => sides(what).map(({ path }) => path);
  const repaired = sides("write").flatMap(({ isDamaged, path }) => (isDamaged ? [path] : []));
  const missing = sides("ask-missing");
  const still = sides("nothing").filter(({ file }) => file !== undefined);
  const rejected = still.filter(({ file, local }) => file && refused.has(file.hash) && file.hash !== local?.hash);
  const read: SharedChanges = { added: paths("add"), updated: paths("update"), forgotten: paths("forget") };
  return {
    folder: sharedPath,
    written: paths("write").filter((path) => !repaired.includes(path)),
    repaired,
    removed: paths("remove"),
    unchanged: still.length - rejected.length,
    rejected: rejected.map(({ path }) => path),
    read,
    withheld: listWithheld(steps.map(({ side }) => side)),
    missing: missing.map(({ id, path }) => ({ file: `${sharedPath}/${path}`, id })),
    waiting: steps.flatMap((step) => (step.do === "propose" ? [waitingOf(step)] : [])),
    problems: [
      ...[...problems].flatMap(([path, problem]) => (isRepaired && repaired.includes(path) ? [] : [problem])),
      ...(missing.length > 0 ? [filesMissing(missing)] : []),
      ...(taken?.refused.values() ?? []),
      ...steps.flatMap((step) => (step.do === "ask" ? [step.problem] : [])),
    ],
  };
}
