import type { Clock } from "../base/base.js";
import { MemoryError } from "../base/memory-error.js";
import type { Settings } from "../config/config.js";
import { isIgnoredProject } from "./ignore/ignore.js";
import type { FolderIdentity } from "./folder/identify-folder.js";
import type { Reader, Store, Writer } from "../storage/storage.js";
import { ensureProject, findProject, type Project, type ProjectHint } from "./projects.js";

/** A store as seen from one project: what every verb of this room works on. */
export interface ProjectContext {
  store: Store;
  project: ProjectHint;
  /** Where the caller works: related files, branch and commit are read from here. */
  folder: () => Promise<FolderIdentity>;
  /** What the configuration says right now; for the user's own project, what the user's file alone says. */
  settings: (whose?: "user") => Promise<Settings>;
  now: Clock;
}

/** Reads within the project; `nothing` when the project has never been written to. */
export async function readProject<T>(
  { store, project: hint }: ProjectContext,
  nothing: T,
  work: (reader: Reader, project: Project) => Promise<T>,
): Promise<T> {
  return store.read(async (reader) => {
    const { project } = await findProject(reader, hint);
    return project ? work(reader, project) : nothing;
  });
}

/** Why nothing is recalled, injected or learned in this folder, for a person; undefined where it does not wait. */
export async function findPendingNotice({
  store,
  project,
}: Pick<ProjectContext, "store" | "project">): Promise<string | undefined> {
  if (!("folder" in project)) return undefined;
  const { pending, notice } = await store.read(async (reader) => findProject(reader, project));
  return pending && notice;
}

/** Writes within the project, which comes into being with its first write. */
export async function writeProject<T>(
  { store, project: hint, now }: ProjectContext,
  work: (writer: Writer, project: Project) => Promise<T>,
  options: { timeoutMs?: number } = {},
): Promise<T> {
  return store.write(async (writer) => work(writer, await ensureProject(writer, hint, now())), options);
}

/** Refuses to keep anything where memory is switched off. Reading, exporting and erasing stay possible. */
export async function refuseWhenDisabled({ settings, folder }: ProjectContext): Promise<void> {
  const { enabled, ignore } = await settings();
  if (enabled) return;
  if (isIgnoredProject(ignore.projects, await folder())) {
    throw new MemoryError(
      "disabled",
      "This project is ignored: nothing of it is stored.",
      "`tacit config get ignore` shows the pattern in ignore.projects that says so.",
    );
  }
  throw new MemoryError(
    "disabled",
    "Tacit is switched off here: nothing new is kept.",
    "`tacit config get enabled` tells where it is set: tacit config set enabled true, with --local for the project's file.",
  );
}
