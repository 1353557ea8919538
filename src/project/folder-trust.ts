import { MemoryError } from "../base/memory-error.js";
import type { Reader, Writer } from "../storage/storage.js";
import type { FolderIdentity } from "./folder/identify-folder.js";
import type { Project } from "./projects.js";

/**
 * Whether a folder is one that its project is known to have: it founded it, a person confirmed it, or git itself keeps it as a
 * worktree of a repository that does. What a folder says of itself is no proof: a `.git` may name any remote, and point anywhere.
 *
 * A project from before folders were known may have none: the only one that it had held another repository earlier, and its path
 * stayed with that project. Such a path is believed once; it was in use before, and a new one is not.
 */
export async function isKnownFolder(reader: Reader, project: Project, folder: FolderIdentity): Promise<boolean> {
  const rows = await reader.rows(
    `SELECT 1 FROM known_folders WHERE project_number = :project AND folder = :folder
     UNION ALL SELECT 1 FROM project_keys WHERE key = :worktreeOf AND project_number = :project
     UNION ALL SELECT 1 FROM project_keys WHERE key = :folder AND project_number <> :project
       AND NOT EXISTS (SELECT 1 FROM known_folders WHERE project_number = :project)`,
    {
      project: project.number,
      folder: folder.pathKey,
      worktreeOf: folder.isWorktree ? (folder.gitKey ?? null) : null,
    },
  );
  return rows.length > 0;
}

export async function noteKnownFolder(writer: Writer, project: Project, folder: FolderIdentity): Promise<void> {
  await writer.run(
    "INSERT INTO known_folders (project_number, folder) VALUES (:project, :folder) ON CONFLICT DO NOTHING",
    { project: project.number, folder: folder.pathKey },
  );
}

/** Of a project that has no known folder, the one that it is used from now. */
export async function noteFirstFolder(writer: Writer, project: Project, folder: FolderIdentity): Promise<void> {
  await writer.run(
    `INSERT INTO known_folders (project_number, folder) SELECT :project, :folder
     WHERE NOT EXISTS (SELECT 1 FROM known_folders WHERE project_number = :project)`,
    { project: project.number, folder: folder.pathKey },
  );
}

/**
 * Whether the user said that what lies in this folder may speak. By its path: a `.git` that came with a folder could claim
 * to belong to any repository.
 */
export async function isAccepted(reader: Reader, project: Project, folder: FolderIdentity): Promise<boolean> {
  const rows = await reader.rows(
    "SELECT 1 FROM accepted_folders WHERE project_number = :project AND folder = :folder",
    { project: project.number, folder: folder.pathKey },
  );
  return rows.length > 0;
}

/** The same of what its own files say to agents, which a yes to the folder alone leaves out. */
export async function areRulesAccepted(reader: Reader, project: Project, folder: FolderIdentity): Promise<boolean> {
  const rows = await reader.rows(
    "SELECT 1 FROM accepted_folders WHERE project_number = :project AND folder = :folder AND with_rules = 1",
    { project: project.number, folder: folder.pathKey },
  );
  return rows.length > 0;
}

export async function acceptFolder(
  writer: Writer,
  project: Project,
  folder: FolderIdentity,
  accepted: boolean,
  { withRules = true }: { withRules?: boolean } = {},
): Promise<void> {
  const which = { project: project.number, folder: folder.pathKey };
  if (!accepted) {
    await writer.run("DELETE FROM accepted_folders WHERE project_number = :project AND folder = :folder", which);
    return;
  }
  await writer.run(
    `INSERT INTO accepted_folders (project_number, folder, with_rules) VALUES (:project, :folder, :withRules)
     ON CONFLICT (project_number, folder) DO UPDATE SET with_rules = max(with_rules, excluded.with_rules)`,
    { ...which, withRules: withRules ? 1 : 0 },
  );
}

/** What a person reads where a folder waits: also from where its project is known, which may have been the wrong one. */
export async function pendingNotice(reader: Reader, project: Project, before?: Project): Promise<string> {
  const [row] = await reader.rows(
    "SELECT min(folder) AS folder, count(*) AS folders FROM known_folders WHERE project_number = :project",
    { project: project.number },
  );
  const more = Number(row?.["folders"]) > 1 ? ` and ${Number(row?.["folders"]) - 1} more` : "";
  const known = row?.["folder"] == null ? "elsewhere" : `${String(row["folder"]).slice("path:".length)}${more}`;
  const earlier = before
    ? ` It was part of ${before.name} before: tacit project join ${before.id} goes on with that.`
    : "";
  return (
    `This folder says that it belongs to ${project.name} (${project.id}), which Tacit knows from ${known}. ` +
    `Nothing is recalled, injected or learned here until you confirm it: tacit project accept.${earlier}`
  );
}

/** Why nothing is written from a folder that waits. */
export function folderPending({ name }: Project): MemoryError {
  return new MemoryError(
    "folder-pending",
    `This folder says that it belongs to ${name}, which Tacit knows from another folder, and nobody has confirmed it.`,
    "If it is yours: tacit project accept",
  );
}

/** What follows when a person says yes to a folder, or takes it back. */
export interface Acceptance {
  /** Told after the answer is stored, in the order in which they asked for it. */
  follow(then: AcceptanceFollower): void;
  said(accepted: boolean): Promise<void>;
}

export type AcceptanceFollower = (accepted: boolean) => Promise<unknown>;

export function openAcceptance(): Acceptance {
  const followers: AcceptanceFollower[] = [];
  return {
    follow: (then) => void followers.push(then),
    said: async (accepted) => {
      const failures: unknown[] = [];
      // One that fails keeps none of the others from following.
      for (const then of followers) await then(accepted).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw failures[0];
    },
  };
}
