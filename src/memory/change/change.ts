/**
 * One way in for every change of a memory. What other rooms use of it.
 *
 * `changeMemories` opens the transaction and hands out a `MemoryWriter`, without which no row of a memory can be written. What
 * is written is noted by the way; when the work is done, those who follow changes are told, in the order of `subscriberOrder`.
 */
export { changeMemories, changeStore } from "./change-memories.js";
export type { Change, ChangedMemory, MemoryWriter } from "./changed-memory.js";
export { type Changes, type ChangeSubscriber, openChanges } from "./changes.js";
export { forImport, forShare, type MemoryContext } from "./memory-context.js";
export { refuseAgent, refuseAgentInUserProject } from "./refuse-agent.js";
