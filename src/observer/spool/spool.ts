/** The files in which notes survive until a session ends. What other rooms use of it. */
export { type OwnedNote, appendAll } from "./append-all.js";
export { cleanId } from "./clean-id.js";
export { listCompacted, markCompacted } from "./compaction-mark.js";
export { finishAlone, mayStartFinisher } from "./finish-alone.js";
export { hasBegun, hasStarted } from "./has-started.js";
export { isAnyOver, isOver, listParts, listRunningSessions, listSpools } from "./list-spools.js";
export { markMemoryFile, mayBeWrittenByAgent } from "./memory-file-mark.js";
export { partsAmong } from "./part-names.js";
export { currentProcess, isAlive, parseProcessIdentity } from "./process-identity.js";
export { purgeWithSpools } from "./purge-with-spools.js";
export { type NotedInjections, injectedByOthers, injectedIn, readInjected, uniqueTime } from "./read-injected.js";
export { type SpoolPlace, openSpoolPlace, realFolder, spoolsFolder } from "./spool-place.js";
export { possibleUntrustedSourceIn } from "./untrusted-mark.js";
