import { changeMemories, changeStore, type MemoryContext } from "../../memory/change/change.js";
import type { FolderIdentity } from "../../project/folder/identify-folder.js";
import {
  acceptFolder,
  confirmFolder,
  ensureProject,
  findProject,
  isAccepted,
  type Project,
  readProject,
} from "../../project/project.js";
import { MemoryError } from "../../base/memory-error.js";
import type { Reader } from "../../storage/storage.js";
import type { ShareProblem } from "../exchange.js";
import { fingerprintOf, listSharedNames, readSharedFiles } from "./shared-folder.js";
import { listReviews, type SharedReview, writeReview } from "./shared-reviews.js";
import { findLastReading, forgetReading, listSharedStates, writeLastReading } from "./shared-state.js";
import { readDisk, reportOf, importSteps } from "./share-steps.js";

// Somebody waits for an answer, and others for the lock: 2 ms a file. The rest is read by the next looks.
const maxAtOnce = 100;
// What git has not told by then is asked about instead; `tacit share` gives it longer.
const gitMs = 2000;

/** What was found when the files were looked at by the way. */
export interface SharedReading {
  /** Files that wait until the user accepts the folder. */
  waiting: number;
  /** Who shared what waits for a review, each once; undefined where no commit has it. */
  proposed: SharedReview[];
  problems: ShareProblem[];
}

/**
 * Reads the shared files when they have changed since they were last read, and writes none. Costs a look at the folder
 * where nothing changed, and gives up when the store is busy: an answer must not wait for it. What waits for acceptance
 * is only counted.
 */
export async function readIfChanged(context: MemoryContext, patienceMs: number): Promise<SharedReading> {
  const folder = await folderOf(context);
  const { root, commit = "" } = folder;
  const fingerprint = await fingerprintOf(root);
  if (fingerprint === undefined) return { waiting: 0, proposed: [], problems: [] };
  const openHere = (reader: Reader, project: Project) => listOpen(reader, project, root);
  const { accepted, last, changedAt, proposed } = await context.store.read(async (reader) => {
    const { project } = await findProject(reader, context.project);
    const reading = project && (await findLastReading(reader, project, root));
    return {
      accepted: project !== undefined && (await isAccepted(reader, project, folder)),
      last: reading,
      proposed: project ? await openHere(reader, project) : [],
      // What is wrong with a file may be mended by a change here, such as another name, or by a commit that removes it.
      changedAt:
        project && reading && reading.problems.length > 0 ? `${await lastChange(reader, project)}${commit}` : "",
    };
  });
  if (!accepted) return { waiting: await countPending(context, folder), proposed: [], problems: [] };
  if (last?.fingerprint === `${fingerprint}${changedAt}`) return { waiting: 0, proposed, problems: last.problems };

  const look = await readDisk(context, root, { gitMs });
  return changeMemories(
    context,
    async (writer, project) => {
      const taken = await importSteps(writer, project, root, look, () => ({}), context.now(), maxAtOnce);
      const { problems } = reportOf(taken.steps, look, { taken, isRepaired: false });
      const now = problems.length > 0 ? `${await lastChange(writer, project)}${commit}` : "";
      if (taken.isWhole) {
        await writeLastReading(writer, project, root, { fingerprint: `${fingerprint}${now}`, problems });
      }
      return { waiting: 0, proposed: await openHere(writer, project), problems };
    },
    { timeoutMs: patienceMs },
  );
}

/** The user says that what lies in this repository, or folder, may speak, or no longer. */
export async function accept(
  context: MemoryContext,
  accepted: boolean,
  options: { withRules?: boolean } = {},
): Promise<void> {
  const folder = await folderOf(context);
  const files = accepted ? ((await readSharedFiles(folder.root)) ?? []) : [];
  await changeStore(context, async (writer) => {
    const find = accepted ? confirmFolder : ensureProject;
    const project = await find(writer, context.project, context.now());
    // What lies there at the first yes was looked at; what comes later was not.
    if (accepted && !(await isAccepted(writer, project, folder))) {
      for (const { hash: fileHash } of files) {
        await writeReview(writer, project, { root: folder.root, fileHash, answer: "approved" });
      }
      await forgetReading(writer, project, folder.root);
    }
    await acceptFolder(writer, project, folder, accepted, options);
  });
}

async function listOpen(reader: Reader, project: Project, root: string): Promise<SharedReview[]> {
  return (await listReviews(reader, project)).filter((one) => one.root === root && one.answer === undefined);
}

/** A project that was named need not be the one of this folder, and its memories do not belong here. */
export async function folderOf(context: MemoryContext): Promise<FolderIdentity> {
  if ("folder" in context.project) return context.folder();
  throw new MemoryError(
    "share-refused",
    `Sharing is about the project of this folder, and ${context.project.id} was named.`,
    "Leave --project out, or go to the folder of that project.",
  );
}

/** How many files nobody has vouched for; those that another, accepted clone has as well are none. */
export async function countPending(context: MemoryContext, { root }: FolderIdentity): Promise<number> {
  const states = await readProject(context, [], listSharedStates);
  if (states.length === 0) return (await listSharedNames(root))?.length ?? 0;
  const known = new Set(states.map(({ fileHash }) => fileHash));
  return ((await readSharedFiles(root)) ?? []).filter(({ hash }) => !known.has(hash)).length;
}

/** When anything in the project was last changed. */
async function lastChange(reader: Reader, project: Project): Promise<string> {
  const [row] = await reader.rows("SELECT max(updated_at) AS at FROM memories WHERE project_number = :project", {
    project: project.number,
  });
  return String(row?.["at"] ?? "");
}
