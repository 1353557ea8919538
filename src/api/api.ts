/**
 * api: composition. It opens the rooms in the order in which they need each other, hands each what it takes (the store, the
 * project, the clock, the models), and binds their functions into the one object that a program holds.
 *
 * It refuses decisions: what is true, found, learned or injected is decided in the rooms. A room that is only needed by some
 * verbs is loaded with the first of them, so that a process that only recalls starts with little.
 */
export { openMemory } from "./open-memory.js";
export type { OpenOptions } from "./open-options.js";
export type { Stats } from "./read-stats.js";
export type { BackupReport, ProjectIdentity, TacitMemory, TellingOptions } from "./tacit-memory.js";
