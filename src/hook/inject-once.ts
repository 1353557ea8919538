import { join } from "node:path";
import { homeFolder } from "../base/files/files.js";
import { estimateTokens } from "../base/tokens/tokens.js";
import { inject } from "../injection/inject.js";
import { emptyInjection, type InjectOptions, type Injection, type Moment } from "../injection/injection.js";
import { openSpoolPlace, readInjected } from "../observer/spool/spool.js";
import { identifyFolder, type FolderIdentity } from "../project/folder/identify-folder.js";
import { findProject, type ProjectContext, type ProjectHint } from "../project/project.js";
import { injectionPorts } from "../session/injecting/injection-ports.js";
import { openTelling } from "../session/injecting/open-telling.js";
import { openSessionStates } from "../session/machine/machine.js";
import { Store } from "../storage/storage.js";
import { findRoot, observeOnce, type ObserveOptions } from "./observe-once.js";
import { quickSettings } from "./quick-settings.js";

export type { InjectOptions, Injection, Moment };

// A hook has a second at the very worst, and several of these waits may come one after the other.
const patienceMs = 100;
// A new process loads and opens everything first, and an agent that makes six calls at once starts six of them: on two cores
// 26 of 36 that read a file told what they should within 100 ms (5 with other work going on), within 300 all of them (2026-11).
const coldMs = 300;

/**
 * What an agent is to be told at a moment, for a process that lives for one event, such as a hook: by words, names and
 * files, since a model takes too long to load. Notes that it is told. Where there is no store, or anything is wrong with it,
 * there is nothing to tell. Never throws.
 *
 * @example
 * const { text } = await injectOnce({ point: "file-read", sessionId: "s1", files: ["src/http.ts"] });
 */
export async function injectOnce(moment: Moment, options: InjectOptions & ObserveOptions = {}): Promise<Injection> {
  const tell = openTelling(openSessionStates());
  return tell(moment, async (own) => chooseOnce(own, options));
}

async function chooseOnce(moment: Moment, options: InjectOptions & ObserveOptions): Promise<Injection> {
  const { home = homeFolder(), db = join(home, "memory.db"), project } = options;
  const root = findRoot(options);
  const place = openSpoolPlace({ home, db, root, ...(project !== undefined && { project }) });
  const store = new Store({ db, timeoutMs: patienceMs });
  try {
    if (!place || !store.exists) return emptyInjection(moment.point);
    const folder = await identifyFolder(root);
    const hint: ProjectHint = project === undefined ? { folder } : { id: project };
    const context: ProjectContext = {
      store,
      project: hint,
      folder: async () => folder,
      settings: quickSettings(store, folder, home),
      now: () => new Date(),
    };
    const sources = {
      context,
      recall: {},
      noted: async (sessionId: string, agentId: string | undefined) => readInjected(place, sessionId, agentId),
      note: async (event: Parameters<typeof observeOnce>[0][number]) => observeOnce([event], options),
      countTokens: async () => estimateTokens,
      codeState: async () => findCodeState(context, folder),
    };
    const isShort = moment.point === "file-read" || moment.point === "step";
    const deadline = isShort ? { deadlineMs: coldMs } : {};
    return await inject(injectionPorts(sources, moment), moment, { ...deadline, ...options });
  } finally {
    await store.close().catch(() => undefined);
  }
}

async function findCodeState(
  context: ProjectContext,
  { root }: FolderIdentity,
): Promise<{ isComplete: boolean } | undefined> {
  const { findTree } = await import("../codegraph/tree/tree.js");
  const tree = await context.store.read(async (reader) => {
    const { project } = await findProject(reader, context.project);
    return project && findTree(reader, project.number, root);
  });
  return tree && { isComplete: tree.completedAt !== undefined };
}
