import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "../base/files/files.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { AgentEvent, SessionType } from "../observer/observer.js";
import { type Digest, needsRedaction, openDigest, redactNote } from "../observer/notes/notes.js";
import {
  appendAll,
  cleanId,
  markMemoryFile,
  openSpoolPlace,
  type OwnedNote,
  realFolder,
  type SpoolPlace,
} from "../observer/spool/spool.js";
import { maySet } from "./quick-settings.js";
import { withoutUntrustedTranscript } from "./untrusted-transcript.js";

export type { AgentEvent, Deed, Outcome, QaIssue, SessionType } from "../observer/observer.js";

export interface ObserveOptions {
  /** Tacit's folder. Default `$TACIT_HOME`, else `~/.tacit`. */
  home?: string;
  /** The store that the sessions are for, as `openMemory` takes it. Default `memory.db` in Tacit's folder. */
  db?: string;
  /** The project's id, any string. Default: found from `directory`. */
  project?: string;
  /** Where the agent works. Default: the working directory. */
  directory?: string;
  /** Where the agent was started: its work tree is the root, wherever the agent goes. Default: `directory`. */
  startedIn?: string;
}

export interface Observed {
  /** Ids of the sessions that ended. */
  ended: string[];
  /** The root of the work tree. */
  root: string;
  /**
   * True when a session is over whose memories are still to be made, or was compacted: `openMemory({ directory: root })` can
   * see to that.
   */
  isFinishingDue: boolean;
}

/** Which agent a document comes from; `tacit` is an `AgentEvent` as it is. */
export type EventSource = "claude-code" | "opencode" | "ai-sdk" | "tacit";

export const eventSources: readonly EventSource[] = ["claude-code", "opencode", "ai-sdk", "tacit"];

/**
 * Notes events of agents on disk and does nothing else, for a process that lives for one event, such as a hook. It opens
 * no store; what is learned from a session is made of the notes when it is over. Where the settings say that nothing new
 * is to be kept, nothing is written. Throws where the disk or the settings do not allow it.
 *
 * @example
 * await observeOnce([{ sessionId: "s1", kind: "prompt", text: "Mend the parser." }]);
 */
export async function observeOnce(events: readonly AgentEvent[], options: ObserveOptions = {}): Promise<Observed> {
  const { home = homeFolder(), db = join(home, "memory.db"), project } = options;
  const root = findRoot(options);
  const place = openSpoolPlace({ home, db, root, ...(project !== undefined && { project }) });
  const idle: Observed = { ended: [], root, isFinishingDue: false };
  if (!place || events.length === 0 || !(await isEnabled(home, root))) return idle;
  for (const event of events) markMemoryFile(home, event);
  const notes = digestAll(events, root, await findHead(events, root));
  for (const one of notes) if (needsRedaction(one.note)) one.note = await redactNote(one.note);
  await Promise.all(appendAll(place, notes, { sync: true }));
  const ended = [...new Set(notes.flatMap(({ note, sessionId }) => (note.kind === "end" ? [sessionId] : [])))];
  const begins = notes.some(({ note }) => note.kind === "start");
  const isDue = (await markCompactions(place, notes)) || ended.length > 0;
  return { ended, root, isFinishingDue: isDue || (begins && (await isAnyOver(place))) };
}

/** True where a conversation is to be taken in before its agent forgets it. */
async function markCompactions(place: SpoolPlace, notes: readonly OwnedNote[]): Promise<boolean> {
  const marked = notes.filter(
    ({ note, agentId }) => note.kind === "compacted" && note.transcript && agentId === undefined,
  );
  if (marked.length === 0) return false;
  const { markCompacted } = await import("../observer/spool/spool.js");
  for (const { sessionId, note } of marked) {
    if (note.kind === "compacted" && note.transcript) markCompacted(place, sessionId, note.transcript);
  }
  return true;
}

/**
 * What an agent tells, in its own form, as events; none for what tells nothing. Of `ai-sdk` a document is a step with its
 * `sessionId`, and an `agentId` where there are several. With `type` sessions that do not say so start as ones of that kind;
 * where an agent is behind a hook, the transcript that it names is left out.
 */
export async function readEvents(
  source: EventSource,
  document: unknown,
  { isByAgent = () => false, ...options }: { type?: SessionType; isByAgent?: () => boolean } = {},
): Promise<AgentEvent[]> {
  switch (source) {
    case "claude-code": {
      const { fromHook } = await import("../observer/adapters/adapters.js");
      return withoutUntrustedTranscript(fromHook(document, options), isByAgent);
    }
    case "opencode":
      return (await import("../observer/adapters/adapters.js")).fromOpencode(document, undefined, options);
    case "ai-sdk": {
      const { sessionId, agentId, step = document } = fieldsOf(document);
      if (typeof sessionId !== "string") return [];
      const session = { sessionId, ...(typeof agentId === "string" && { agentId }), ...options };
      return (await import("../observer/adapters/adapters.js")).fromAiSdkStep(step, session);
    }
    case "tacit":
    default:
      // What is no event leaves no note.
      if (typeof fieldsOf(document)["kind"] !== "string") return [];
      return fieldsOf(document)["kind"] === "start"
        ? [{ ...options, ...(document as AgentEvent) }]
        : [document as AgentEvent];
  }
}

/** What `identifyFolder` says is the root, for a fifth of its time: most events need nothing else of it. */
export function findRoot({ directory = process.cwd(), startedIn = directory }: ObserveOptions): string {
  const folder = realFolder(resolve(startedIn));
  return findTree(folder) ?? folder;
}

function findTree(folder: string): string | undefined {
  try {
    lstatSync(join(folder, ".git"));
    return folder;
  } catch {
    return dirname(folder) === folder ? undefined : findTree(dirname(folder));
  }
}

type Head = Pick<FolderIdentity, "commit" | "branch">;

/** The beginning of a session says which commit it begins at, and both its ends on which branch. */
async function findHead(events: readonly AgentEvent[], root: string): Promise<Head> {
  if (!events.some((event) => event?.kind === "start" || event?.kind === "end")) return {};
  const { identifyFolder } = await import("../project/folder/identify-folder.js");
  return identifyFolder(root);
}

async function isEnabled(home: string, root: string): Promise<boolean> {
  if (!maySet(home, root, ["enabled"])) return true;
  const { readConfig } = await import("../config/read-config.js");
  return (await readConfig({ home, root })).settings.enabled;
}

function digestAll(events: readonly AgentEvent[], root: string, { commit, branch }: Head): OwnedNote[] {
  const digests = new Map<string, Digest>();
  const options = { root, branch: () => branch, ...(commit !== undefined && { commit }) };
  return events.flatMap((event) => {
    const sessionId = cleanId(event?.sessionId);
    if (sessionId === undefined) return [];
    const digest = digests.get(sessionId) ?? openDigest(options);
    digests.set(sessionId, digest);
    return digest.digest(event).map((note) => ({ sessionId, agentId: cleanId(event.agentId), note }));
  });
}

/** A session whose agent was killed never says that it is over; the next one to begin sees to it. */
async function isAnyOver(place: SpoolPlace): Promise<boolean> {
  const { isOver, listSpools } = await import("../observer/spool/spool.js");
  const now = Date.now();
  return (await listSpools(place.home, place)).some((spool) => isOver(spool, now));
}

function fieldsOf(document: unknown): Record<string, unknown> {
  return typeof document === "object" && document !== null ? (document as Record<string, unknown>) : {};
}
