import { existsSync } from "node:fs";
import type { ChangeSubscriber, MemoryContext } from "../../memory/change/change.js";
import type { MemoryFiles } from "./open-memory-files.js";

interface Files extends Pick<MemoryFiles, "sync" | "folder"> {
  /** Whether there may be files at all, without loading anything. */
  mayBeThere: () => Promise<boolean>;
}

// Changes come in bursts, and a file that is written a moment later is written once.
const quietMs = 2000;

const queries = () => import("./memory-file-queries.js");

/**
 * Keeps the files in step with what changes. In its transaction each change is counted beside the folder, and a file notes how
 * many of them it tells of; so whoever comes next sees what a process that was killed left unwritten.
 */
export function followFileChanges(
  context: MemoryContext,
  { mayBeThere, folder, sync }: Files,
): { subscriber: ChangeSubscriber; catchUp: () => Promise<void> } {
  let hasFiles = false;
  let isChanged = false;
  let timer: NodeJS.Timeout | undefined;

  const catchUp = async (): Promise<void> => {
    clearTimeout(timer);
    // What goes wrong with a file is seen by whoever asks for it, and whoever comes next tries again.
    const where = (await mayBeThere()) ? await folder().catch(() => undefined) : undefined;
    if (where === undefined || !existsSync(where)) return;
    const { readFileChanges } = await import("./sync-memory-file.js");
    const noted = await readFileChanges(context, where);
    if (noted ? noted.changes > noted.written : isChanged) await sync().catch(() => undefined);
    isChanged = false;
  };

  const subscriber: ChangeSubscriber = {
    name: "memory-file",
    prepare: async () => {
      hasFiles = await mayBeThere();
      if (hasFiles) await queries();
    },
    within: async (writer, { project, memories, purged }) => {
      const isTold = purged > 0 || memories.some(({ type }) => type !== "conversation");
      if (hasFiles && isTold) await (await queries()).addFileChange(writer, project);
    },
    after: () => {
      isChanged = true;
      clearTimeout(timer);
      timer = setTimeout(() => void catchUp().catch(() => undefined), quietMs).unref();
    },
  };
  return { subscriber, catchUp };
}
