import { MemoryError } from "../base/memory-error.js";
import { listByKeys } from "../memory/memory-queries.js";
import { refuseWhenDisabled, writeProject, type ProjectStore } from "../memory/project-store.js";
import { acceptProject, findProject, isAccepted, type Project } from "../memory/projects.js";
import { revise } from "../memory/revise.js";
import type { Reader, Writer } from "../storage/storage.js";
import type { SharedChanges, ShareOptions, ShareProblem, ShareReport } from "./exchange.js";
import { planStep, type Side, type Step } from "./share-plan.js";
import { readFiles, type SharedFiles } from "./shared-files.js";
import {
  fingerprintOf,
  hashOfText,
  readSharedFiles,
  removeSharedFile,
  sharedPath,
  writeSharedFile,
} from "./shared-folder.js";
import { listSides, listWithheld, toLocal } from "./shared-memories.js";
import { findFingerprint, writeFingerprint, writeSharedStates, type SharedState } from "./shared-state.js";
import { takeFiles, type Taken } from "./take-files.js";

/**
 * Brings the shared files of the work tree and the memories of the project into step, both ways: what changed on one
 * side is carried to the other, removals too; where both changed, the report asks and nothing is overwritten. Never
 * shares what is personal, or what the scanner found something in.
 */
export async function share(from: ProjectStore, options: ShareOptions = {}): Promise<ShareReport> {
  await refuseWhenDisabled(from);
  const { root } = await from.folder();
  await refuseUnaccepted(from, root);
  if (!options.dryRun) {
    for (const reference of options.references ?? []) await revise(from, reference, { visibility: "project" });
  }
  const read = (await readFiles(from, root)) ?? nothingRead;
  if (options.dryRun) return reportOf(await planAhead(from, root, read, options), read.problems);
  return writeProject(from, async (writer, project) => {
    await acceptProject(writer, project, true, from.now());
    return bringIntoStep(writer, project, from, root, read, { ...options, writing: true });
  });
}

/** What was found when the files were looked at by the way. */
export interface ReadBack {
  /** Files that wait until the user accepts the project. */
  waiting: number;
  read: SharedChanges;
  problems: ShareProblem[];
}

/**
 * Reads the shared files when they have changed since they were last read, and writes none. Costs a look at the folder
 * where nothing changed. What waits for acceptance is only counted.
 */
export async function readBack(from: ProjectStore): Promise<ReadBack> {
  const nothing: ReadBack = { waiting: 0, read: { added: [], updated: [], forgotten: [] }, problems: [] };
  const { root } = await from.folder();
  const fingerprint = await fingerprintOf(root);
  if (fingerprint === undefined) return nothing;
  const { accepted, known } = await from.store.read(async (reader) => {
    const { project } = await findProject(reader, from.project);
    return {
      accepted: project !== undefined && (await isAccepted(reader, project)),
      known: project && (await findFingerprint(reader, project, root)),
    };
  });
  if (!accepted) return { ...nothing, waiting: (await readSharedFiles(root))?.length ?? 0 };
  if (known === fingerprint) return nothing;

  const read = (await readFiles(from, root)) ?? nothingRead;
  const steps = await planAhead(from, root, read, {});
  const ahead = reportOf(steps, read.problems);
  // With something to be asked, the folder is looked at again next time, so that it is said again.
  if (!steps.some(isTaking) && ahead.problems.length > 0) return { ...nothing, problems: ahead.problems };
  return writeProject(from, async (writer, project) => {
    const report = await bringIntoStep(writer, project, from, root, read, { writing: false });
    if (report.problems.length === 0) await writeFingerprint(writer, project, root, fingerprint);
    return { waiting: 0, read: report.read, problems: report.problems };
  });
}

/** The user says that what lies in the work tree may speak, or no longer. */
export async function accept(from: ProjectStore, accepted: boolean): Promise<void> {
  await writeProject(from, async (writer, project) => acceptProject(writer, project, accepted, from.now()));
}

/** Whoever shares into an empty folder is the first to do so; what others left there needs a word first. */
async function refuseUnaccepted(from: ProjectStore, root: string): Promise<void> {
  const waiting = (await readSharedFiles(root))?.length ?? 0;
  if (waiting === 0) return;
  const accepted = await from.store.read(async (reader) => {
    const { project } = await findProject(reader, from.project);
    return project !== undefined && (await isAccepted(reader, project));
  });
  if (accepted) return;
  throw new MemoryError(
    "share-refused",
    `${sharedPath} holds ${waiting} ${waiting === 1 ? "memory" : "memories"} that came with this folder.`,
    "Look at them; then `tacit project accept` lets this project speak, once and for all.",
  );
}

const nothingRead: SharedFiles = { files: [], problems: [] };

/** What would be done. */
async function planAhead(
  from: ProjectStore,
  root: string,
  read: SharedFiles,
  options: Pick<ShareOptions, "prefer">,
): Promise<Step[]> {
  return from.store.read(async (reader) => {
    const { project } = await findProject(reader, from.project);
    return project ? plan(reader, project, root, read, options, from.now()) : [];
  });
}

async function plan(
  reader: Reader,
  project: Project,
  root: string,
  { files, problems }: SharedFiles,
  { prefer }: Pick<ShareOptions, "prefer">,
  now: Date,
): Promise<Step[]> {
  const unreadable = new Set(problems.map(({ file }) => file.slice(sharedPath.length + 1)));
  const sides = await listSides(reader, project, root, { files, unreadable }, now);
  return sides.map((side) => planStep(side, prefer));
}

/** Reads what the files have to say and, when writing, tells the files what the store has to say. */
async function bringIntoStep(
  writer: Writer,
  project: Project,
  from: ProjectStore,
  root: string,
  read: SharedFiles,
  { prefer, writing }: Pick<ShareOptions, "prefer"> & { writing: boolean },
): Promise<ShareReport> {
  const now = from.now();
  const steps = await plan(writer, project, root, read, prefer === undefined ? {} : { prefer }, now);
  const taken = await takeFiles(writer, project, steps, now);
  // Before the state is committed: a crash in between leaves a file that says what its memory says.
  if (writing) for (const step of steps) await carryOut(root, step);
  const done = steps.filter((step) => writing || isTaking(step) || step.do === "nothing");
  const states = [
    ...steps.filter((step) => !done.includes(step)).flatMap(({ side }) => (side.known ? [side.known] : [])),
    ...(await listAgreements(writer, project, root, done, taken, now)),
  ];
  await writeSharedStates(writer, project, root, states);
  return reportOf(steps, [...read.problems, ...taken.problems], taken);
}

function isTaking(step: Step): boolean {
  return step.do === "add" || step.do === "update" || step.do === "forget";
}

async function carryOut(root: string, step: Step): Promise<void> {
  if (step.do === "write") await writeSharedFile(root, pathOf(step.side), step.side.local.text);
  if (step.do === "remove") await removeSharedFile(root, step.side.file.path);
}

/** A file keeps its place, whatever its memory is called by now. */
function pathOf({ file, known, local, id }: Side): string {
  return file?.path ?? known?.path ?? local?.path ?? id;
}

/** How files and memories look now that they agree; where somebody has to be asked, it stays as it was. */
async function listAgreements(
  reader: Reader,
  project: Project,
  root: string,
  steps: Step[],
  taken: Taken,
  now: Date,
): Promise<SharedState[]> {
  const states: SharedState[] = [];
  for (const step of steps) {
    const { id, known, file, local, isUnreadable } = step.side;
    if (step.do === "ask" || isUnreadable || taken.refused.has(id)) {
      states.push(...(known ? [known] : []));
      continue;
    }
    const key = taken.keys.get(id) ?? local?.key;
    const [after] = key === undefined ? [] : await listByKeys(reader, project, [key], now);
    const fileHash = step.do === "write" ? hashOfText(step.side.local.text) : file?.hash;
    if (step.do === "remove" || step.do === "forget" || fileHash === undefined || !after) continue;
    states.push({ root, path: pathOf(step.side), memoryId: id, fileHash, memoryHash: toLocal(after).hash });
  }
  return states;
}

function reportOf(steps: Step[], problems: ShareProblem[], taken?: Taken): ShareReport {
  const paths = (...what: Step["do"][]) =>
    steps.filter((step) => what.includes(step.do) && !taken?.refused.has(step.side.id)).map(({ side }) => pathOf(side));
  return {
    folder: sharedPath,
    written: paths("write"),
    removed: paths("remove"),
    unchanged: steps.filter((step) => step.do === "nothing" && step.side.file).length,
    read: { added: paths("add"), updated: paths("update"), forgotten: paths("forget") },
    withheld: listWithheld(steps.map(({ side }) => side)),
    problems: [...problems, ...steps.flatMap((step) => (step.do === "ask" ? [step.problem] : []))],
  };
}
