import { resolve } from "node:path";
import type { Diagnosis } from "../doctor/doctor.js";
import { countMemories } from "../memory/read/read.js";
import type { PruneReport } from "../memory/retention/retention.js";
import { describeProject } from "./describe-project.js";
import { refuseTainted } from "./judge-caller.js";
import type { Parts } from "./parts.js";

/** The database that holds the memories. */
export interface MemoryStore {
  /** A consistent copy while others write. Never overwrites. */
  backup(file: string): Promise<BackupReport>;
  diagnose(): Promise<Diagnosis>;
  /** Rebuilds every derived index from the rows, and finishes pending erasures. */
  repair(): Promise<Diagnosis>;
  /**
   * Forgets what has decayed, and removes for good what was forgotten long ago. By itself once a day. Refused in a
   * session that has read from untrusted sources.
   */
  prune(options?: { dryRun?: boolean }): Promise<PruneReport>;
  /** Removes for good what expired or was forgotten long ago, and returns how many. An MCP server does so every hour. */
  cleanUp(): Promise<number>;
  /** What the user should know or decide: a project in doubt, shared files that wait or do not fit. */
  notices(): Promise<string[]>;
}

export interface BackupReport {
  file: string;
  memories: number;
  bytes: number;
}

/** @internal */
export function bindStore(parts: Parts): MemoryStore {
  const { context, place, models, code } = parts;
  const { store } = context;
  const doctor = () => import("../doctor/doctor.js");
  const retention = () => import("../memory/retention/retention.js");
  const diagnose = async () =>
    (await doctor()).diagnose(context, place, () => listRemarks(parts), await models.embedding(), code);
  return {
    backup: async (file) => {
      const { backUp } = await import("../storage/backup.js");
      const bytes = await backUp(store, file);
      return { file: resolve(file), memories: await store.read(async (reader) => countMemories(reader)), bytes };
    },
    diagnose,
    repair: async () => {
      const repaired = await (await doctor()).repair(context);
      const diagnosis = await diagnose();
      if (repaired === undefined) return diagnosis;
      return { ok: diagnosis.ok && repaired.status !== "broken", checks: [...diagnosis.checks, repaired] };
    },
    prune: async (options) => {
      // With a configuration of its own, a command would choose what there is no room for.
      if (options?.dryRun !== true) await refuseTainted(parts, "What is stored", ["prune"]);
      parts.pruning.isDone = true;
      return (await retention()).prune(context, options);
    },
    cleanUp: async () => (await retention()).cleanUp(context),
    notices: async () => {
      const { notice } = await describeProject(context, parts.folder);
      return [...(notice === undefined ? [] : [notice]), ...(await listRemarks(parts))];
    },
  };
}

/** What the rooms have to say to a person. */
async function listRemarks(parts: Parts): Promise<string[]> {
  return [
    ...(await listPendingSettings(parts)),
    ...(await parts.sharing.notices()),
    ...parts.watched.problems(),
    ...parts.conversations.memoryFiles.problems(),
    ...(await parts.methodologyNotes()),
  ];
}

async function listPendingSettings({ context, folder, place }: Parts): Promise<string[]> {
  const settings = await import("../project/settings/effective-settings.js");
  const names = await settings.listPendingSettings(context.store, folder, place).catch(() => []);
  return names.map((name) => `${name} in this project's file waits for: tacit project accept`);
}
