import type { Caller } from "../base/actor.js";
import type { Code } from "../code-memory/code-memory.js";
import type { Grounding } from "../code-memory/drift/ground-changes.js";
import type { ConfigPlace } from "../config/read-config.js";
import type { ContradictionCheck } from "../conversation/contradictions/contradictions.js";
import type { OpenConversations } from "../conversation/open-conversations.js";
import type { Sharing } from "../exchange/share/open-sharing.js";
import type { OpenBuilds } from "../injection/build/build.js";
import type { AccessCounter } from "../memory/retention/retention.js";
import type { Acceptance } from "../project/project.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { MemoryContext } from "../memory/change/change.js";
import type { SourceTrust } from "../observer/trust/trust.js";
import type { Models } from "../retrieval/open-models.js";
import type { RecallCounter } from "../retrieval/recall-counter.js";
import type { OpenInjecting } from "../session/injecting/open-injecting.js";
import type { WatchedSessions } from "../session/noting/open-watched-sessions.js";
import type { OpenObserving } from "../session/observing/open-observing.js";

/** The rooms behind a memory: opened once, and shared by all of its callers. Only the context is a caller's own. */
export interface Parts {
  context: MemoryContext;
  /** Where the memory was opened. */
  directory: string;
  folder: FolderIdentity;
  /** The project's folder; undefined where only the project's name is known. */
  here: FolderIdentity | undefined;
  place: ConfigPlace;
  models: Models;
  code: Code;
  /** How far what is said may be trusted. */
  trust: SourceTrust;
  /** What is noted of sessions. */
  watched: WatchedSessions;
  observing: OpenObserving;
  injecting: OpenInjecting;
  builds: OpenBuilds;
  conversations: OpenConversations;
  sharing: Sharing;
  /** What follows when a person says yes to this folder. */
  acceptance: Acceptance;
  grounding: Grounding;
  contradictions: ContradictionCheck;
  recalls: RecallCounter;
  accesses: AccessCounter;
  /** What the program's methodology plug-ins did wrong, for a person. */
  methodologyNotes: () => Promise<string[]>;
  /** Imports what others left in the work tree, and learns from sessions that are over, before somebody reads. */
  catchUp: () => Promise<void>;
  /** Somebody asked what pruning would do, or did it: closing need not. */
  pruning: { isDone: boolean };
  /** Prunes once a day. */
  upkeep: NodeJS.Timeout;
}

/** The same rooms, for what one caller asks. Who that is, is asked at each use: see `Asking`. */
export function partsFor(parts: Parts, given: Caller): Parts {
  const { asking } = parts.watched;
  const context: MemoryContext = {
    ...parts.context,
    get actor() {
      return asking.callerFor(given);
    },
  };
  return { ...parts, context };
}
