import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { homeFolder } from "../base/files/files.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import { type Ignoring, type IgnoreSetting, openIgnoring } from "../project/ignore/ignore.js";
import type { AgentEvent, SessionType } from "../observer/observer.js";
import { type Digest, needsRedaction, openDigest, redactNote } from "../observer/notes/notes.js";
import {
  appendAll,
  cleanId,
  hasBegun,
  isScheduledPrompt,
  markMemoryFile,
  markScheduledPrompts,
  openSpoolPlace,
  type OwnedNote,
  realFolder,
  type SpoolPlace,
} from "../observer/spool/spool.js";
import { type Effect, isFollowedBy, openSessionStates } from "../session/machine/machine.js";
import { quickLimits } from "./quick-settings.js";
import { withoutUntrustedTranscript } from "./untrusted-transcript.js";
import { believe, leaveUnwatched, markDoubted, recordSessions } from "./who-is-behind.js";

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
  /** This process lives for one event of an agent, which started it. Default: it may be the agent itself. */
  isOneEvent?: boolean;
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
 * is to be kept, only the process of the agent is written down, and that nobody watches it. Throws where the disk or the settings do not allow it.
 *
 * @example
 * await observeOnce([{ sessionId: "s1", kind: "prompt", text: "Mend the parser." }]);
 */
export async function observeOnce(told: readonly AgentEvent[], options: ObserveOptions = {}): Promise<Observed> {
  const { home = homeFolder(), db = join(home, "memory.db"), project } = options;
  const root = findRoot(options);
  const place = openSpoolPlace({ home, db, root, ...(project !== undefined && { project }) });
  const idle: Observed = { ended: [], root, isFinishingDue: false };
  if (!place || told.length === 0) return idle;
  // Before any settings are read, as with the process of the agent.
  for (const event of told) markScheduledPrompts(home, event);
  const isScheduled = (event: AgentEvent) => event?.kind === "prompt" && isScheduledPrompt(home, event.text);
  const believed = believe(
    place,
    told.filter((event) => !isScheduled(event)),
  );
  const { events } = believed;
  recordSessions(place, believed, { isOneEvent: options.isOneEvent ?? false });
  const { enabled, ignore } = await limitsOf({ home, root, db }, () => leaveUnwatched(place, believed));
  if (!enabled) return idle;
  markDoubted(place, believed);
  if (events.length === 0) return idle;
  for (const event of events) markMemoryFile(home, event);
  // Of what other processes have noted, the disk knows.
  const states = openSessionStates((id) => ({ name: hasBegun(place, id) ? "noting" : "open" }));
  const steps = events.map((event): Step => ({ event, effects: states.advance(event) }));
  const ignoring = openIgnoring({ root, ignore });
  const notes = digestAll(steps, { root, ignoring }, await findHead(steps, root));
  for (const one of notes) if (needsRedaction(one.note)) one.note = await redactNote(one.note);
  await Promise.all(appendAll(place, notes, { sync: true }));
  const having = (what: Effect["do"]) => steps.filter(({ effects }) => isFollowedBy(effects, what));
  const ended = [...new Set(having("learn").flatMap(({ event }) => cleanId(event.sessionId) ?? []))];
  const isCompacted = having("import-transcript").length > 0 && (await markCompactions(place, notes));
  const isDue = isCompacted || ended.length > 0;
  return { ended, root, isFinishingDue: isDue || (having("catch-up").length > 0 && (await findOver(place))) };
}

/** What the settings allow to be noted. Where that is nothing, or they cannot be read, `leave` is called first. */
async function limitsOf(
  { home, root, db }: { home: string; root: string; db: string },
  leave: () => void,
): Promise<{ enabled: boolean; ignore?: IgnoreSetting }> {
  try {
    const limits = (await quickLimits(home, root, db)) ?? { enabled: true };
    if (!limits.enabled) leave();
    return limits;
  } catch (error) {
    leave();
    throw error;
  }
}

/** An event, and what follows from it. */
interface Step {
  event: AgentEvent;
  effects: readonly Effect[];
}

/** True where a conversation is to be taken in before its agent forgets it. */
async function markCompactions(place: SpoolPlace, notes: readonly OwnedNote[]): Promise<boolean> {
  const { markCompacted } = await import("../observer/spool/spool.js");
  let isAny = false;
  for (const { sessionId, agentId, note } of notes) {
    if (note.kind !== "compacted" || note.transcript === undefined || agentId !== undefined) continue;
    markCompacted(place, sessionId, note.transcript);
    isAny = true;
  }
  return isAny;
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

/** The beginning of a session, or of a part of it, says which commit it begins at, and both ends on which branch. */
async function findHead(steps: readonly Step[], root: string): Promise<Head> {
  const isAsked = ({ event, effects }: Step) =>
    event?.kind === "start" || event?.kind === "end" || isFollowedBy(effects, "begin");
  if (!steps.some(isAsked)) return {};
  const { identifyFolder } = await import("../project/folder/identify-folder.js");
  return identifyFolder(root);
}

function digestAll(
  steps: readonly Step[],
  tree: { root: string; ignoring: Ignoring },
  { commit, branch }: Head,
): OwnedNote[] {
  const digests = new Map<string, Digest>();
  const options = { ...tree, branch: () => branch, ...(commit !== undefined && { commit }) };
  return steps.flatMap(({ event, effects }) => {
    const sessionId = cleanId(event?.sessionId);
    if (sessionId === undefined) return [];
    const digest = digests.get(sessionId) ?? openDigest(options);
    digests.set(sessionId, digest);
    const { at } = event;
    // What git had when it began is known now and not at its end.
    const begins = isFollowedBy(effects, "begin") && commit !== undefined;
    const start = begins ? digest.digest({ sessionId, kind: "start", ...(at !== undefined && { at }) }) : [];
    return [
      ...start.map((note) => ({ sessionId, agentId: undefined, note })),
      ...digest.digest(event).map((note) => ({ sessionId, agentId: cleanId(event.agentId), note })),
    ];
  });
}

async function findOver(place: SpoolPlace): Promise<boolean> {
  const { isAnyOver } = await import("../observer/spool/spool.js");
  return isAnyOver(place);
}

function fieldsOf(document: unknown): Record<string, unknown> {
  return typeof document === "object" && document !== null ? (document as Record<string, unknown>) : {};
}
