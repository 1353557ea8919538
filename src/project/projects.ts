import { newId } from "../base/ids/ids.js";
import { MemoryError } from "../base/memory-error.js";
import type { Reader, Row, Writer } from "../storage/storage.js";
import { folderPending, isKnownFolder, noteFirstFolder, noteKnownFolder, pendingNotice } from "./folder-trust.js";
import type { FolderIdentity } from "./folder/identify-folder.js";

export interface Project {
  /** The upper half of the keys of its memories. */
  number: number;
  id: string;
  name: string;
}

/** The reserved project of what is true everywhere; recalled in every project, below its own memories. */
export const userProject = "user";

/** Which project is meant: one by its id, or the one that a folder belongs to. */
export type ProjectHint = { id: string } | { folder: FolderIdentity };

export interface FoundProject {
  /** Absent until the first write, and where the folder waits. */
  project?: Project;
  /** What the folder says it belongs to, where nobody has confirmed that. */
  pending?: Project;
  /** Set when the keys of the folder disagree, with what to do. */
  notice?: string;
}

/**
 * Finds the project that is meant. The remote decides where there is one, then the git directory, then the path.
 * Where they disagree the strongest wins, and the notice says which other project has a claim: Tacit never merges
 * two projects by itself. A folder that is new for a project waits until a person confirms it: it gets no project at all.
 */
export async function findProject(reader: Reader, hint: ProjectHint): Promise<FoundProject> {
  if ("id" in hint) {
    const project = await projectById(reader, hint.id);
    return project ? { project } : {};
  }
  const { local, ...claimed } = await findClaimed(reader, hint);
  const { project } = claimed;
  if (!project || (await isKnownFolder(reader, project, hint.folder))) return claimed;
  const before = local?.number === project.number ? undefined : local;
  return { pending: project, notice: await pendingNotice(reader, project, before) };
}

/** The project that a folder says it belongs to, and the one that it was part of before. */
async function findClaimed(
  reader: Reader,
  hint: { folder: FolderIdentity },
): Promise<FoundProject & { local?: Project | undefined }> {
  const { remoteKey, gitKey, pathKey } = hint.folder;
  const byRemote = remoteKey === undefined ? undefined : await projectByKey(reader, remoteKey);
  const byGit = gitKey === undefined ? undefined : await projectByKey(reader, gitKey);
  const byPath = await projectByKey(reader, pathKey);
  const local = byGit ?? (await pathStillMeans(reader, byPath, gitKey));

  if (remoteKey === undefined) return local ? { project: local, local } : {};
  if (byRemote) {
    return local && local.number !== byRemote.number
      ? { project: byRemote, local, notice: disagreement(local, byRemote) }
      : { project: byRemote, local };
  }
  if (!local) return {};
  // A remote that was added later joins the project the folder already had; a remote that changed is in doubt.
  if (!(await hasKey(reader, local, "remote:"))) return { project: local, local };
  return { notice: disagreement(local) };
}

/**
 * Finds or creates the project, and learns the keys by which the folder is recognised from now on. Refuses a folder that
 * waits.
 */
export async function ensureProject(writer: Writer, hint: ProjectHint, now: Date): Promise<Project> {
  const found = await findProject(writer, hint);
  if (found.pending) throw folderPending(found.pending);
  const project = found.project ?? (await createProject(writer, hint, now));
  if ("folder" in hint) {
    await noteFirstFolder(writer, project, hint.folder);
    await learnKeys(writer, project, hint.folder, false);
  }
  return project;
}

/** A person says that the folder belongs to the project that it names. */
export async function confirmFolder(writer: Writer, hint: ProjectHint, now: Date): Promise<Project> {
  const { pending } = await findProject(writer, hint);
  if (pending && "folder" in hint) await noteKnownFolder(writer, pending, hint.folder);
  return ensureProject(writer, hint, now);
}

/** Makes a folder part of an existing project, because its user said so. */
export async function joinProject(writer: Writer, id: string, folder: FolderIdentity): Promise<Project> {
  if (id === userProject) {
    throw new MemoryError(
      "invalid-input",
      "The project user holds what is true everywhere; no folder can be part of it.",
      "Its memories come back in every project as it is.",
    );
  }
  const project = typeof id === "string" ? await projectById(writer, id) : undefined;
  if (!project) {
    throw new MemoryError(
      "invalid-input",
      `There is no project ${JSON.stringify(id) ?? "of that id"} in this store.`,
      "`tacit project list` shows all of them.",
    );
  }
  await learnKeys(writer, project, folder, true);
  await noteKnownFolder(writer, project, folder);
  return project;
}

export interface ProjectSummary {
  id: string;
  name: string;
  memories: number;
  keys: string[];
}

/** Every project of the store: how to find the memories of a folder that was moved. */
export async function listProjects(reader: Reader): Promise<ProjectSummary[]> {
  const rows = await reader.rows(
    `SELECT p.id, p.name,
       (SELECT count(*) FROM memories AS m WHERE m.project_number = p.number) AS memories,
       (SELECT json_group_array(k.key) FROM project_keys AS k WHERE k.project_number = p.number) AS keys
     FROM projects AS p ORDER BY p.number`,
  );
  return rows.map((row) => ({
    id: String(row["id"]),
    name: String(row["name"]),
    memories: Number(row["memories"]),
    keys: JSON.parse(String(row["keys"])) as string[],
  }));
}

/** True when the project is known and the folder has gained a key since, such as a remote. */
export async function hasNewKeys(reader: Reader, hint: ProjectHint): Promise<boolean> {
  const { project } = await findProject(reader, hint);
  if (!project || !("folder" in hint)) return false;
  for (const key of keysOf(hint.folder)) if ((await projectByKey(reader, key)) === undefined) return true;
  return false;
}

export async function listProjectKeys(reader: Reader, project: Project): Promise<string[]> {
  const rows = await reader.rows("SELECT key FROM project_keys WHERE project_number = :project ORDER BY key DESC", {
    project: project.number,
  });
  return rows.map((row) => String(row["key"]));
}

/** A folder that held another repository before is not that project any more. */
async function pathStillMeans(
  reader: Reader,
  project: Project | undefined,
  gitKey: string | undefined,
): Promise<Project | undefined> {
  if (!project || gitKey === undefined) return project;
  return (await hasKey(reader, project, "git:")) ? undefined : project;
}

async function createProject(writer: Writer, hint: ProjectHint, now: Date): Promise<Project> {
  const id = "id" in hint ? hint.id : newId(now);
  const name = "id" in hint ? hint.id : hint.folder.name;
  const [row] = await writer.rows(
    `INSERT INTO projects (number, id, name, created_at)
     SELECT ifnull(max(number), 0) + 1, :id, :name, :now FROM projects RETURNING number`,
    { id, name, now: now.toISOString() },
  );
  const project = { number: Number(row?.["number"]), id, name };
  if ("folder" in hint) await noteKnownFolder(writer, project, hint.folder);
  return project;
}

async function learnKeys(writer: Writer, project: Project, folder: FolderIdentity, takeOver: boolean): Promise<void> {
  const known = new Set(await listProjectKeys(writer, project));
  for (const key of keysOf(folder)) {
    if (known.has(key)) continue;
    await writer.run(
      `INSERT INTO project_keys (key, project_number) VALUES (:key, :project)
       ON CONFLICT (key) DO ${takeOver ? "UPDATE SET project_number = excluded.project_number" : "NOTHING"}`,
      { key, project: project.number },
    );
  }
}

/** What a folder is recognised by, strongest first. */
export function keysOf(folder: FolderIdentity): string[] {
  return [folder.remoteKey, folder.gitKey, folder.pathKey].filter((key) => key !== undefined);
}

async function projectById(reader: Reader, id: string): Promise<Project | undefined> {
  const [row] = await reader.rows("SELECT number, id, name FROM projects WHERE id = :id", { id });
  return row && toProject(row);
}

async function projectByKey(reader: Reader, key: string): Promise<Project | undefined> {
  const [row] = await reader.rows(
    `SELECT p.number, p.id, p.name
     FROM project_keys AS k JOIN projects AS p ON p.number = k.project_number
     WHERE k.key = :key`,
    { key },
  );
  return row && toProject(row);
}

async function hasKey(reader: Reader, project: Project, kind: "remote:" | "git:"): Promise<boolean> {
  return (await listProjectKeys(reader, project)).some((key) => key.startsWith(kind));
}

function toProject(row: Row): Project {
  return { number: Number(row["number"]), id: String(row["id"]), name: String(row["name"]) };
}

function disagreement(local: Project, byRemote?: Project): string {
  const earlier = `This folder was project ${local.id} (${local.name}) before`;
  return byRemote
    ? `${earlier}, but its remote belongs to ${byRemote.id} (${byRemote.name}), which is used. To use the earlier one: tacit project join ${local.id}`
    : `${earlier}, with another remote. To go on with it: tacit project join ${local.id}`;
}
