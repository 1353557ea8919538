/** The files in which notes survive until a session ends. What other rooms use of it. */
export { type OwnedNote, appendAll } from "./append-all.js";
export { markUntrusted, markUnwatched } from "./append-notes.js";
export { beganInCall } from "./began-in-call.js";
export { cleanId } from "./clean-id.js";
export { listCompacted, markCompacted } from "./compaction-mark.js";
export { finishAlone, mayStartFinisher } from "./finish-alone.js";
export { hasBegun, hasStarted } from "./has-started.js";
export { isAnyOver, isOver, listParts, listRunningSessions, listSpools } from "./list-spools.js";
export { markMemoryFile, mayBeWrittenByAgent } from "./memory-file-mark.js";
export { partsAmong } from "./part-names.js";
export { currentProcess, isAlive, parseProcessIdentity } from "../processes/process-identity.js";
export { purgeWithSpools } from "./purge-with-spools.js";
export { type NotedInjections, injectedByOthers, injectedIn, readInjected, uniqueTime } from "./read-injected.js";
export { hasSchedule, isScheduledPrompt, markScheduledPrompts } from "./scheduled-prompts.js";
export { type SpoolPlace, openSpoolPlace, realFolder, spoolsFolder } from "./spool-place.js";
export { possibleUntrustedSourceIn } from "./untrusted-mark.js";
// `processes/` has no door of its own.
export {
  type AgentAbove,
  type AgentRecord,
  agentsAbove,
  forgetResident,
  isHookProcess,
  isUnwatched,
  markHookProcess,
  ownSessions,
  recordHook,
  recordResident,
  recordUnwatched,
} from "../processes/processes.js";
