/** What follows from a record alone: hash, decay, trust, citation. What other rooms use of it. */
export { cite } from "./cite.js";
export { contextId, contextKeyOf, isContextKey } from "./context-id.js";
export { decayedConfidence, earnedConfidence, lastUsed, sureEnoughSql } from "./decay.js";
export { hashOf } from "./hash-of.js";
export { columnsOf, recordColumns, recordOf } from "./record-columns.js";
export { asText, isTaintedSql, soundJsonSql } from "./sound-json.js";
export { isPendingReviewSql, isUnverified, isUnverifiedSql, isUnvouched } from "./trust.js";
