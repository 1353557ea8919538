/** The parts of a program: what each is for, and how they hang together. What other rooms use of it. */
export { type OfferedSection, type Section, chooseSections } from "./choose-sections.js";
export { describingPrompt, describingSystem, listRepliedIds, readDescription } from "./describe-module.js";
export { readByIds, storeDescription } from "./module-edge-queries.js";
export type { EntryPoint, Flow, Module } from "./module-types.js";
export { type CodeDigest, listOwnNodes, openDigesting, readDigest, readShortPurpose } from "./read-digest.js";
export { findModule, readModules } from "./read-modules.js";
export type { Purpose } from "./read-purpose.js";
