import type { Code } from "../code-memory/code-memory.js";
import type { Grounding } from "../code-memory/drift/verify-stale.js";
import type { ConfigPlace } from "../config/read-config.js";
import type { ContradictionCheck } from "../conversation/contradictions/contradictions.js";
import type { OpenConversations } from "../conversation/open-conversations.js";
import type { Sharing } from "../exchange/share/open-sharing.js";
import type { OpenBuilds } from "../injection/build/build.js";
import type { AccessCounter } from "../memory/retention/retention.js";
import type { FolderIdentity } from "../project/folder/identify-folder.js";
import type { ProjectContext } from "../project/project.js";
import type { Models } from "../retrieval/open-models.js";
import type { RecallCounter } from "../retrieval/recall-counter.js";
import type { OpenInjecting } from "../session/injecting/open-injecting.js";
import type { OpenObserving } from "../session/observing/open-observing.js";
import type { FollowUps } from "./follow-ups.js";

/** The rooms behind a memory: opened once, and shared by all of its callers. */
export interface Parts {
  context: ProjectContext;
  /** Where the memory was opened. */
  directory: string;
  folder: FolderIdentity;
  /** The project's folder; undefined where only the project's name is known. */
  here: FolderIdentity | undefined;
  place: ConfigPlace;
  models: Models;
  code: Code;
  observing: OpenObserving;
  injecting: OpenInjecting;
  builds: OpenBuilds;
  conversations: OpenConversations;
  sharing: Sharing;
  grounding: Grounding;
  contradictions: ContradictionCheck;
  followUps: FollowUps;
  recalls: RecallCounter;
  accesses: AccessCounter;
  /** What the program's methodology plug-ins did wrong, for a person. */
  methodologyNotes: () => Promise<string[]>;
  /** Imports what others left in the work tree, and learns from sessions that are over, before somebody reads. */
  catchUp: () => Promise<void>;
  /** What this process has done, as far as closing has to know. */
  done: { isChanged: boolean; isPruned: boolean };
  /** Prunes once a day. */
  upkeep: NodeJS.Timeout;
}

/** Notes that a memory changes, and loads what changes it: a process that only recalls starts without it. */
export async function forChange<Room>({ done }: Pick<Parts, "done">, loading: Promise<Room>): Promise<Room> {
  done.isChanged = true;
  return loading;
}
