/**
 * Whether what a session says may be trusted, and which sources may not. What other rooms use of it,
 * and of `untrusted-sources/`, which has no door of its own.
 */
export { type SourceTrust, openSourceTrust } from "./source-trust.js";
export { openTaint } from "./taint.js";
export { listTrackedFiles } from "./tracked-files.js";
export { findInstructions, foldText } from "../untrusted-sources/find-instructions.js";
export { untrustedSourceOfAnswer } from "../untrusted-sources/untrusted-source-of.js";
