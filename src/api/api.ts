/**
 * api: composition. It opens the rooms in the order in which they need each other, hands each what it takes (the store, the
 * project, the clock, the models), and binds their functions into the one object that a program holds, for whoever is behind
 * its calls.
 *
 * It refuses decisions: what is true, found, learned or injected is decided in the rooms. A room that is only needed by some
 * verbs is loaded with the first of them, so that a process that only recalls starts with little.
 */
export type { ProjectIdentity } from "./describe-project.js";
export type { MemoryCode } from "./memory-code.js";
export type { MemoryExchange } from "./memory-exchange.js";
export type { AcceptOptions, MemoryProjects } from "./memory-projects.js";
export type { MemoryReview } from "./memory-review.js";
export type { MemorySessions } from "./memory-sessions.js";
export type { BackupReport, MemoryStore } from "./memory-store.js";
export { openMemory } from "./open-memory.js";
export type { OpenOptions } from "./open-options.js";
export type { Stats } from "./read-stats.js";
export type { TacitMemory } from "./tacit-memory.js";
