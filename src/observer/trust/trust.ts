/**
 * Whether what a session says may be trusted, and which sources may not. What other rooms use of it,
 * and of `untrusted-sources/`, which has no door of its own.
 */
export { type SourceTrust, openSourceTrust } from "./source-trust.js";
export { type DistrustCheck, openDistrustCheck } from "./open-distrust-check.js";
export type { MayHaveMerged } from "./own-merges.js";
export { findForeignReason } from "./foreign-work.js";
export { openTaint } from "./taint.js";
export { listTrackedFiles } from "./tracked-files.js";
export { unwatchedReason } from "../untrusted-sources/describe-untrusted-source.js";
export { findInstructions, foldText } from "../untrusted-sources/find-instructions.js";
export { isTyped } from "../untrusted-sources/is-typed.js";
export { isForeignText, untrustedSourceOfAnswer } from "../untrusted-sources/untrusted-source-of.js";
