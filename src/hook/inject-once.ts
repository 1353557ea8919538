import { join } from "node:path";
import { estimateTokens } from "../base/tokens/tokens.js";
import { homeFolder } from "../base/files/files.js";
import { firstIndexNote } from "../injection/first-index-note.js";
import { injectedEvent } from "../session/injecting/injected-event.js";
import { inject } from "../injection/inject.js";
import {
  emptyInjection,
  type InjectOptions,
  type Injection,
  type InjectionPorts,
  type Moment,
} from "../injection/injection.js";
import { injectedSoFar } from "../injection/injected-so-far.js";
import { identifyFolder, type FolderIdentity } from "../project/folder/identify-folder.js";
import { findProject, type ProjectContext, type ProjectHint } from "../project/project.js";
import { findRoot, observeOnce, type ObserveOptions } from "./observe-once.js";
import {
  cleanId,
  injectedByOthers,
  openSpoolPlace,
  readInjected,
  type SpoolPlace,
  uniqueTime,
} from "../observer/spool/spool.js";
import { quickSettings } from "./quick-settings.js";
import { Store } from "../storage/storage.js";

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
  const { home = homeFolder(), db = join(home, "memory.db"), project } = options;
  let store: Store | undefined;
  try {
    const sessionId = cleanId(moment.sessionId);
    const root = findRoot(options);
    const place = openSpoolPlace({ home, db, root, ...(project !== undefined && { project }) });
    store = new Store({ db, timeoutMs: patienceMs });
    if (sessionId === undefined || !place || !store.exists) return emptyInjection(moment.point);
    const folder = await identifyFolder(root);
    const hint: ProjectHint = project === undefined ? { folder } : { id: project };
    const context: ProjectContext = {
      store,
      project: hint,
      folder: async () => folder,
      settings: quickSettings(store, hint, folder, home),
      now: () => new Date(),
    };
    const isShort = moment.point === "file-read" || moment.point === "step";
    const deadline = isShort ? { deadlineMs: coldMs } : {};
    const own = { ...moment, sessionId };
    return await inject(portsOf(context, folder, place, own, options), own, { ...deadline, ...options });
  } catch (error) {
    return { ...emptyInjection(moment?.point), problem: error instanceof Error ? error.message : String(error) };
  } finally {
    await store?.close().catch(() => undefined);
  }
}

function portsOf(
  context: ProjectContext,
  folder: FolderIdentity,
  place: SpoolPlace,
  moment: Moment,
  options: ObserveOptions,
): InjectionPorts {
  const isCompacted = moment.point === "session-start" && moment.continues === "compacted";
  return {
    context,
    recall: {},
    soFar: async (sessionId, given) => {
      const agentId = cleanId(given);
      return injectedSoFar(context, readInjected(place, sessionId, agentId), { sessionId, agentId });
    },
    record: async (whose, injection) => {
      // Two hooks may run at the same time, of calls that the agent made at once.
      const at = uniqueTime(Date.now());
      await observeOnce([injectedEvent(whose, injection, at)], options);
      return injectedByOthers(readInjected(place, whose.sessionId, cleanId(whose.agentId)), at);
    },
    countTokens: async () => estimateTokens,
    codeMap: async () => (await import("../codegraph/session-map/session-map.js")).readSessionMap(context),
    lastSession: async () => (await import("../injection/report/report.js")).lastSessionNote(context),
    codeNote: async () => {
      const { findTree } = await import("../codegraph/tree/tree.js");
      const tree = await context.store.read(async (reader) => {
        const { project } = await findProject(reader, context.project);
        return project && findTree(reader, project.number, folder.root);
      });
      const code = firstIndexNote(tree && { isComplete: tree.completedAt !== undefined });
      const archived = isCompacted ? await findArchive(context, moment.sessionId) : undefined;
      return [archived, code].filter((note) => note !== undefined).join("\n") || undefined;
    },
  };
}

async function findArchive(context: ProjectContext, sessionId: string): Promise<string | undefined> {
  return (await import("../conversation/archive/archive.js")).archivedNote(context, sessionId);
}
